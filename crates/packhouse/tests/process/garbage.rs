//! `packhouse admin gc` while a server accepts uploads.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use suite::{Person, Stack, rounds};
use tokio::task::JoinSet;

use crate::{
    program::{run, start},
    tools::{cat, delete, read, upload},
};

const AT_ONCE: [&str; 4] = ["admin", "gc", "--grace-hours", "0"];

#[tokio::test]
async fn a_dry_run_says_what_the_run_does() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let ada = cat(&server).await;
    upload(&ada, "1.0/kept.bin", "meow").await;
    for number in 0..20 {
        upload(&ada, &format!("1.0/{number}.bin"), &"x".repeat(number + 1)).await;
        delete(&ada, &format!("{number}.bin")).await;
    }

    let by_default = run(&stack, &["admin", "gc", "--dry-run"]).await.succeeds();
    insta::assert_snapshot!(by_default, @r"
    would remove 0 blobs of 0 bytes
    20 blobs of 210 bytes wait until they have been unreferenced for 24 hours
    ");
    let said = run(&stack, &["admin", "gc", "--grace-hours", "0", "--dry-run"]).await.succeeds();
    insta::assert_snapshot!(said, @"would remove 20 blobs of 210 bytes");
    assert_eq!(run(&stack, &AT_ONCE).await.succeeds(), said.replace("would remove", "removed"));
    insta::assert_snapshot!(run(&stack, &AT_ONCE).await.succeeds(), @"removed 0 blobs of 0 bytes");
    assert_eq!(read(&ada, "kept.bin").await, "meow");
    insta::assert_snapshot!(run(&stack, &["admin", "verify"]).await.succeeds(), @"checked 1 blobs of 4 bytes");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uploads_that_cross_a_collector_keep_what_was_acknowledged() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let ada = cat(&server).await;
    let is_over = Arc::new(AtomicBool::new(false));
    let writers: JoinSet<_> = (0..4).map(|writer| come_and_go(ada.clone(), writer, is_over.clone())).collect();

    let (mut runs, mut removed, enough) = (0, 0, rounds(30, 300));
    // On a busy machine uploads are slow, and each run has less to remove.
    while runs < enough || removed <= enough && runs < 10 * enough {
        removed += removed_blobs(&run(&stack, &AT_ONCE).await.succeeds());
        runs += 1;
    }
    is_over.store(true, Ordering::Relaxed);
    let written = writers.join_all().await;

    assert!(removed > enough, "{runs} runs removed only {removed} blobs");
    for (path, content) in written.iter().flat_map(|written| &written.kept) {
        assert_eq!(read(&ada, path).await, *content, "{path}");
    }
    run(&stack, &["admin", "verify"]).await.succeeds();
    let sum = |count: fn(&Written) -> usize| written.iter().map(count).sum::<usize>();
    let (uploads, refused) = (sum(|written| written.uploads), sum(|written| written.refused));
    println!("{runs} runs removed {removed} blobs; of {uploads} uploads {refused} were asked to come again");
}

/// One in this many uploads is not deleted.
const KEPT_EVERY: usize = 10;

/// The files that one writer knows to exist, by path, and its counts.
#[derive(Default)]
struct Written {
    kept: BTreeMap<String, String>,
    uploads: usize,
    refused: usize,
}

/// Uploads the same few contents as the other writers, repeatedly, and deletes most of them at once.
async fn come_and_go(ada: Person, writer: usize, is_over: Arc<AtomicBool>) -> Written {
    let mut written = Written::default();
    while !is_over.load(Ordering::Relaxed) {
        written.uploads += 1;
        let is_kept = written.uploads.is_multiple_of(KEPT_EVERY);
        let content =
            if is_kept { format!("kept {}", written.uploads % 40) } else { format!("passing {}", written.uploads % 3) };
        let path = format!("{writer}/{}.bin", written.uploads);
        written.refused += put_until_taken(&ada, &path, &content).await;
        assert_eq!(read(&ada, &path).await, content, "{path} was acknowledged");
        if is_kept { drop(written.kept.insert(path, content)) } else { delete(&ada, &path).await }
    }
    written
}

/// Uploads, and retries while the same content is being removed; returns the number of retries.
async fn put_until_taken(ada: &Person, path: &str, content: &str) -> usize {
    for attempt in 0..100 {
        let answer = ada.put(&format!("/content/ada/tools/cat/1.0/{path}")).body(content.to_owned()).await;
        match answer.status {
            201 => return attempt,
            503 => tokio::time::sleep(Duration::from_millis(20)).await,
            other => panic!("{other}: {}", answer.text()),
        }
    }
    panic!("{path} is not taken");
}

fn removed_blobs(line: &str) -> u64 {
    line.split(' ').nth(1).and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("no count: {line}"))
}
