//! Publishing: which files become visible, when, and what is recorded.

use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    catalogue::{new_private_repo, new_version},
    cluster::together::together,
    content::{SECOND, cat, publish, published, read, stored, upload, upload_published},
};

const PUBLISH: &str = "/content/ada/tools/cat/1.0/publish";
const VERSION: &str = "/packages/ada/tools/cat/versions/1.0";

/// Starts a house whose version 1.0 of `cat` has two unpublished files.
async fn two_waiting() -> (TestHouse, Person) {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    upload(&ada, "ada/tools/cat/1.0/b.bin", "purr").await;
    (house, ada)
}

#[tokio::test]
async fn the_answer_counts_what_became_published() {
    let (house, ada) = two_waiting().await;
    assert_eq!(ada.post(PUBLISH).await.expect(200).text(), r#"{"files":2}"#);
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await, ["a.bin", "b.bin"]);
    assert_eq!(ada.post(PUBLISH).await.expect(200).text(), r#"{"files":0}"#);
    upload(&ada, "ada/tools/cat/1.0/c.bin", "hiss").await;
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 1, "the others were published before");
}

#[tokio::test]
async fn only_the_named_version_is_published() {
    let (house, ada) = two_waiting().await;
    upload(&ada, "ada/tools/cat/2.0/c.bin", "hiss").await;
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 2);
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await, ["a.bin", "b.bin"]);
}

#[tokio::test]
async fn publishing_nothing_is_a_success_and_changes_nothing() {
    let (house, ada) = cat().await;
    new_version(&ada, "ada/tools/cat", "1.0").await;
    let before = ada.get(VERSION).await.expect(200).text();
    house.clock.advance(SECOND);
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 0);
    assert_eq!(ada.get(VERSION).await.expect(200).text(), before);
}

#[tokio::test]
async fn an_upload_may_publish_its_own_file() {
    let (house, ada) = two_waiting().await;
    upload_published(&ada, "ada/tools/cat/1.0/c.bin", "hiss").await;
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await, ["c.bin"], "what waits goes on waiting");
    assert_eq!(read(&house.anyone(), "/ada/tools/c.bin").await, "hiss");
    assert_eq!(ada.get(VERSION).await.expect(200).json()["published"], true);
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 2);
}

#[tokio::test]
async fn later_uploads_wait_for_the_next_publish() {
    let (house, ada) = two_waiting().await;
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 2);
    upload(&ada, "ada/tools/cat/1.0/c.bin", "hiss").await;
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await, ["a.bin", "b.bin"]);
    house.anyone().download("/ada/tools/c.bin").await.expect(404);
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["a.bin", "b.bin", "c.bin"]);
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 1);
    assert_eq!(read(&house.anyone(), "/ada/tools/c.bin").await, "hiss");
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_see_all_of_a_publish_or_nothing() {
    let (house, ada) = cat().await;
    let send = |number: usize| ada.put(&format!("/content/ada/tools/cat/1.0/{number}.bin")).body("meow");
    for answer in together((0..40).map(send)).await {
        answer.expect(201);
    }
    let list = || house.anyone().get("/packages/ada/tools/cat/files");
    let before = (0..20).map(|_| list());
    let answers = together(before.chain([ada.post(PUBLISH)]).chain((0..40).map(|_| list()))).await;
    let seen = answers.iter().enumerate().filter(|(number, _)| *number != 20);
    for (_, answer) in seen {
        let count = answer.json().as_array().expect("a list").len();
        assert!(matches!(count, 0 | 40), "a reader saw {count} of 40");
        assert_eq!(answer.header("x-rangelimit-total"), count.to_string());
    }
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await.len(), 40, "the answer means that it is seen");
}

#[tokio::test]
async fn the_first_publish_is_written_down_at_the_version() {
    let (house, ada) = two_waiting().await;
    let shown = async |field: &str| ada.get(VERSION).await.expect(200).json()[field].clone();
    assert_eq!((shown("published").await, shown("released").await), (json!(false), Value::Null));
    house.clock.advance(SECOND);
    publish(&ada, "ada/tools/cat/1.0").await;
    let at = json!("2026-01-15T12:00:01.000Z");
    assert_eq!((shown("published").await, shown("released").await), (json!(true), at.clone()));
    assert_eq!(shown("updated").await, at);
    assert_eq!(shown("created").await, "2026-01-15T12:00:00.000Z");
    house.clock.advance(SECOND);
    upload_published(&ada, "ada/tools/cat/1.0/c.bin", "hiss").await;
    assert_eq!(shown("released").await, at, "only the first publish is the release");
}

#[tokio::test]
async fn a_release_moment_that_was_given_stays() {
    let (_house, ada) = cat().await;
    let body = json!({"name": "1.0", "released": "2020-02-02"});
    ada.post("/packages/ada/tools/cat/versions").json(body).await.expect(201);
    upload_published(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    let shown = ada.get(VERSION).await.expect(200).json();
    assert_eq!((&shown["published"], &shown["released"]), (&json!(true), &json!("2020-02-02T00:00:00.000Z")));
}

#[tokio::test]
async fn the_latest_version_is_the_greatest_with_a_published_file() {
    let (house, ada) = cat().await;
    let latest = async || {
        let package = house.anyone().get("/packages/ada/tools/cat").await.expect(200).json();
        let version = house.anyone().get("/packages/ada/tools/cat/versions/_latest").await.expect(200).json();
        assert_eq!(version["name"], package["latest_version"]);
        version["name"].clone()
    };
    upload(&ada, "ada/tools/cat/1.0/1.bin", "meow").await;
    upload(&ada, "ada/tools/cat/2.0/2.bin", "meow").await;
    new_version(&ada, "ada/tools/cat", "3.0").await;
    assert_eq!(latest().await, "3.0", "without any published file the greatest");
    publish(&ada, "ada/tools/cat/1.0").await;
    assert_eq!(latest().await, "1.0");
    publish(&ada, "ada/tools/cat/2.0").await;
    assert_eq!(latest().await, "2.0");
    upload_published(&ada, "ada/tools/cat/1.0/more.bin", "meow").await;
    assert_eq!(latest().await, "2.0", "a later publish changes nothing");
    upload_published(&ada, "ada/tools/cat/1.10/ten.bin", "meow").await;
    upload_published(&ada, "ada/tools/cat/2.1-rc1/rc.bin", "meow").await;
    assert_eq!(latest().await, "2.0", "neither an older release that comes later nor a pre-release");
    ada.delete("/content/ada/tools/2.bin").await.expect(200);
    assert_eq!(latest().await, "1.10", "numbers are compared as numbers");
    ada.delete("/packages/ada/tools/cat/versions/1.10").await.expect(200);
    ada.delete("/packages/ada/tools/cat/versions/1.0").await.expect(200);
    assert_eq!(latest().await, "2.1-rc1", "a pre-release is the latest version if there is no release");
}

#[tokio::test]
async fn what_is_not_there_cannot_be_published() {
    let (_house, ada) = cat().await;
    let call = |path: &str| ada.post(&format!("/content/{path}/publish"));
    call("ada/tools/cat/9").await.refuses(404, "Version '9' was not found");
    call("ada/tools/dog/1.0").await.refuses(404, "Package 'dog' was not found");
    call("ada/none/cat/1.0").await.refuses(404, "Repository 'none' was not found");
    ada.get("/packages/ada/tools/cat/versions/9").await.expect(404);
}

#[tokio::test]
async fn the_body_is_optional_and_may_hold_more() {
    let (_house, ada) = cat().await;
    let bodies = [
        "",
        "{}",
        r#"{"discard":false}"#,
        r#"{"publish_wait_for_secs":-1}"#,
        r#"{"publish_wait_for_secs":60,"discard":false}"#,
        r#"{"unknown":[1],"subject":"ada"}"#,
    ];
    for (number, body) in bodies.into_iter().enumerate() {
        upload(&ada, &format!("ada/tools/cat/1.0/{number}.bin"), "meow").await;
        let answer = ada.post(PUBLISH).body(body).await.expect(200);
        assert_eq!(answer.text(), r#"{"files":1}"#, "{body}");
    }
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_refused_and_publishes_nothing() {
    let (house, ada) = two_waiting().await;
    for body in ["[]", "{", "null", r#"{"discard":"maybe"}"#, r#"{"discard":1}"#, r#"{"discard":true,"discard":false}"#]
    {
        let answer = ada.post(PUBLISH).body(body).await;
        assert_eq!(answer.status, 400, "{body}: {}", answer.text());
    }
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await, [""; 0]);
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["a.bin", "b.bin"]);
}

#[tokio::test]
async fn publishing_in_a_private_repository_shows_nothing_to_others() {
    let (house, ada) = cat().await;
    new_private_repo(&ada, "ada/secret").await;
    ada.post("/packages/ada/secret").json(json!({"name": "cat"})).await.expect(201);
    upload(&ada, "ada/secret/cat/1.0/a.bin", "meow").await;
    assert_eq!(publish(&ada, "ada/secret/cat/1.0").await, 1);
    house.anyone().get("/packages/ada/secret/cat/files").await.refuses(404, "Repository 'secret' was not found");
    house.anyone().download("/ada/secret/a.bin").await.expect(401);
    assert_eq!(read(&ada, "/ada/secret/a.bin").await, "meow");
}

#[tokio::test]
async fn a_deleted_version_takes_its_files_with_it() {
    let (house, ada) = two_waiting().await;
    publish(&ada, "ada/tools/cat/1.0").await;
    upload(&ada, "ada/tools/cat/1.0/c.bin", "hiss").await;
    ada.delete(VERSION).await.refuses(200, "success");
    assert_eq!(stored(&ada, "ada/tools/cat").await, [""; 0]);
    for name in ["a.bin", "b.bin", "c.bin"] {
        ada.download(&format!("/ada/tools/{name}")).await.expect(404);
    }
    assert_eq!(house.anyone().get("/search/file?name=*.bin").await.expect(200).json(), json!([]));
}
