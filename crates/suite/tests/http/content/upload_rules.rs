//! Uploads to existing paths.

use serde_json::json;
use suite::{Call, Person};

use crate::{
    catalogue::{new_package, new_repo},
    cluster::together::{statuses, together},
    content::{MEOW_SHA1, PURR_SHA1, SECOND, cat, publish, published, read, stored, upload, upload_published},
};

const FILE: &str = "/content/ada/tools/cat/1.0/cat.bin";

/// PUT of these bytes to the path of a file.
fn put(by: &Person, path: &str, bytes: &str) -> Call {
    by.put(path).body(bytes.to_owned())
}

/// Returns everything that ada can see of her package.
async fn state(ada: &Person) -> String {
    let mut shown = String::new();
    for path in ["", "/versions/_latest", "/files", "/files?include_unpublished=1"] {
        shown += &ada.get(&format!("/packages/ada/tools/cat{path}")).await.expect(200).text();
    }
    shown + &ada.get("/users/ada").await.expect(200).text()
}

#[tokio::test]
async fn identical_bytes_succeed_and_change_nothing() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let before = state(&ada).await;
    house.clock.advance(SECOND);
    put(&ada, FILE, "meow").await.refuses(201, "success");
    put(&ada, &format!("{FILE}?override=1"), "meow").await.refuses(201, "success");
    assert_eq!(state(&ada).await, before);
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 1);
    let before = state(&ada).await;
    house.clock.advance(SECOND);
    put(&ada, FILE, "meow").await.refuses(201, "success");
    put(&ada, &format!("{FILE}?publish=1"), "meow").await.refuses(201, "success");
    put(&ada, &format!("{FILE}?override=1"), "meow").await.refuses(201, "success");
    assert_eq!(state(&ada).await, before);
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 0, "nothing waits");
}

#[tokio::test]
async fn identical_bytes_may_be_sent_again_to_publish_them() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    put(&ada, &format!("{FILE}?publish=1"), "meow").await.refuses(201, "success");
    assert_eq!(read(&house.anyone(), "/ada/tools/cat.bin").await, "meow");
}

#[tokio::test]
async fn different_bytes_conflict() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    put(&ada, FILE, "purr").await.expect(409);
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 1);
    let before = state(&ada).await;
    put(&ada, FILE, "purr").await.expect(409);
    put(&ada, &format!("{FILE}?publish=1"), "purr").await.expect(409);
    assert_eq!(state(&ada).await, before);
    assert_eq!(read(&house.anyone(), "/ada/tools/cat.bin").await, "meow");
}

#[tokio::test]
async fn an_override_waits_for_the_next_publish() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let before = house.anyone().download("/ada/tools/cat.bin").await.expect(200);
    house.clock.advance(SECOND);
    put(&ada, &format!("{FILE}?override=1"), "hiss").await.refuses(201, "success");
    put(&ada, &format!("{FILE}?override=1"), "purr").await.refuses(201, "success");
    let waiting = house.anyone().download("/ada/tools/cat.bin").await.expect(200);
    assert_eq!((waiting.text(), waiting.header("etag")), ("meow".to_owned(), before.header("etag")));
    let list = house.anyone().get("/packages/ada/tools/cat/files").await.expect(200).json();
    assert_eq!(list[0]["sha1"], MEOW_SHA1);
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 1);
    let after = house.anyone().download("/ada/tools/cat.bin").await.expect(200);
    assert_eq!(after.text(), "purr");
    assert_ne!(after.header("etag"), before.header("etag"));
    assert_ne!(after.header("last-modified"), before.header("last-modified"));
    let list = house.anyone().get("/packages/ada/tools/cat/files").await.expect(200).json();
    assert_eq!((list.as_array().map(Vec::len), &list[0]["sha1"]), (Some(1), &json!(PURR_SHA1)));
}

#[tokio::test]
async fn an_override_with_publish_is_seen_at_once() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    put(&ada, &format!("{FILE}?override=1&publish=1"), "purr").await.refuses(201, "success");
    assert_eq!(read(&house.anyone(), "/ada/tools/cat.bin").await, "purr");
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 0);
}

#[tokio::test]
async fn a_path_belongs_to_one_version() {
    let (house, ada) = cat().await;
    new_package(&ada, "ada/tools", "dog").await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let before = state(&ada).await;
    for other in ["cat/2.0", "dog/1.0"] {
        let path = format!("/content/ada/tools/{other}/cat.bin");
        put(&ada, &path, "meow").await.expect(409);
        put(&ada, &path, "purr").await.expect(409);
        put(&ada, &format!("{path}?override=1"), "purr").await.expect(409);
        put(&ada, &format!("{path}?override=1"), "meow").await.expect(409);
    }
    assert_eq!(state(&ada).await, before, "not even the version was made");
    ada.get("/packages/ada/tools/dog/versions/1.0").await.expect(404);
    assert_eq!(read(&house.anyone(), "/ada/tools/cat.bin").await, "meow");
}

#[tokio::test]
async fn an_unpublished_path_belongs_to_its_version_too() {
    let (_house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    put(&ada, "/content/ada/tools/cat/2.0/cat.bin", "meow").await.expect(409);
    put(&ada, "/content/ada/tools/cat/2.0/cat.bin?override=1", "purr").await.expect(409);
    put(&ada, "/content/ada/tools/cat/2.0/Cat.bin", "purr").await.refuses(201, "success");
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["Cat.bin", "cat.bin"], "letter case matters");
}

#[tokio::test]
async fn other_repositories_have_paths_of_their_own() {
    let (_house, ada) = cat().await;
    new_repo(&ada, "ada/lib").await;
    new_package(&ada, "ada/lib", "cat").await;
    upload(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    upload(&ada, "ada/lib/cat/1.0/cat.bin", "purr").await;
    assert_eq!(
        (read(&ada, "/ada/tools/cat.bin").await, read(&ada, "/ada/lib/cat.bin").await),
        ("meow".into(), "purr".into())
    );
}

#[tokio::test]
async fn an_empty_file_is_a_file() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/empty.bin", "").await;
    let empty = house.anyone().download("/ada/tools/empty.bin").await.expect(200);
    assert_eq!((empty.body.len(), empty.header("content-length")), (0, "0"));
    assert_eq!(empty.header("x-checksum-sha1"), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    put(&ada, "/content/ada/tools/cat/1.0/empty.bin", "").await.refuses(201, "success");
    put(&ada, "/content/ada/tools/cat/1.0/empty.bin", "meow").await.expect(409);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_different_files_sent_at_once_to_one_path_one_wins() {
    let (house, ada) = cat().await;
    for round in 0..10 {
        let path = format!("/content/ada/tools/cat/1.0/{round}.bin?publish=1");
        let answers = together((0..5).map(|number| put(&ada, &path, &format!("bytes of {number}")))).await;
        assert_eq!(statuses(&answers), [201, 409, 409, 409, 409], "round {round}");
        let winner = answers.iter().position(|answer| answer.status == 201).expect("one won");
        let kept = read(&house.anyone(), &format!("/ada/tools/{round}.bin")).await;
        assert_eq!(kept, format!("bytes of {winner}"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_file_sent_many_times_at_once_is_one_file() {
    let (house, ada) = cat().await;
    let path = format!("{FILE}?publish=1");
    let answers = together((0..10).map(|_| put(&ada, &path, "meow"))).await;
    assert_eq!(statuses(&answers), [201; 10]);
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await, ["cat.bin"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_sent_at_once_to_a_new_version_make_it_once() {
    let (_house, ada) = cat().await;
    let send = |number: usize| put(&ada, &format!("/content/ada/tools/cat/1.0/{number}.bin"), "meow");
    assert_eq!(statuses(&together((0..20).map(send)).await), [201; 20]);
    assert_eq!(stored(&ada, "ada/tools/cat").await.len(), 20);
    assert_eq!(ada.get("/packages/ada/tools/cat").await.expect(200).json()["versions"], json!(["1.0"]));
}
