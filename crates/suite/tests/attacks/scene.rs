//! The starting points of several attacks.

use serde_json::json;
use suite::{Person, TestHouse};

/// A second of the house's clock.
pub(crate) const SECOND: i64 = 1_000;

/// A day of the house's clock.
pub(crate) const DAY: i64 = 24 * 60 * 60 * SECOND;

/// Creates `subject/repo` with the package `cat`.
pub(crate) async fn new_cat(by: &Person, repo: &str) {
    by.post(&format!("/repos/{repo}")).json(json!({})).await.expect(201);
    by.post(&format!("/packages/{repo}")).json(json!({"name": "cat"})).await.expect(201);
}

/// Starts a house with the package `ada/tools/cat`, and ada.
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

/// Creates a tar archive of one file.
pub(crate) fn tar(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut head = [0_u8; 512];
    head[..name.len()].copy_from_slice(name.as_bytes());
    head[100..108].copy_from_slice(b"0000644\0");
    head[124..136].copy_from_slice(format!("{:011o}\0", bytes.len()).as_bytes());
    head[136..148].copy_from_slice(b"00000000000\0");
    head[148..156].copy_from_slice(b"        ");
    head[156] = b'0';
    head[257..265].copy_from_slice(b"ustar\x0000");
    let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
    head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let mut archive = head.to_vec();
    archive.extend_from_slice(bytes);
    archive.resize(archive.len().next_multiple_of(512) + 1024, 0);
    archive
}
