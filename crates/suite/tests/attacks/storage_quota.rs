//! Uploads beyond a storage quota.

use serde_json::{Value, json};
use suite::{Answer, Person, TestHouse};

use crate::scene::{cat, new_cat, publish, tar};

/// Sets the quota of `/subjects/..` or `/repos/..`.
async fn set(house: &TestHouse, of: &str, bytes: impl Into<Value>) {
    let body = json!({"quota_bytes": bytes.into()});
    house.admin().put(&format!("{of}/quota")).json(body).await.refuses(200, "success");
}

/// PUT of this many bytes to a path of `ada/tools/cat/1.0`.
async fn put(by: &Person, path: &str, bytes: usize) -> Answer {
    by.put(&format!("/content/ada/tools/cat/1.0/{path}")).body("x".repeat(bytes)).await
}

#[tokio::test]
async fn a_subject_stores_no_more_than_its_quota() {
    let (house, ada) = cat().await;
    new_cat(&ada, "ada/more").await;
    set(&house, "/subjects/ada", 100).await;
    put(&ada, "a.bin?publish=1", 60).await.expect(201);
    let full = "The storage quota of 'ada' is 100 bytes, 60 of them are used, and 41 more bytes are needed";
    put(&ada, "b.bin", 41).await.refuses(507, full);
    // Other repositories and staged content count, too.
    ada.put("/content/ada/more/cat/1.0/b.bin").body("y".repeat(40)).await.expect(201);
    put(&ada, "c.bin", 1).await.expect(507);
    let shown = ada.get("/subjects/ada/quota").await.expect(200).json();
    assert_eq!(shown, json!({"quota_bytes": 100, "used_bytes": 100}));
    // Existing content needs no space, and deleted content frees some.
    put(&ada, "a.bin", 60).await.expect(201);
    ada.post("/content/ada/more/cat/1.0/publish").json(json!({"discard": true})).await.expect(200);
    put(&ada, "c.bin", 40).await.expect(201);
    set(&house, "/subjects/ada", Value::Null).await;
    put(&ada, "d.bin", 1_000).await.expect(201);
}

#[tokio::test]
async fn a_repository_stores_no_more_than_its_quota() {
    let (house, ada) = cat().await;
    set(&house, "/repos/ada/tools", 10).await;
    put(&ada, "a.bin", 10).await.expect(201);
    let full =
        "The storage quota of repository 'ada/tools' is 10 bytes, 10 of them are used, and 3 more bytes are needed";
    put(&ada, "b.bin", 3).await.refuses(507, full);
    new_cat(&ada, "ada/more").await;
    publish(&ada, "ada/more/cat/1.0/b.bin", "another one has none").await;
    let shown = ada.get("/repos/ada/tools/quota").await.expect(200).json();
    assert_eq!(shown, json!({"quota_bytes": 10, "used_bytes": 10}));
    // A quota below the current use deletes nothing, and accepts nothing.
    set(&house, "/repos/ada/tools", 5).await;
    put(&ada, "a.bin?override=1", 9).await.expect(507);
    assert_eq!(ada.download("/ada/tools/a.bin").await.expect(200).body.len(), 10);
    set(&house, "/repos/ada/tools", Value::Null).await;
    put(&ada, "b.bin", 3).await.expect(201);
}

#[tokio::test]
async fn every_way_to_upload_meets_the_quota() {
    let (house, ada) = cat().await;
    publish(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    let sha256 = ada.download("/ada/tools/a.bin").await.expect(200).header("x-checksum-sha2").to_owned();
    set(&house, "/subjects/ada", 5).await;
    let deploy = ada.put("/content/ada/tools/cat/1.0/b.bin").header("x-checksum-deploy", "true");
    deploy.header("x-checksum-sha2", &sha256).await.expect(507);
    put(&ada, "a.bin?override=1", 3).await.expect(507);
    put(&ada, "a.bin?override=1&publish=1", 6).await.expect(507);
    let maven = ada.put("/maven/ada/tools/cat/x/lib/1/lib-1.jar").body("jar bytes");
    maven.await.expect(507);
    let explode = async || ada.put("/content/ada/tools/cat/1.0/x.tar?explode=1").body(tar("c.sh", b"hi")).await;
    explode().await.expect(507);
    set(&house, "/subjects/ada", 6).await;
    explode().await.expect(201);
}

#[tokio::test]
async fn a_body_that_cannot_fit_is_refused_before_it_is_sent() {
    let (house, ada) = cat().await;
    set(&house, "/subjects/ada", 1_000).await;
    let credentials = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, format!("ada:{}", ada.key()));
    let head = format!(
        "PUT /api/content/ada/tools/cat/1.0/a.bin HTTP/1.1\r\nhost: {}\r\nauthorization: Basic {credentials}\r\n\
         content-length: 1000000000\r\nexpect: 100-continue\r\n\r\n",
        house.address
    );
    let answer = suite::exchange(house.address, head.as_bytes(), std::time::Duration::from_millis(500)).await;
    assert_eq!(answer.status(), Some(507), "{}", answer.text);
    assert!(answer.text.contains("1000000000 more bytes are needed"), "{}", answer.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_uploads_at_once_those_that_fit_succeed() {
    let (house, ada) = cat().await;
    for package in ["dog", "cow", "bee"] {
        ada.post("/packages/ada/tools").json(json!({ "name": package })).await.expect(201);
    }
    let another = house.start_another().await;
    let there = another.as_ref().unwrap_or(&house).person("ada", ada.key());
    set(&house, "/subjects/ada", 75).await;
    let packages = ["cat", "dog", "cow", "bee"].into_iter().cycle();
    let uploads = (0..20).zip(packages).zip([&ada, &there].into_iter().cycle()).map(|((number, package), who)| {
        let path = format!("/content/ada/tools/{package}/{number}/{number}.bin");
        tokio::spawn(who.put(&path).body(format!("{number:010}")).into_future())
    });
    let mut statuses = Vec::new();
    for upload in uploads.collect::<Vec<_>>() {
        statuses.push(upload.await.expect("it ends").status);
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [[201; 7].as_slice(), &[507; 13]].concat());
    assert_eq!(ada.get("/subjects/ada/quota").await.expect(200).json()["used_bytes"], 70);
}

#[tokio::test]
async fn plans_give_a_quota() {
    let house = TestHouse::start_with(&[("limits.premium_storage_bytes", "10")]).await;
    let ada = house.user("ada").await;
    new_cat(&ada, "ada/tools").await;
    assert_eq!(ada.get("/subjects/ada/quota").await.expect(200).json()["quota_bytes"], 10);
    put(&ada, "a.bin", 11).await.expect(507);
    set(&house, "/subjects/ada", 12).await;
    put(&ada, "a.bin", 11).await.expect(201);
    set(&house, "/subjects/ada", Value::Null).await;
    put(&ada, "b.bin", 1).await.expect(507);
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    put(&ada, "b.bin", 1).await.expect(201);
}

#[tokio::test]
async fn what_is_used_is_told_to_those_who_manage_it() {
    let (house, ada) = cat().await;
    let eve = house.user("eve").await;
    let key = house.key(&ada, "client", json!({})).await;
    house.grant("ada/tools", "client", "rw").await;
    set(&house, "/subjects/ada", 10).await;
    let reached = "The storage quota of 'ada' is reached: 11 more bytes are needed";
    put(&key, "a.bin", 11).await.refuses(507, reached);
    eve.get("/subjects/ada/quota").await.expect(403);
    key.get("/subjects/ada/quota").await.expect(403);
    house.anyone().get("/subjects/ada/quota").await.expect(401);
    key.get("/repos/ada/tools/quota").await.expect(403);
    for by in [&ada, &eve, &key] {
        by.put("/subjects/ada/quota").json(json!({"quota_bytes": 1})).await.expect(403);
        by.put("/repos/ada/tools/quota").json(json!({"quota_bytes": 1})).await.expect(403);
    }
    for wrong in [json!({"quota_bytes": -1}), json!({"quota_bytes": "x"}), json!({"quota_bytes": u64::MAX})] {
        house.admin().put("/subjects/ada/quota").json(wrong).await.expect(400);
    }
    house.admin().put("/subjects/nobody/quota").json(json!({"quota_bytes": 1})).await.expect(404);
}
