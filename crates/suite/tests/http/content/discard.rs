//! Discarding staged content.

use serde_json::{Value, json};

use crate::content::{DAY, cat, discard, publish, published, read, stored, upload, upload_published};

const PUBLISH: &str = "/content/ada/tools/cat/1.0/publish";

#[tokio::test]
async fn a_discard_drops_what_waits_and_counts_it() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/old.bin", "meow").await;
    upload(&ada, "ada/tools/cat/1.0/a.bin", "purr").await;
    upload(&ada, "ada/tools/cat/1.0/b.bin", "hiss").await;
    upload(&ada, "ada/tools/cat/2.0/c.bin", "hiss").await;
    let answer = ada.post(PUBLISH).json(json!({"discard": true})).await.expect(200);
    assert_eq!(answer.text(), r#"{"files":2}"#);
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["c.bin", "old.bin"], "other versions keep what waits");
    ada.download("/ada/tools/a.bin").await.expect(404);
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await, ["old.bin"]);
    assert_eq!(discard(&ada, "ada/tools/cat/1.0").await, 0);
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 0, "nothing is left to publish");
}

#[tokio::test]
async fn the_word_true_is_true() {
    let (_house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    let answer = ada.post(PUBLISH).json(json!({"discard": "true"})).await.expect(200);
    assert_eq!(answer.text(), r#"{"files":1}"#);
    assert_eq!(stored(&ada, "ada/tools/cat").await, [""; 0]);
}

#[tokio::test]
async fn a_version_stays_when_its_files_are_discarded() {
    let (_house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    assert_eq!(discard(&ada, "ada/tools/cat/1.0").await, 1);
    let version = ada.get("/packages/ada/tools/cat/versions/1.0").await.expect(200).json();
    assert_eq!((&version["published"], &version["released"]), (&json!(false), &Value::Null));
}

#[tokio::test]
async fn a_discarded_override_leaves_what_was_published() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let before = house.anyone().download("/ada/tools/cat.bin").await.expect(200);
    ada.put("/content/ada/tools/cat/1.0/cat.bin?override=1").body("purr").await.expect(201);
    assert_eq!(discard(&ada, "ada/tools/cat/1.0").await, 1);
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 0);
    let after = house.anyone().download("/ada/tools/cat.bin").await.expect(200);
    assert_eq!((after.text(), after.header("etag")), ("meow".to_owned(), before.header("etag")));
    assert_eq!(read(&ada, "/ada/tools/cat.bin").await, "meow");
}

#[tokio::test]
async fn a_discarded_path_is_free_for_every_version() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    discard(&ada, "ada/tools/cat/1.0").await;
    upload_published(&ada, "ada/tools/cat/2.0/cat.bin", "purr").await;
    assert_eq!(read(&house.anyone(), "/ada/tools/cat.bin").await, "purr");
}

#[tokio::test]
async fn what_waits_can_be_discarded_past_the_window() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    upload(&ada, "ada/tools/cat/1.0/late.bin", "purr").await;
    house.clock.advance(100 * DAY);
    assert_eq!(discard(&ada, "ada/tools/cat/1.0").await, 1);
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["cat.bin"]);
}

#[tokio::test]
async fn what_is_not_there_cannot_be_discarded() {
    let (_house, ada) = cat().await;
    let call = ada.post("/content/ada/tools/cat/9/publish").json(json!({"discard": true}));
    call.await.refuses(404, "Version '9' was not found");
}
