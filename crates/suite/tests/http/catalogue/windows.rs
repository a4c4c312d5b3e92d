//! How long a published version accepts changes: five days, or as the repository sets it, to the second.

use serde_json::json;
use suite::{Answer, Call, Person, TestHouse};

use crate::{
    catalogue::{new_package, new_repo},
    content::{
        DAY, MEOW_SHA256, SECOND, archives::zip, cat, discard, publish, published, read, stored, upload,
        upload_published,
    },
};

/// The day on which every test begins, and so the day of its first publish.
const FIRST_PUBLISH: &str = "2026-01-15";

/// Asserts that a change was refused because version 1.0 was published too long ago. The error names the version, the
/// limit, and the day of the publish or the one on which the window ended.
#[track_caller]
pub(crate) fn assert_past(answer: Answer, limit: &str, ended: &str) {
    let message = answer.expect(403).message();
    assert!(message.contains("1.0"), "no version: {message}");
    assert!(message.contains(limit), "no `{limit}`: {message}");
    assert!(message.contains(FIRST_PUBLISH) || message.contains(ended), "no date: {message}");
}

/// Asserts the same for the upload window of five days.
#[track_caller]
fn assert_past_five_days(answer: Answer) {
    assert_past(answer, "5 days", "2026-01-20");
}

/// Starts a house a second after the window of version 1.0 and at the very end of that of 1.1. Both have the published
/// file `<version>/old.bin` and the staged `<version>/new.bin`.
async fn five_days_later() -> (TestHouse, Person) {
    let (house, ada) = cat().await;
    for version in ["1.0", "1.1"] {
        upload_published(&ada, &format!("ada/tools/cat/{version}/{version}/old.bin"), "meow").await;
        upload(&ada, &format!("ada/tools/cat/{version}/{version}/new.bin"), "purr").await;
        house.clock.advance(SECOND);
    }
    house.clock.advance(5 * DAY - SECOND);
    (house, ada)
}

/// PUT to `<version>/<name>` of that version.
fn put(by: &Person, version: &str, name: &str, bytes: &str) -> Call {
    by.put(&format!("/content/ada/tools/cat/{version}/{version}/{name}")).body(bytes.to_owned())
}

#[tokio::test]
async fn files_are_added_within_five_days_of_the_first_publish() {
    let (_house, ada) = five_days_later().await;
    put(&ada, "1.1", "more.bin", "hiss").await.refuses(201, "success");
    put(&ada, "1.1", "and_more.bin?publish=1", "hiss").await.refuses(201, "success");
    assert_past_five_days(put(&ada, "1.0", "more.bin", "hiss").await);
    assert_past_five_days(put(&ada, "1.0", "more.bin?publish=1", "hiss").await);
    assert_past_five_days(put(&ada, "1.0", "more.bin?override=1", "hiss").await);
    let files = ["1.0/new.bin", "1.0/old.bin", "1.1/and_more.bin", "1.1/more.bin", "1.1/new.bin", "1.1/old.bin"];
    assert_eq!(stored(&ada, "ada/tools/cat").await, files);
}

#[tokio::test]
async fn files_are_replaced_within_five_days_of_the_first_publish() {
    let (house, ada) = five_days_later().await;
    put(&ada, "1.1", "old.bin?override=1&publish=1", "hiss").await.refuses(201, "success");
    put(&ada, "1.1", "new.bin?override=1", "hiss").await.refuses(201, "success");
    assert_past_five_days(put(&ada, "1.0", "old.bin?override=1", "hiss").await);
    assert_past_five_days(put(&ada, "1.0", "new.bin?override=1", "hiss").await);
    assert_eq!(read(&house.anyone(), "/ada/tools/1.0/old.bin").await, "meow");
    assert_eq!(read(&house.anyone(), "/ada/tools/1.1/old.bin").await, "hiss");
}

#[tokio::test]
async fn what_waits_is_published_within_five_days_of_the_first_publish() {
    let (house, ada) = five_days_later().await;
    assert_eq!(publish(&ada, "ada/tools/cat/1.1").await, 1);
    assert_past_five_days(ada.post("/content/ada/tools/cat/1.0/publish").await);
    let seen = ["1.0/old.bin", "1.1/new.bin", "1.1/old.bin"];
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await, seen);
    assert_eq!(discard(&ada, "ada/tools/cat/1.0").await, 1, "a discard is possible at any time");
}

#[tokio::test]
async fn published_files_are_deleted_within_five_days_of_the_first_publish() {
    let (house, ada) = five_days_later().await;
    ada.delete("/content/ada/tools/1.1/old.bin").await.refuses(200, "success");
    assert_past_five_days(ada.delete("/content/ada/tools/1.0/old.bin").await);
    assert_eq!(read(&house.anyone(), "/ada/tools/1.0/old.bin").await, "meow");
    house.anyone().download("/ada/tools/1.1/old.bin").await.expect(404);
}

#[tokio::test]
async fn unpublished_files_are_deleted_at_any_time() {
    let (house, ada) = five_days_later().await;
    house.clock.advance(100 * DAY);
    ada.delete("/content/ada/tools/1.0/new.bin").await.refuses(200, "success");
    ada.delete("/content/ada/tools/1.1/new.bin").await.refuses(200, "success");
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["1.0/old.bin", "1.1/old.bin"]);
}

#[tokio::test]
async fn every_way_to_upload_meets_the_window() {
    let (_house, ada) = five_days_later().await;
    let deploy = ada.put("/content/ada/tools/cat/1.0/deployed.bin").header("x-checksum-deploy", "true");
    assert_past_five_days(deploy.header("x-checksum-sha2", MEOW_SHA256).await);
    let explode = ada.put("/content/ada/tools/cat/1.0/x.zip?explode=1").body(zip(&[("exploded.bin", "hiss")]));
    assert_past_five_days(explode.await);
    let headers = ada.put("/content/ada/tools/x.bin").header("x-service-package", "cat");
    assert_past_five_days(headers.header("x-service-version", "1.0").body("hiss").await);
    let matrix = ada.put("/content/ada/tools/x.bin;svc_package=cat;svc_version=1.0").body("hiss");
    assert_past_five_days(matrix.await);
    assert_eq!(stored(&ada, "ada/tools/cat").await.len(), 4);
}

#[tokio::test]
async fn identical_bytes_succeed_past_the_window_too() {
    let (house, ada) = five_days_later().await;
    house.clock.advance(100 * DAY);
    let before = ada.get("/packages/ada/tools/cat/files?include_unpublished=1").await.expect(200).text();
    put(&ada, "1.0", "old.bin", "meow").await.refuses(201, "success");
    put(&ada, "1.0", "old.bin?publish=1", "meow").await.refuses(201, "success");
    put(&ada, "1.0", "old.bin?override=1", "meow").await.refuses(201, "success");
    let after = ada.get("/packages/ada/tools/cat/files?include_unpublished=1").await.expect(200).text();
    assert_eq!(after, before);
}

#[tokio::test]
async fn a_version_that_was_never_published_has_no_window() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/a.bin", "meow").await;
    house.clock.advance(100 * DAY);
    upload(&ada, "ada/tools/cat/1.0/b.bin", "meow").await;
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 2);
    house.clock.advance(5 * DAY);
    upload_published(&ada, "ada/tools/cat/1.0/c.bin", "meow").await;
}

#[tokio::test]
async fn only_the_first_publish_begins_the_window() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/1.0/a.bin", "meow").await;
    house.clock.advance(4 * DAY);
    upload_published(&ada, "ada/tools/cat/1.0/1.0/b.bin", "meow").await;
    house.clock.advance(DAY + SECOND);
    assert_past_five_days(put(&ada, "1.0", "c.bin", "meow").await);
}

#[tokio::test]
async fn the_release_moment_moves_no_window() {
    let (house, ada) = cat().await;
    let body = json!({"name": "1.0", "released": "2020-02-02"});
    ada.post("/packages/ada/tools/cat/versions").json(body).await.expect(201);
    upload_published(&ada, "ada/tools/cat/1.0/1.0/a.bin", "meow").await;
    upload_published(&ada, "ada/tools/cat/1.0/1.0/b.bin", "meow").await;
    house.clock.advance(5 * DAY + SECOND);
    let later = json!({"released": "2026-01-20"});
    ada.patch("/packages/ada/tools/cat/versions/1.0").json(later).await.expect(200);
    assert_past_five_days(put(&ada, "1.0", "c.bin", "meow").await);
}

#[tokio::test]
async fn a_repository_may_have_a_window_of_its_own() {
    let (house, ada) = cat().await;
    ada.patch("/repos/ada/tools").json(json!({"version_update_max_days": 1})).await.expect(200);
    upload_published(&ada, "ada/tools/cat/1.0/1.0/a.bin", "meow").await;
    house.clock.advance(DAY);
    put(&ada, "1.0", "b.bin", "meow").await.refuses(201, "success");
    house.clock.advance(SECOND);
    assert_past(put(&ada, "1.0", "c.bin", "meow").await, "1 day", "2026-01-16");
    assert_past(ada.post("/content/ada/tools/cat/1.0/publish").await, "1 day", "2026-01-16");
    assert_past(ada.delete("/content/ada/tools/1.0/a.bin").await, "1 day", "2026-01-16");
    // A longer window extends open ones, but does not open closed ones again.
    upload_published(&ada, "ada/tools/cat/1.1/1.1/a.bin", "meow").await;
    ada.patch("/repos/ada/tools").json(json!({"version_update_max_days": 40})).await.expect(200);
    assert_past(put(&ada, "1.0", "c.bin", "meow").await, "40 days", "2026-01-16");
    house.clock.advance(40 * DAY);
    put(&ada, "1.1", "c.bin", "meow").await.refuses(201, "success");
    house.clock.advance(SECOND);
    put(&ada, "1.1", "d.bin", "meow").await.expect(403);
    ada.patch("/repos/ada/tools").json(json!({"version_update_max_days": null})).await.expect(200);
    assert_past_five_days(put(&ada, "1.0", "d.bin", "meow").await);
}

#[tokio::test]
async fn the_window_is_a_setting() {
    let house = TestHouse::start_with(&[("windows.upload_days", "2")]).await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    upload_published(&ada, "ada/tools/cat/1.0/1.0/a.bin", "meow").await;
    house.clock.advance(2 * DAY);
    put(&ada, "1.0", "b.bin", "meow").await.refuses(201, "success");
    house.clock.advance(SECOND);
    assert_past(put(&ada, "1.0", "c.bin", "meow").await, "2 days", "2026-01-17");
}
