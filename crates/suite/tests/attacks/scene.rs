//! What several attacks begin with.

use serde_json::json;
use suite::{Person, TestHouse};

/// A second of the house's clock.
pub(crate) const SECOND: i64 = 1_000;

/// A day of the house's clock.
pub(crate) const DAY: i64 = 24 * 60 * 60 * SECOND;

/// Makes `subject/repo` with the package `cat`.
pub(crate) async fn new_cat(by: &Person, repo: &str) {
    by.post(&format!("/repos/{repo}")).json(json!({})).await.expect(201);
    by.post(&format!("/packages/{repo}")).json(json!({"name": "cat"})).await.expect(201);
}

/// A house with the package `ada/tools/cat`, and ada.
pub(crate) async fn cat() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_cat(&ada, "ada/tools").await;
    (house, ada)
}

/// Publishes a file at `subject/repo/package/version/path`.
pub(crate) async fn publish(by: &Person, path: &str, bytes: impl Into<String>) {
    by.put(&format!("/content/{path}?publish=1")).body(bytes.into()).await.refuses(201, "success");
}
