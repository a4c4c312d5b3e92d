//! `packhouse admin scrub`: damaged content is listed, withheld and repaired, even if the command is killed.

use std::fs;

use suite::Stack;

use crate::{
    fault_points::SCRUB,
    program::{run, run_with, start},
    tools::{cat, read, upload},
};

/// The SHA-256 of `meow`.
const MEOW: &str = "404cdd7bc109c432f8cc2443b45bcfe95980f5107215c645236e577929ac3e52";

#[tokio::test]
async fn damage_is_listed_with_its_files_and_healed_from_a_backup() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let ada = cat(&server).await;
    upload(&ada, "1.0/cat.bin", "meow").await;
    let backup = tempfile::tempdir().expect("a folder");
    let place = backup.path().to_str().expect("text");
    run(&stack, &["admin", "backup", place]).await.succeeds();
    assert_eq!(
        run(&stack, &["admin", "scrub", "--now"]).await.succeeds().lines().next(),
        Some("read 1 blobs of 4 bytes")
    );

    fs::write(stack.blob_file(MEOW), "miao").expect("writable");
    let found = run(&stack, &["admin", "scrub", "--now"]).await;
    assert_eq!(found.code, Some(1), "{found:?}");
    assert!(found.stdout.contains(&format!("damaged {MEOW} ada/tools/cat.bin: its SHA-256 is ")), "{found:?}");
    ada.download("/ada/tools/cat.bin").await.expect(503);
    assert_eq!(run(&stack, &["admin", "scrub"]).await.code, Some(1), "it stays damaged");

    let healed = run(&stack, &["admin", "scrub", "--heal-from", place]).await.succeeds();
    assert!(healed.starts_with(&format!("healed {MEOW}")), "{healed}");
    assert_eq!(read(&ada, "cat.bin").await, "meow");
}

#[tokio::test]
async fn a_scrub_that_dies_anywhere_is_made_again() {
    for place in SCRUB {
        let stack = Stack::create().await;
        let server = start(&stack).await;
        let ada = cat(&server).await;
        upload(&ada, "1.0/cat.bin", "meow").await;
        fs::remove_file(stack.blob_file(MEOW)).expect("removed");
        let died = run_with(&stack, &["admin", "scrub", "--now"], &[("PACKHOUSE_TEST_FAULT", place)]).await;
        assert_eq!(died.code, None, "{place}: {died:?}");
        let found = run(&stack, &["admin", "scrub", "--now"]).await;
        assert!(found.stdout.contains(&format!("damaged {MEOW} ada/tools/cat.bin: it is missing")), "{found:?}");
        ada.download("/ada/tools/cat.bin").await.expect(503);
        upload(&ada, "1.0/cat.bin", "meow").await;
        assert_eq!(read(&ada, "cat.bin").await, "meow");
        run(&stack, &["admin", "scrub"]).await.succeeds();
    }
}
