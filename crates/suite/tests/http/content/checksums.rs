//! Checksums that are computed on request.

use std::time::Duration;

use sha2::{Digest, Sha512};
use suite::Log;

use crate::{
    cluster::together::together,
    content::{archives::tar, cat, read},
};

const COMPUTED: &str = "computed the checksums of blob ";

#[tokio::test]
async fn a_checksum_is_computed_once_however_many_ask_and_whoever_hangs_up() {
    let log = Log::listen();
    let (house, ada) = cat().await;
    let content = "0123456789abcdef".repeat(1 << 20);
    let archive = tar(&[("large.bin", content.as_str())]);
    ada.put("/content/ada/tools/cat/1.0/x.tar?explode=1&publish=1").body(archive).await.expect(201);
    let ask = || house.anyone().download("/ada/tools/large.bin.sha512");
    let gone = tokio::time::timeout(Duration::from_millis(20), ask().into_future()).await;
    let sums = together((0..12).map(|_| ask())).await;
    let expected: String = Sha512::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(sums.iter().all(|sum| sum.status == 200 && sum.text() == expected));
    assert_eq!(read(&house.anyone(), "/ada/tools/large.bin.sha512").await, expected);
    assert_eq!(log.count(COMPUTED), 1, "the first asker was gone: {}", gone.is_err());
}
