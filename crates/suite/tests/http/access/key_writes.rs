//! What a key may change: files in scopes with `rw`, and nothing that is reserved for users.

use reqwest::Method;
use serde_json::{Value, json};
use suite::Person;

use crate::{
    access::{
        grants::{key_to, key_to_path, new_product},
        key_reads::{comparable, zoo},
    },
    catalogue::new_version,
    content::{archives::zip, publish, read, stored, upload},
};

/// Uploads to a version of one of ada's packages, and publishes.
async fn put(key: &Person, path: &str) -> u16 {
    key.put(&format!("/content/ada/tools/{path}?publish=1")).body("new").await.status
}

#[tokio::test]
async fn a_key_of_a_repository_uploads_and_publishes_in_it() {
    let (house, ada, _) = zoo().await;
    let key = key_to(&house, &ada, "red", "/repos/ada/tools", "rw").await;
    key.post("/packages/ada/tools").json(json!({"name": "bird"})).await.expect(201);
    new_version(&key, "ada/tools/bird", "1.0").await;
    upload(&key, "ada/tools/bird/1.0/bird.bin", "tweet").await;
    assert_eq!(publish(&key, "ada/tools/bird/1.0").await, 1);
    assert_eq!(read(&key, "/ada/tools/bird.bin").await, "tweet");
    assert_eq!(read(&key, "/ada/tools/lib/draft.bin").await, "hiss");
    // It is not an owner of the repository it writes to.
    let owners = [
        (Method::PATCH, "/repos/ada/tools"),
        (Method::DELETE, "/repos/ada/tools"),
        (Method::GET, "/repos/ada/tools/permissions"),
        (Method::GET, "/repos/ada/tools/entitlements"),
        (Method::GET, "/packages/ada/tools/cat/entitlements"),
    ];
    for (method, path) in owners {
        key.call(method, path).json(json!({"desc": "x"})).await.refuses(403, "You may not do this");
    }
    let audit = house.admin().get("/audit").await.expect(200).text();
    assert!(audit.contains(r#""actor":"red@ada","action":"content.publish","target":"ada/tools/bird/1.0""#), "{audit}");
}

#[tokio::test]
async fn a_key_that_reads_does_not_write() {
    let (house, ada, eve) = zoo().await;
    let whole = key_to(&house, &ada, "whole", "/repos/ada/tools", "r").await;
    let package = key_to(&house, &ada, "package", "/packages/ada/tools/cat", "r").await;
    for key in [&whole, &package] {
        assert_eq!(put(key, "cat/1.0/lib/more.bin").await, 403);
        key.post("/content/ada/tools/cat/1.0/publish").await.refuses(403, "You may not do this");
        key.delete("/content/ada/tools/lib/cat-1.bin").await.refuses(403, "You may not do this");
    }
    let refused = package.put("/content/ada/tools/dog/1.0/x.bin").body("x").await;
    let stranger = eve.put("/content/ada/tools/dog/1.0/x.bin").body("x").await;
    assert_eq!(comparable(&refused), comparable(&stranger));
}

#[tokio::test]
async fn a_key_of_a_package_writes_to_the_package() {
    let (house, ada, eve) = zoo().await;
    new_product(&house, "ada", "suite", &["tools/cat"]).await;
    let package = key_to(&house, &ada, "package", "/packages/ada/tools/cat", "rw").await;
    let product = key_to(&house, &ada, "product", "/products/ada/suite", "rw").await;
    for (number, key) in [&package, &product].into_iter().enumerate() {
        assert_eq!(put(key, &format!("cat/{number}/a{number}.bin")).await, 201);
        assert_eq!(read(key, &format!("/ada/tools/a{number}.bin")).await, "new");
        new_version(key, "ada/tools/cat", &format!("9.{number}")).await;
        for path in ["dog/1.0/b.bin", "bird/1.0/b.bin"] {
            let path = format!("/content/ada/tools/{path}");
            assert_eq!(comparable(&key.put(&path).body("x").await), comparable(&eve.put(&path).body("x").await));
        }
        key.post("/packages/ada/tools").json(json!({"name": "bird"})).await.expect(404);
        key.post("/packages/ada/tools/dog/versions").json(json!({"name": "9"})).await.expect(404);
        key.post("/content/ada/tools/dog/1.0/publish").await.expect(404);
        key.delete("/content/ada/tools/library/dog.bin").await.expect(404);
    }
    assert_eq!(stored(&ada, "ada/tools/dog").await, ["library/dog.bin"]);
}

#[tokio::test]
async fn a_key_of_a_package_deletes_what_publishers_delete() {
    let (house, ada, _) = zoo().await;
    let key = key_to(&house, &ada, "red", "/packages/ada/tools/cat", "rw").await;
    key.delete("/packages/ada/tools/cat/versions/2.0").await.refuses(200, "success");
    key.delete("/packages/ada/tools/dog").await.refuses(404, "Repository 'tools' was not found");
    key.delete("/packages/ada/tools/cat").await.refuses(200, "success");
    ada.get("/packages/ada/tools/cat").await.refuses(404, "Package 'cat' was not found");
    // The entitlement was deleted with its package.
    key.get("/packages/ada/tools/cat").await.refuses(404, "Repository 'tools' was not found");
}

#[tokio::test]
async fn a_key_of_a_version_writes_to_the_version() {
    let (house, ada, _) = zoo().await;
    let key = key_to(&house, &ada, "red", "/packages/ada/tools/cat/versions/1.0", "rw").await;
    assert_eq!(put(&key, "cat/1.0/a.bin").await, 201);
    assert_eq!(publish(&key, "ada/tools/cat/1.0").await, 1);
    assert_eq!(put(&key, "cat/2.0/b.bin").await, 404);
    assert_eq!(put(&key, "cat/3.0/b.bin").await, 404);
    assert_eq!(put(&key, "dog/1.0/b.bin").await, 404);
    key.post("/content/ada/tools/cat/2.0/publish").await.expect(404);
    // It may add files, but not remove published ones.
    key.delete("/content/ada/tools/a.bin").await.expect(403);
    upload(&key, "ada/tools/cat/1.0/waits.bin", "new").await;
    key.delete("/content/ada/tools/waits.bin").await.expect(200);
    key.delete("/content/ada/tools/lib/cat-2.bin").await.expect(404);
}

#[tokio::test]
async fn a_key_of_a_path_writes_below_it() {
    let (house, ada, eve) = zoo().await;
    let key = key_to_path(&house, &ada, "red", "rw", "lib").await;
    assert_eq!(put(&key, "cat/1.0/lib/a.bin").await, 201);
    assert_eq!(read(&key, "/ada/tools/lib/a.bin").await, "new");
    for path in ["cat/1.0/a.bin", "cat/1.0/library/a.bin", "dog/1.0/library/a.bin"] {
        let path = format!("/content/ada/tools/{path}");
        assert_eq!(comparable(&key.put(&path).body("x").await), comparable(&eve.put(&path).body("x").await), "{path}");
    }
    key.delete("/content/ada/tools/lib/a.bin").await.expect(403);
    upload(&key, "ada/tools/cat/1.0/lib/waits.bin", "new").await;
    key.delete("/content/ada/tools/lib/waits.bin").await.expect(200);
    key.delete("/content/ada/tools/library/dog.bin").await.expect(404);
    // Publishing a version could publish files outside of the path.
    key.post("/content/ada/tools/cat/1.0/publish").await.expect(404);
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["lib/a.bin", "lib/cat-1.bin", "lib/cat-2.bin", "lib/draft.bin"]);
}

#[tokio::test]
async fn an_archive_stays_inside_of_the_path_or_nothing_of_it_is_kept() {
    let (house, ada, _) = zoo().await;
    let folder = key_to_path(&house, &ada, "folder", "rw", "lib").await;
    let file = key_to_path(&house, &ada, "file", "rw", "lib/one.zip").await;
    let deep = key_to_path(&house, &ada, "deep", "rw", "lib/deep").await;
    let explode = async |key: &Person, path: &str, entries: &[(&str, &str)]| {
        let call = key.put(&format!("/content/ada/tools/cat/1.0/{path}?explode=1")).body(zip(entries));
        call.await.status
    };
    assert_eq!(explode(&folder, "one.zip", &[("lib/a.bin", "a")]).await, 404);
    assert_eq!(explode(&file, "lib/one.zip", &[("a.bin", "a")]).await, 404);
    assert_eq!(explode(&deep, "lib/one.zip", &[("deep/a.bin", "a")]).await, 404);
    assert_eq!(explode(&file, "lib/one.zip", &[("one.zip", "a"), ("two.zip", "b")]).await, 404);
    assert_eq!(explode(&folder, "lib/one.zip", &[("../library/a.bin", "a")]).await, 400);
    let before = ["lib/cat-1.bin", "lib/cat-2.bin", "lib/draft.bin"];
    assert_eq!(stored(&ada, "ada/tools/cat").await, before);
    assert_eq!(explode(&folder, "lib/one.zip", &[("a/a.bin", "a"), ("b.bin", "b")]).await, 201);
    assert_eq!(stored(&ada, "ada/tools/cat").await[..2], ["lib/a/a.bin", "lib/b.bin"]);
}

#[tokio::test]
async fn what_is_for_users_is_refused_to_keys() {
    let (house, ada, _) = zoo().await;
    let key = key_to(&house, &ada, "red", "/repos/ada/tools", "rw").await;
    let calls = [
        (Method::PUT, "/users/eve/follow", Value::Null),
        (Method::DELETE, "/users/eve/follow", Value::Null),
        (Method::PUT, "/packages/ada/tools/cat/follow", Value::Null),
        (Method::PUT, "/packages/ada/tools/cat/rating", json!({"rating": 5})),
        (Method::POST, "/orgs", json!({"name": "acme"})),
        (Method::POST, "/repos/ada/more", json!({})),
        (Method::POST, "/users/ada/api_key", Value::Null),
        (Method::PATCH, "/users/ada", json!({"full_name": "x"})),
        (Method::DELETE, "/users/ada", Value::Null),
        (Method::GET, "/users/ada", Value::Null),
        (Method::GET, "/products/ada/suite/entitlements", Value::Null),
        (Method::GET, "/search/entitlements?tag=x&scope=ada", Value::Null),
        (Method::GET, "/audit", Value::Null),
        (Method::POST, "/users", json!({"name": "bea"})),
    ];
    let before = house.admin().get("/audit").await.expect(200).text();
    for (method, path, body) in calls {
        let answer = key.call(method.clone(), path).json(body).await;
        assert_eq!(answer.status, 403, "{method} {path}: {}", answer.text());
    }
    assert_eq!(house.admin().get("/audit").await.expect(200).text(), before);
}
