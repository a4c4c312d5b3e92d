//! `packhouse admin backup` while a server is busy, and `packhouse admin restore` of the result.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use suite::{Person, Process, Stack};
use tempfile::TempDir;

use crate::{
    program::{run, run_with, start, start_with},
    store::Store,
    tools::{cat, delete, read, upload},
};

const MEOW: &str = "404cdd7bc109c432f8cc2443b45bcfe95980f5107215c645236e577929ac3e52";

/// Creates a folder for a backup.
fn folder() -> TempDir {
    tempfile::tempdir().expect("the temporary folder is writable")
}

fn text(folder: &Path) -> &str {
    folder.to_str().expect("a text")
}

/// The path and the content of every file that existed when the backup began.
type Files = BTreeMap<String, String>;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_beside_uploads_is_restored_byte_by_byte() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let ada = cat(&server).await;
    let before = upload_some(&ada, "before").await;
    let is_over = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = (0..3).map(|n| tokio::spawn(upload_until(ada.clone(), n, is_over.clone()))).collect();

    let place = folder();
    run(&stack, &["admin", "backup", text(place.path())]).await.succeeds();
    is_over.store(true, Ordering::Relaxed);
    let mut all = before.clone();
    for writer in writers {
        all.extend(writer.await.expect("the writer went well"));
    }

    let other = Stack::create().await;
    run(&other, &["admin", "restore", text(place.path())]).await.succeeds();
    fs::copy(stack.data.path().join("master.key"), other.data.path().join("master.key")).expect("copied");
    run(&other, &["admin", "verify"]).await.succeeds();
    assert_eq!(run(&other, &["admin", "check"]).await.succeeds(), "no damage found");
    let restored = start(&other).await;
    assert_same(&restored.person("ada", ada.key()), &before, &all).await;
}

/// Asserts that every file from before exists, and that every existing file has the right bytes.
async fn assert_same(ada: &Person, before: &Files, all: &Files) {
    let mut restored = 0;
    for (path, content) in all {
        let answer = ada.download(&format!("/ada/tools/{path}")).await;
        match answer.status {
            200 => assert_eq!(answer.text(), *content, "{path}"),
            status => assert!(!before.contains_key(path), "{path} is lost: {status}"),
        }
        restored += usize::from(answer.status == 200);
    }
    println!("{restored} of {} files are in the backup, {} were there before it", all.len(), before.len());
}

async fn upload_some(ada: &Person, folder: &str) -> Files {
    let mut files = Files::new();
    for number in 0..30 {
        let (path, content) = (format!("{folder}/{number}.bin"), format!("{folder} {number} ").repeat(number + 1));
        upload(ada, &format!("1.0/{path}"), &content).await;
        files.insert(path, content);
    }
    files
}

async fn upload_until(ada: Person, writer: usize, is_over: Arc<AtomicBool>) -> Files {
    let mut files = Files::new();
    for number in 0.. {
        if is_over.load(Ordering::Relaxed) {
            break;
        }
        let (path, content) = (format!("{writer}/{number}.bin"), format!("{} of {writer}", number / 2));
        upload(&ada, &format!("1.{writer}/{path}"), &content).await;
        files.insert(path, content);
    }
    files
}

#[tokio::test]
async fn a_backup_moves_a_house_to_another_engine_and_back() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let ada = cat(&server).await;
    let files = upload_some(&ada, "all").await;
    let (first, second) = (folder(), folder());
    run(&stack, &["admin", "backup", "--with-master-key", text(first.path())]).await.succeeds();

    // Embedded, on both stacks.
    let data = folder();
    let database = format!("sqlite://{}/house.db", data.path().display());
    let blobs = format!("{}/blobs", data.path().display());
    let embedded = [
        ("PACKHOUSE_DATA", text(data.path())),
        ("PACKHOUSE_DATABASE_URL", database.as_str()),
        ("PACKHOUSE_BLOBS", blobs.as_str()),
    ];
    run_with(&stack, &["admin", "restore", text(first.path())], &embedded).await.succeeds();
    let server = start_with(&stack, &embedded).await;
    assert_same(&server.person("ada", ada.key()), &files, &files).await;
    run_with(&stack, &["admin", "backup", "--with-master-key", text(second.path())], &embedded).await.succeeds();

    let other = Stack::create().await;
    run(&other, &["admin", "restore", text(second.path())]).await.succeeds();
    let server = start(&other).await;
    assert_same(&server.person("ada", ada.key()), &files, &files).await;
    run(&other, &["admin", "verify"]).await.succeeds();
}

#[tokio::test]
async fn content_folders_of_an_earlier_version_keep_their_layout() {
    let stack = Stack::create().await;
    let (data, place) = (folder(), folder());
    let (database, blobs) = (format!("sqlite://{}/house.db", data.path().display()), data.path().join("blobs"));
    let old = [
        ("PACKHOUSE_DATA", text(data.path())),
        ("PACKHOUSE_DATABASE_URL", database.as_str()),
        ("PACKHOUSE_BLOBS", text(&blobs)),
    ];
    for root in [blobs.as_path(), place.path()] {
        fs::create_dir_all(root.join("sha256/ab/cd")).expect("created");
    }
    let server = start_with(&stack, &old).await;
    let ada = cat(&server).await;
    upload(&ada, "1.0/one.bin", "meow").await;
    run_with(&stack, &["admin", "verify"], &old).await.succeeds();
    run_with(&stack, &["admin", "backup", "--with-master-key", text(place.path())], &old).await.succeeds();
    for root in [blobs.as_path(), place.path()] {
        assert!(root.join(format!("sha256/40/4c/{MEOW}")).is_file());
        assert!(!root.join("layout").exists());
    }

    fs::remove_file(blobs.join(format!("sha256/40/4c/{MEOW}"))).expect("removed");
    let lost = run_with(&stack, &["admin", "verify"], &old).await;
    assert_eq!(lost.stdout.lines().next(), Some(format!("missing {MEOW} ada/tools/one.bin").as_str()));
    let other = Stack::create().await;
    run(&other, &["admin", "restore", text(place.path())]).await.succeeds();
    assert_eq!(read(&start(&other).await.person("ada", ada.key()), "one.bin").await, "meow");
}

#[tokio::test]
async fn a_second_backup_copies_what_is_new() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let ada = cat(&server).await;
    upload(&ada, "1.0/one.bin", "meow").await;
    let place = folder();
    let first = run(&stack, &["admin", "backup", text(place.path())]).await;
    assert!(first.stderr.contains("the master key is NOT in the backup"), "{first:?}");
    assert_eq!(first.succeeds().lines().last(), Some("copied 1 blobs of 4 bytes"));
    assert!(!place.path().join("master.key").exists());

    upload(&ada, "1.0/two.bin", "purring").await;
    delete(&ada, "one.bin").await;
    let second = run(&stack, &["admin", "backup", "--with-master-key", text(place.path())]).await.succeeds();

    assert_eq!(second.lines().last(), Some("copied 1 blobs of 7 bytes"));
    let databases = fs::read_dir(place.path()).expect("listed").filter_map(Result::ok);
    let databases = databases.filter(|entry| entry.file_name().to_string_lossy().ends_with(".db")).count();
    assert_eq!(databases, 1, "the older rows are gone");
    let mode = |name: &str| fs::metadata(place.path().join(name)).expect("it exists").permissions().mode() & 0o777;
    assert_eq!((mode("master.key"), mode("manifest.json"), mode("sha256")), (0o600, 0o600, 0o700));

    let other = Stack::create().await;
    run(&other, &["admin", "restore", text(place.path())]).await.succeeds();
    let restored = start(&other).await;
    let ada = restored.person("ada", ada.key());
    assert_eq!(read(&ada, "two.bin").await, "purring");
    ada.download("/ada/tools/one.bin").await.expect(404);
}

#[tokio::test]
async fn a_backup_of_damaged_content_fails_and_says_which() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let ada = cat(&server).await;
    upload(&ada, "1.0/one.bin", "meow").await;
    upload(&ada, "1.0/two.bin", "purr").await;
    Store::of(&stack).remove(MEOW).await;
    let place = folder();

    let failed = run(&stack, &["admin", "backup", text(place.path())]).await;

    assert_eq!(failed.code, Some(1), "{failed:?}");
    assert_eq!(failed.stdout, format!("missing {MEOW} ada/tools/one.bin\n"));
    assert!(!place.path().join("manifest.json").exists());
    let refused = run(&Stack::create().await, &["admin", "restore", text(place.path())]).await.fails();
    assert!(refused.ends_with("is not a backup: it has no manifest.json"), "{refused}");
}

#[tokio::test]
async fn a_restore_is_for_an_empty_place_and_a_whole_backup() {
    let stack = Stack::create().await;
    let server = start(&stack).await;
    let ada = cat(&server).await;
    upload(&ada, "1.0/one.bin", "meow").await;
    let place = folder();
    run(&stack, &["admin", "backup", text(place.path())]).await.succeeds();
    let restore = ["admin", "restore", text(place.path())];

    assert_refused(&server, &stack, &restore).await;
    let used = Stack::create().await;
    run(&used, &["admin", "user", "create", "eve", "--init"]).await.succeeds();
    let refused = run(&used, &restore).await.fails();
    assert!(refused.contains("master key of this backup") || refused.contains("not empty"), "{refused}");

    let other = Stack::create().await;
    Store::Folder(place.path().to_owned()).put(MEOW, "woof").await;
    let damaged = run(&other, &restore).await;
    assert_eq!(damaged.code, Some(1), "{damaged:?}");
    assert!(damaged.stdout.starts_with(&format!("damaged {MEOW} ada/tools/one.bin: ")), "{damaged:?}");
    Store::Folder(place.path().to_owned()).put(MEOW, "meow").await;
    run(&other, &restore).await.succeeds();
}

async fn assert_refused(server: &Process, stack: &Stack, restore: &[&str]) {
    let refused = run(stack, restore).await.fails();
    assert!(refused.contains("in use") || refused.contains("not empty"), "{refused}");
    server.admin().get("/users/ada").await.expect(200);
}
