//! Storage of an account: `quota_used_bytes` follows its files.

use serde_json::{Value, json};
use suite::Person;

use crate::{
    access::acme::Cast,
    catalogue::{new_package, new_private_repo, new_repo},
    cluster::together::together,
    content::{MEOW_SHA256, archives::zip, cat, discard, publish, upload, upload_published},
};

/// Returns the storage of this account, as this caller sees it.
async fn used(who: &Person, account: &str) -> Value {
    who.get(account).await.expect(200).json()["quota_used_bytes"].clone()
}

#[tokio::test]
async fn every_file_counts_with_its_size() {
    let (_house, ada) = cat().await;
    assert_eq!(used(&ada, "/users/ada").await, 0);
    upload(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    assert_eq!(used(&ada, "/users/ada").await, 4, "unpublished ones, too");
    upload_published(&ada, "ada/tools/cat/1.0/b.bin", "purring").await;
    assert_eq!(used(&ada, "/users/ada").await, 11);
    upload(&ada, "ada/tools/cat/1.0/copy.bin", "purring").await;
    assert_eq!(used(&ada, "/users/ada").await, 18, "the same bytes at another path count again");
    upload(&ada, "ada/tools/cat/1.0/empty.bin", "").await;
    publish(&ada, "ada/tools/cat/1.0").await;
    assert_eq!(used(&ada, "/users/ada").await, 18, "publishing moves nothing");
}

#[tokio::test]
async fn uploads_that_store_nothing_count_nothing() {
    let (house, ada) = cat().await;
    let eve = house.user("eve").await;
    upload(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    upload(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    ada.put("/content/ada/tools/cat/1.0/a.bin").body("other").await.expect(409);
    ada.put("/content/ada/tools/cat/2.0/a.bin").body("meow").await.expect(409);
    ada.put("/content/ada/tools/dog/2.0/b.bin").body("meow").await.expect(404);
    eve.put("/content/ada/tools/cat/1.0/b.bin").body("meow").await.expect(403);
    ada.put("/content/ada/tools/cat/1.0/b.bin").header("content-md5", &"0".repeat(32)).body("meow").await.expect(409);
    assert_eq!(used(&ada, "/users/ada").await, 4);
    assert_eq!(used(&eve, "/users/eve").await, 0);
}

#[tokio::test]
async fn an_override_counts_in_place_of_what_it_replaces() {
    let (_house, ada) = cat().await;
    let put = |bytes: &str| ada.put("/content/ada/tools/cat/1.0/a.bin?override=1").body(bytes.to_owned());
    upload(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    put("purring").await.expect(201);
    assert_eq!(used(&ada, "/users/ada").await, 7);
    put("hi").await.expect(201);
    assert_eq!(used(&ada, "/users/ada").await, 2);
    publish(&ada, "ada/tools/cat/1.0").await;
    put("meow").await.expect(201);
    publish(&ada, "ada/tools/cat/1.0").await;
    assert_eq!(used(&ada, "/users/ada").await, 4, "what was replaced no longer counts");
}

#[tokio::test]
async fn a_discard_gives_back_what_waited() {
    let (_house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    upload(&ada, "ada/tools/cat/1.0/b.bin", "purring").await;
    ada.put("/content/ada/tools/cat/1.0/a.bin?override=1").body("something longer").await.expect(201);
    assert_eq!(discard(&ada, "ada/tools/cat/1.0").await, 2);
    assert_eq!(used(&ada, "/users/ada").await, 4);
}

#[tokio::test]
async fn what_is_deleted_is_given_back() {
    let (_house, ada) = cat().await;
    new_package(&ada, "ada/tools", "dog").await;
    new_repo(&ada, "ada/lib").await;
    new_package(&ada, "ada/lib", "cat").await;
    let places = ["tools/cat/1.0/a", "tools/cat/1.0/b", "tools/cat/1.1/c", "tools/dog/1.0/d", "lib/cat/1.0/e"];
    for place in places {
        upload_published(&ada, &format!("ada/{place}"), "0123456789").await;
    }
    upload(&ada, "ada/lib/cat/1.0/f", "0123456789").await;
    assert_eq!(used(&ada, "/users/ada").await, 60);
    for (path, left) in [
        ("/content/ada/tools/a", 50),
        ("/packages/ada/tools/cat/versions/1.0", 40),
        ("/packages/ada/tools/cat", 30),
        ("/repos/ada/tools", 20),
        ("/content/ada/lib/f", 10),
        ("/repos/ada/lib", 0),
    ] {
        ada.delete(path).await.refuses(200, "success");
        assert_eq!(used(&ada, "/users/ada").await, left, "after {path}");
    }
}

#[tokio::test]
async fn other_ways_to_upload_count_the_same() {
    let (_house, ada) = cat().await;
    let archive = zip(&[("a", "0123456789"), ("b", "meow")]);
    ada.put("/content/ada/tools/cat/1.0/two.zip?explode=1").body(archive).await.expect(201);
    assert_eq!(used(&ada, "/users/ada").await, 14, "the entries, not the archive");
    let deploy = ada.put("/content/ada/tools/cat/1.0/c").header("x-checksum-deploy", "true");
    deploy.header("x-checksum-sha2", MEOW_SHA256).await.expect(201);
    assert_eq!(used(&ada, "/users/ada").await, 18);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sum_is_exact_when_many_write_at_once() {
    let (_house, ada) = cat().await;
    let send = |number: usize| ada.put(&format!("/content/ada/tools/cat/1.{number}/{number}.bin")).body("0123456789");
    together((0..20).map(send)).await.into_iter().for_each(|answer| drop(answer.expect(201)));
    assert_eq!(used(&ada, "/users/ada").await, 200);
    let delete = |number: usize| ada.delete(&format!("/content/ada/tools/{number}.bin"));
    together((0..10).map(delete)).await.into_iter().for_each(|answer| drop(answer.expect(200)));
    assert_eq!(used(&ada, "/users/ada").await, 100);
}

#[tokio::test]
async fn others_see_what_is_used_in_public_only() {
    let (house, ada) = cat().await;
    let eve = house.user("eve").await;
    new_private_repo(&ada, "ada/secret").await;
    new_package(&ada, "ada/secret", "cat").await;
    upload_published(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    upload_published(&ada, "ada/secret/cat/1.0/b.bin", "0123456789").await;
    assert_eq!((used(&ada, "/users/ada").await, used(&eve, "/users/ada").await), (json!(14), json!(4)));
    let found = eve.get("/search/users?name=ada").await.expect(200).json();
    assert_eq!(found[0]["quota_used_bytes"], 4, "nor does a search tell");
    ada.patch("/repos/ada/secret").json(json!({"private": false})).await.expect(200);
    assert_eq!(used(&eve, "/users/ada").await, 14);
    ada.patch("/repos/ada/tools").json(json!({"private": true})).await.expect(200);
    assert_eq!(used(&eve, "/users/ada").await, 10);
    assert_eq!(used(&ada, "/users/ada").await, 14);
}

#[tokio::test]
async fn an_organization_shows_all_to_those_who_run_it() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    new_repo(&cast.owner, "acme/tools").await;
    new_private_repo(&cast.owner, "acme/secret").await;
    for (repo, bytes) in [("acme/tools", "meow"), ("acme/secret", "0123456789")] {
        new_package(&cast.owner, repo, "cat").await;
        upload_published(&cast.admin, &format!("{repo}/cat/1.0/cat.bin"), bytes).await;
    }
    let mut seen = String::new();
    for (name, who) in cast.actors() {
        seen += &format!("{name}: {}\n", used(who, "/orgs/acme").await);
    }
    insta::assert_snapshot!(seen, @r"
    owner: 14
    admin: 14
    member: 4
    stranger: 4
    site admin: 14
    ");
    assert_eq!(used(&cast.admin, "/users/alma").await, 0, "files count for the owner of the repository");
}
