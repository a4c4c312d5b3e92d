//! Helpers for files.

pub(crate) mod archives;
pub(crate) mod checksums;
pub(crate) mod delete_windows;
pub(crate) mod deleted_repos;
pub(crate) mod deletion;
pub(crate) mod discard;
pub(crate) mod explode;
pub(crate) mod large_deletions;
pub(crate) mod maven;
pub(crate) mod maven_checksums;
pub(crate) mod maven_indexes;
pub(crate) mod maven_rebuilds;
pub(crate) mod maven_snapshots;
pub(crate) mod maven_uploads;
pub(crate) mod publish;
pub(crate) mod publish_cost;
pub(crate) mod upload_checksums;
pub(crate) mod upload_flags;
pub(crate) mod upload_forms;
pub(crate) mod upload_limits;
pub(crate) mod upload_rules;

use serde_json::{Value, json};
use suite::{Answer, Person, TestHouse};

use crate::catalogue::{new_package, new_repo};

/// A second of the house's clock.
pub(crate) const SECOND: i64 = 1_000;

/// A day of the house's clock.
pub(crate) const DAY: i64 = 24 * 60 * 60 * SECOND;

/// The SHA-1 of `meow`.
pub(crate) const MEOW_SHA1: &str = "7d5c2a2d6136fbf166211d5183bf66214a247f31";

/// The SHA-256 of `meow`.
pub(crate) const MEOW_SHA256: &str = "404cdd7bc109c432f8cc2443b45bcfe95980f5107215c645236e577929ac3e52";

/// The MD5 of `meow`.
pub(crate) const MEOW_MD5: &str = "4a4be40c96ac6314e91d93f38043a634";

/// The SHA-1 of `purr`.
pub(crate) const PURR_SHA1: &str = "a6c7b1cd310f6895c24b43551912ca133f3018ae";

/// The setting that lets a server call private networks and its own machine.
pub(crate) const INSIDE: (&str, &str) = ("outgoing.allow_private", "true");

/// Starts a house with the package `ada/tools/cat`, and ada.
pub(crate) async fn cat() -> (TestHouse, Person) {
    cat_with(&[]).await
}

/// Starts the same on a server that may call receivers on this machine.
pub(crate) async fn cat_that_calls() -> (TestHouse, Person) {
    cat_with(&[INSIDE]).await
}

/// Starts the same with these settings.
pub(crate) async fn cat_with(changes: &[(&str, &str)]) -> (TestHouse, Person) {
    let house = TestHouse::start_with(changes).await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    (house, ada)
}

/// Uploads a file to `subject/repo/package/version/path` and leaves it unpublished.
pub(crate) async fn upload(by: &Person, path: &str, bytes: &str) {
    by.put(&format!("/content/{path}")).body(bytes.to_owned()).await.refuses(201, "success");
}

/// Uploads a file and publishes it.
pub(crate) async fn upload_published(by: &Person, path: &str, bytes: &str) {
    by.put(&format!("/content/{path}?publish=1")).body(bytes.to_owned()).await.refuses(201, "success");
}

/// Publishes the staged files of `subject/repo/package/version`, and returns the number of files in the response.
pub(crate) async fn publish(by: &Person, version: &str) -> Value {
    by.post(&format!("/content/{version}/publish")).await.expect(200).json()["files"].clone()
}

/// Discards the staged files of `subject/repo/package/version`, and returns the number of files in the response.
pub(crate) async fn discard(by: &Person, version: &str) -> Value {
    let call = by.post(&format!("/content/{version}/publish")).json(json!({"discard": true}));
    call.await.expect(200).json()["files"].clone()
}

/// Returns the content at `/subject/repo/path` of the download surface.
pub(crate) async fn read(who: &Person, path: &str) -> String {
    who.download(path).await.expect(200).text()
}

/// Returns the paths in a list of files, in alphabetical order.
pub(crate) fn paths(list: &Answer) -> Vec<String> {
    let list = list.json();
    let path = |file: &Value| file["path"].as_str().expect("a file has a path").to_owned();
    let mut paths: Vec<String> = list.as_array().expect("a list").iter().map(path).collect();
    paths.sort_unstable();
    paths
}

/// Returns the paths of all files of `subject/repo/package`, including unpublished ones.
pub(crate) async fn stored(publisher: &Person, package: &str) -> Vec<String> {
    paths(&publisher.get(&format!("/packages/{package}/files?include_unpublished=1")).await.expect(200))
}

/// Returns the paths of the published files of `subject/repo/package`.
pub(crate) async fn published(who: &Person, package: &str) -> Vec<String> {
    paths(&who.get(&format!("/packages/{package}/files")).await.expect(200))
}
