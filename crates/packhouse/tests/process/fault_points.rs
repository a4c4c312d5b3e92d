//! A process dies at each fault point of an upload, a publish and a collection; the next one finds everything intact.

use std::{collections::BTreeSet, fs, path::Path};

use suite::{Call, Person, Process, Stack};

use crate::{
    images::IMAGE,
    program::{run, run_with, start, start_with},
    shown::Shown,
    staged_images::STAGED_IMAGE,
    store::Store,
    tools::{cat, delete, read, tamper, tar, upload},
};

const UPLOAD: [&str; 5] =
    ["upload: received", "upload: announced", "upload: stored", "upload: rows written", "upload: committed"];
const PUBLISH: [&str; 2] = ["publish: rows written", "publish: committed"];
const GARBAGE: [&str; 3] = ["garbage: condemned", "garbage: removed", "garbage: forgotten"];

/// The fault points of withholding a blob; their tests are with the other tests of the scrub.
pub(crate) const SCRUB: [&str; 2] = ["scrub: damaged", "scrub: withheld"];
/// The fault points of replacing the master key; their tests are with the other tests of the rotation.
pub(crate) const ROTATE: [&str; 3] = ["rotate: key made", "rotate: committed", "rotate: old key kept"];

/// The fault points of building indexes; their tests are with the other tests of indexes.
pub(crate) const INDEXES: [&str; 5] =
    ["index: leased", "index: built", "index: sealed", "index: rows written", "index: switched"];

/// The fault point after each batch of a deletion; its test is with the other tests of deletions.
pub(crate) const DELETION: &str = "deletion: batch";

/// The fault point after each step of the deletion of a large package; its test is with the other tests of deletions.
pub(crate) const DELETION_STEP: &str = "deletion: step";

/// The fault point between a callback and its result; its test is with the other tests of webhooks.
pub(crate) const CALLBACK: &str = "webhook: sent";

const AT_ONCE: [&str; 4] = ["admin", "gc", "--grace-hours", "0"];

#[test]
fn every_place_in_the_sources_has_a_case_here() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../operations/src");
    let cases = UPLOAD
        .iter()
        .chain(&PUBLISH)
        .chain(&GARBAGE)
        .chain(&SCRUB)
        .chain(&ROTATE)
        .chain(&IMAGE)
        .chain(&STAGED_IMAGE)
        .chain(&INDEXES)
        .chain([&CALLBACK, &DELETION, &DELETION_STEP]);
    assert_eq!(places_in(&sources), cases.map(|place| (*place).to_owned()).collect::<BTreeSet<_>>());
}

fn places_in(path: &Path) -> BTreeSet<String> {
    if path.is_dir() {
        return fs::read_dir(path)
            .expect("listed")
            .flat_map(|entry| places_in(&entry.expect("listed").path()))
            .collect();
    }
    let source = fs::read_to_string(path).unwrap_or_default();
    let places = source.split("fault::point(").skip(1);
    places.map(|rest| rest.split('"').nth(1).expect("a place has a name").to_owned()).collect()
}

#[tokio::test]
async fn an_upload_that_dies_anywhere_can_be_repeated() {
    let prepare = async |_: &Person, _: &str| {};
    let request = |ada: &Person, at: &str| put(ada, at, "one.bin", "new");
    survives(&UPLOAD, prepare, request, 201).await;
}

#[tokio::test]
async fn an_upload_that_publishes_and_dies_anywhere_can_be_repeated() {
    let prepare = async |_: &Person, _: &str| {};
    let request = |ada: &Person, at: &str| put(ada, at, "one.bin?publish=1", "new");
    survives(&UPLOAD, prepare, request, 201).await;
}

#[tokio::test]
async fn an_override_that_dies_anywhere_leaves_the_old_bytes_or_the_new() {
    let prepare = async |ada: &Person, at: &str| {
        put(ada, at, "one.bin?publish=1", "old").await.expect(201);
        put(ada, at, "two.bin", "waits").await.expect(201);
    };
    let request = |ada: &Person, at: &str| put(ada, at, "one.bin?publish=1&override=1", "new");
    survives(&UPLOAD, prepare, request, 201).await;
}

#[tokio::test]
async fn an_archive_that_dies_anywhere_is_there_as_a_whole_or_not_at_all() {
    let prepare = async |_: &Person, _: &str| {};
    let request = |ada: &Person, at: &str| {
        put(ada, at, "all.tar?explode=1&publish=1", "").body(tar(&[("a", at), ("b", "same"), ("c", "same")]))
    };
    // The archive itself is not received as a blob, so it never reaches the first point.
    survives(&UPLOAD[1..], prepare, request, 201).await;
}

#[tokio::test]
async fn a_publish_that_dies_anywhere_shows_all_files_or_none() {
    let prepare = async |ada: &Person, at: &str| {
        put(ada, at, "old.bin?publish=1", "old").await.expect(201);
        put(ada, at, "old.bin?override=1", "new").await.expect(201);
        put(ada, at, "one.bin", "one").await.expect(201);
        put(ada, at, "two.bin", "two").await.expect(201);
    };
    let request = |ada: &Person, at: &str| ada.post(&format!("/content/ada/tools/cat/{at}/publish"));
    survives(&PUBLISH, prepare, request, 200).await;
}

/// Returns an upload to a version, with a path and content of its own.
fn put(ada: &Person, version: &str, file: &str, content: &str) -> Call {
    ada.put(&format!("/content/ada/tools/cat/{version}/{version}/{file}")).body(format!("{content} of {version}"))
}

/// Sends a request to a server that dies at each of these points, each time for a new version.
async fn survives(
    places: &[&str],
    prepare: impl AsyncFn(&Person, &str),
    request: impl Fn(&Person, &str) -> Call,
    success: u16,
) {
    let stack = Stack::create().await;
    let mut server = start(&stack).await;
    let key = cat(&server).await.key().to_owned();
    let mut versions = Vec::new();
    for (number, place) in places.iter().enumerate() {
        let version = format!("1.{number}");
        let ada = server.person("ada", &key);
        prepare(&ada, &version).await;
        let before = Shown::of(&server.anyone(), &ada, "cat", &version).await;
        server.kill();

        dies_at(&stack, place, |server| request(&server.person("ada", &key), &version)).await;

        server = start(&stack).await;
        let ada = server.person("ada", &key);
        let found = Shown::of(&server.anyone(), &ada, "cat", &version).await;
        versions.push(version.clone());
        is_whole(&stack, &server, &ada, &versions).await;
        request(&ada, &version).await.expect(success);
        let after = Shown::of(&server.anyone(), &ada, "cat", &version).await;
        assert_ne!(before, after, "{place}");
        assert_eq!(found, if place.ends_with("committed") { after } else { before }, "{place}");
    }
    let ada = server.person("ada", &key);
    is_whole(&stack, &server, &ada, &versions).await;
}

async fn dies_at(stack: &Stack, place: &str, request: impl Fn(&Process) -> Call) {
    let mut server = start_with(stack, &[("PACKHOUSE_TEST_FAULT", place)]).await;
    let answer = request(&server).try_send().await;
    assert!(answer.is_err(), "{place}: {answer:?}");
    assert!(!server.wait(), "{place}: it ended well");
}

/// Asserts that everything can be read, that rows and store agree, and that after a collection the store has exactly
/// the content of the files.
async fn is_whole(stack: &Stack, server: &Process, ada: &Person, versions: &[String]) {
    run(stack, &["admin", "verify"]).await.succeeds();
    run(stack, &AT_ONCE).await.succeeds();
    let mut needed = BTreeSet::new();
    for version in versions {
        let shown = Shown::of(&server.anyone(), ada, "cat", version).await.unwrap_or_default();
        shown.reads_back(&server.anyone(), ada).await;
        needed.extend(shown.digests());
    }
    assert_eq!(Store::of(stack).digests().await, needed);
    run(stack, &["admin", "verify"]).await.succeeds();
}

#[tokio::test]
async fn a_collector_that_dies_anywhere_is_finished_by_the_next() {
    for place in GARBAGE {
        let stack = Stack::create().await;
        let server = start(&stack).await;
        let ada = cat(&server).await;
        upload(&ada, "1.0/kept.bin", "meow").await;
        upload(&ada, "1.0/gone.bin", "purr").await;
        delete(&ada, "gone.bin").await;

        let died = run_with(&stack, &AT_ONCE, &[("PACKHOUSE_TEST_FAULT", place)]).await;
        assert_eq!(died.code, None, "{place}: {died:?}");
        run(&stack, &["admin", "verify"]).await.succeeds();
        pass_an_hour(&stack, place).await;
        run(&stack, &AT_ONCE).await.succeeds();

        assert_eq!(run(&stack, &AT_ONCE).await.succeeds(), "removed 0 blobs of 0 bytes", "{place}");
        is_whole(&stack, &server, &ada, &["1.0".to_owned()]).await;
        upload(&ada, "1.0/again.bin", "purr").await;
        assert_eq!((read(&ada, "again.bin").await, read(&ada, "kept.bin").await), ("purr".into(), "meow".into()));
        is_whole(&stack, &server, &ada, &["1.0".to_owned()]).await;
    }
}

/// Ages the work of the dead collector, so that none of it counts as in progress.
async fn pass_an_hour(stack: &Stack, place: &str) {
    if place != "garbage: forgotten" {
        tamper(stack, "UPDATE blobs SET loose_since = loose_since - 3600000 WHERE is_going").await;
    }
}
