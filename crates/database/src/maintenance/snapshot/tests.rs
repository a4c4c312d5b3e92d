//! Copies of all rows, from and to the engine that the run uses.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use model::{id::BlobId, timestamp::Timestamp};
use rusqlite::Connection;

use crate::{
    Database, Options, Result, ScopedFutureExt,
    engine::{
        meta, migrations,
        statement::{Statement, sql},
    },
    maintenance::snapshot::{Snapshot, open, texts},
    testing::scratch::Scratch,
};

/// Values of every type, including unusual ones.
const ROWS: &str = "
    INSERT INTO subjects (id, kind, name, folded_name, full_name, email, plan, is_site_admin, registered)
    VALUES (1, 'user', 'ada', 'ada', 'Ada ''L.'' Ünï', NULL, 'free', TRUE, 9223372036854775807),
        (2, 'org', 'acme', 'acme', '', 'a@b.example', 'free', FALSE, -1);
    INSERT INTO members (org_id, user_id, role) VALUES (2, 1, 'owner');
    INSERT INTO repos (id, owner_id, name, folded_name, type, is_private, description, folded_description, labels,
        gpg_sign_metadata, gpg_sign_files, gpg_use_owner_key, package_count, created)
    VALUES (1, 1, 'tools', 'tools', 'generic', TRUE, '', '', 'a
b', FALSE, TRUE, FALSE, 1, 0);
    INSERT INTO packages (id, repo_id, name, folded_name, description, folded_description, labels, licenses,
        custom_licenses, public_download_numbers, rating_sum, rating_count, followers_count, last_ordinal, created, updated)
    VALUES (1, 1, 'cat', 'cat', '', '', '', '', '', FALSE, 0, 0, 0, 1, 0, 0);
    INSERT INTO versions (id, package_id, name, description, labels, github_use_tag_release_notes, published_files,
        ordinal, created, updated)
    VALUES (1, 1, '1.0', '', '', FALSE, 0, 1, 0, 0);
    INSERT INTO attributes (object_id, name, package_id, position, kind, content) VALUES (1, 'n', 1, 0, 'number', '0.1');
    INSERT INTO attribute_values (object_id, name, key, scope_id, is_array, number, moment)
    VALUES (1, 'n', 'tenth', 1, FALSE, 0.1, NULL), (1, 'n', 'huge', 1, TRUE, 1e300, 5);
    INSERT INTO blobs (id, sha256, sha1, size, loose_since, is_going)
    VALUES (1, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 's', 10, NULL, FALSE),
        (2, 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 's', 20, 5, FALSE),
        (3, 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 's', 30, 0, TRUE),
        (4, 'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd', 's', 40, NULL, FALSE);
    INSERT INTO download_log_parts (id, package_id, day, blob_id, last_second) VALUES (1, 1, 0, 4, 0);
    INSERT INTO files (id, repo_id, package_id, version_id, path, folded_name, staged_blob_id, is_listed, created)
    VALUES (1, 1, 1, 1, 'cat/1.0/cat.tar', 'cat.tar', 1, FALSE, 0);
    UPDATE audit_head SET seq = 7, hash = 'seven' WHERE id = 1;";

async fn migrated(scratch: &Scratch) -> Database {
    let db = scratch.open().await;
    db.migrate(Timestamp::EPOCH).await.expect("a fresh database takes the schema");
    db
}

async fn batch(db: &Database, sql: &str) {
    let written: Result<()> = db.write(|tx| tx.batch(sql).scope_boxed()).await;
    written.expect("it runs");
}

fn folder(scratch: &Scratch) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("packhouse-snapshot-{}", scratch.name));
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    folder
}

async fn embedded(path: &Path) -> Database {
    let options = Options { connections: 1, ..Options::default() };
    let db = Database::open(&format!("sqlite://{}", path.display()), &options).await.expect("it opens");
    db.migrate(Timestamp::EPOCH).await.expect("migrated");
    db
}

#[tokio::test]
async fn what_a_snapshot_has_fills_either_engine() {
    let (source, target) = (Scratch::create().await, Scratch::create().await);
    let (db, folder) = (migrated(&source).await, folder(&source));
    batch(&db, ROWS).await;

    let first = db.take_snapshot(&folder.join("first.db")).await.expect("taken");
    let same = migrated(&target).await;
    same.fill(&first).await.expect("filled");
    let file = embedded(&folder.join("embedded.db")).await;
    file.fill(&first).await.expect("filled");

    let from_same = same.take_snapshot(&folder.join("same.db")).await.expect("taken");
    let from_file = file.take_snapshot(&folder.join("file.db")).await.expect("taken");
    assert_eq!(first.find_difference(&from_same).await.expect("compared"), None);
    assert_eq!(first.find_difference(&from_file).await.expect("compared"), None);
    let counts = first.count_rows().await.expect("counted");
    assert_eq!((counts["subjects"], counts["attribute_values"], counts["files"]), (2, 2, 1));
    assert_eq!(first.find_damage().await.expect("checked"), Vec::<String>::new());
    let found: Vec<i64> = file
        .all(sql!("SELECT rowid FROM files_search WHERE files_search MATCH '\"cat\"' ORDER BY rowid"))
        .await
        .expect("searched");
    assert_eq!(found, [1], "the search index follows the rows");
    std::fs::remove_dir_all(folder).expect("removed");
}

#[tokio::test]
async fn unfinished_pushes_stay_behind_because_backups_have_no_content_of_them() {
    let (source, target) = (Scratch::create().await, Scratch::create().await);
    let (db, folder) = (migrated(&source).await, folder(&source));
    batch(&db, ROWS).await;
    batch(&db, "INSERT INTO held_blobs (repo_id, image, blob_id, at) VALUES (1, 'app', 2, 0)").await;
    let snapshot = db.take_snapshot(&folder.join("a.db")).await.expect("taken");
    let filled = migrated(&target).await;
    filled.fill(&snapshot).await.expect("filled");
    let held = || sql!("SELECT blob_id FROM held_blobs WHERE blob_id = $1", 2);
    assert_eq!(db.all::<i64>(held()).await.expect("read"), [2]);
    assert_eq!(filled.all::<i64>(held()).await.expect("read"), Vec::<i64>::new());
    std::fs::remove_dir_all(folder).expect("removed");
}

#[tokio::test]
async fn a_snapshot_knows_what_its_files_have() {
    let scratch = Scratch::create().await;
    let (db, folder) = (migrated(&scratch).await, folder(&scratch));
    batch(&db, ROWS).await;
    let snapshot = db.take_snapshot(&folder.join("a.db")).await.expect("taken");
    let used = snapshot.list_used(BlobId::NONE, 10).await.expect("listed");
    assert_eq!(used.iter().map(|blob| (blob.id.get(), blob.size)).collect::<Vec<_>>(), [(1, 10), (4, 40)]);
    assert_eq!(snapshot.list_used(BlobId::new(1), 10).await.expect("listed"), used[1..]);
    assert_eq!(snapshot.list_used(BlobId::new(4), 10).await.expect("listed"), []);
    let both = vec![used[0].sha256, used[1].sha256];
    assert_eq!(snapshot.find_unused(both).await.expect("asked"), None);
    let loose = "b".repeat(64).parse().expect("a digest");
    assert_eq!(snapshot.find_unused(vec![used[0].sha256, loose]).await.expect("asked"), Some(loose));
    assert_eq!(snapshot.list_users(BlobId::new(1)).await.expect("listed"), ["ada/tools/cat/1.0/cat.tar"]);
    assert_eq!(snapshot.list_users(BlobId::new(4)).await.expect("listed"), ["log of ada/tools/cat"]);
    assert_eq!(snapshot.schema().await.expect("read"), migrations::latest());
    assert!(db.take_snapshot(snapshot.path()).await.is_err(), "a snapshot replaces nothing");
    std::fs::remove_dir_all(folder).expect("removed");
}

#[tokio::test]
async fn two_snapshots_differ_in_a_row_that_one_has_and_in_a_value_that_both_have() {
    let scratch = Scratch::create().await;
    let (db, folder) = (migrated(&scratch).await, folder(&scratch));
    batch(&db, ROWS).await;
    let first = db.take_snapshot(&folder.join("first.db")).await.expect("taken");
    batch(&db, "INSERT INTO meta (key, value) VALUES ('colour', 'green')").await;
    let second = db.take_snapshot(&folder.join("second.db")).await.expect("taken");
    batch(&db, "UPDATE meta SET value = 'red' WHERE key = 'colour'").await;
    let third = db.take_snapshot(&folder.join("third.db")).await.expect("taken");
    assert_eq!(first.find_difference(&second).await.expect("compared").as_deref(), Some("meta"));
    assert_eq!(second.find_difference(&first).await.expect("compared").as_deref(), Some("meta"));
    assert_eq!(second.find_difference(&third).await.expect("compared").as_deref(), Some("meta"));
    std::fs::remove_dir_all(folder).expect("removed");
}

#[tokio::test]
async fn a_snapshot_shows_one_moment() {
    let scratch = Scratch::create().await;
    let (db, folder) = (migrated(&scratch).await, folder(&scratch));
    let is_over = Arc::new(AtomicBool::new(false));
    let writer = tokio::spawn(write_pairs(db.clone(), is_over.clone()));
    let mut sizes = Vec::new();
    for number in 0..5 {
        let snapshot = db.take_snapshot(&folder.join(format!("{number}.db"))).await.expect("taken");
        let connection = open(snapshot.path()).expect("it opens");
        let odd = "SELECT value FROM meta WHERE key LIKE 'pair%' GROUP BY value HAVING COUNT(*) <> 2";
        assert_eq!(texts(&connection, odd, []).expect("read"), Vec::<String>::new());
        sizes.push(snapshot.count_rows().await.expect("counted")["meta"]);
    }
    is_over.store(true, Ordering::Relaxed);
    writer.await.expect("it went well");
    assert!(sizes[4] > sizes[0], "nobody wrote meanwhile: {sizes:?}");
    std::fs::remove_dir_all(folder).expect("removed");
}

/// Writes two rows at a time until `is_over` is set.
async fn write_pairs(db: Database, is_over: Arc<AtomicBool>) {
    let mut number: u32 = 0;
    while !is_over.load(Ordering::Relaxed) {
        number += 1;
        let (left, right, value) = (format!("pair left {number}"), format!("pair right {number}"), number.to_string());
        let (left, right, value) = (&left, &right, &value);
        let written: Result<()> = db
            .write(|tx| {
                async move {
                    meta::insert(tx, left, value).await?;
                    meta::insert(tx, right, value).await
                }
                .scope_boxed()
            })
            .await;
        written.expect("written");
    }
}

#[tokio::test]
async fn a_database_is_unused_until_somebody_writes() {
    let scratch = Scratch::create().await;
    let db = scratch.open().await;
    assert!(db.is_unused().await.expect("asked"));
    db.migrate(Timestamp::EPOCH).await.expect("migrated");
    assert!(db.is_unused().await.expect("asked"));
    let written: Result<()> = db.write(|tx| meta::insert(tx, "colour", "green").scope_boxed()).await;
    written.expect("written");
    assert!(!db.is_unused().await.expect("asked"));
}

#[tokio::test]
async fn every_table_of_the_engine_is_copied_except_those_of_unfinished_pushes() {
    let scratch = Scratch::create().await;
    let (db, folder) = (migrated(&scratch).await, folder(&scratch));
    let names = db.per_engine(
        // The queue of a search index is not copied, because the index is rebuilt.
        "SELECT name FROM pragma_table_list
         WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'unlearned_files'
         ORDER BY name",
        // A trigger fills the table of updates, which SQLite does not need.
        "SELECT table_name::text FROM information_schema.tables
         WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND table_name <> 'package_updates'
         ORDER BY table_name COLLATE \"C\"",
    );
    let mut names: Vec<String> = db.all(Statement::new(names, Vec::new())).await.expect("listed");
    names.retain(|name| !["uploads", "held_blobs", "staged_manifests", "staged_blobs"].contains(&name.as_str()));
    let snapshot = db.take_snapshot(&folder.join("a.db")).await.expect("taken");
    let copied: Vec<String> = snapshot.count_rows().await.expect("counted").into_keys().collect();
    assert_eq!(copied, names);
    std::fs::remove_dir_all(folder).expect("removed");
}

#[tokio::test]
async fn an_older_snapshot_is_brought_up_to_date() {
    let scratch = Scratch::create().await;
    let (db, folder) = (migrated(&scratch).await, folder(&scratch));
    let newest = db.take_snapshot(&folder.join("newest.db")).await.expect("taken");
    let path = folder.join("older.db");
    let connection = Connection::open(&path).expect("it opens");
    migrations::create(&connection, 2).expect("made");
    connection.execute("ATTACH ?1 AS newest", [newest.path().to_string_lossy()]).expect("attached");
    let steps = "INSERT INTO migrations SELECT * FROM newest.migrations WHERE version <= 2;
        INSERT INTO meta (key, value) VALUES ('colour', 'green')";
    connection.execute_batch(steps).expect("filled");

    let older = Snapshot::at(path);
    let refused = db.fill(&older).await.expect_err("it is refused");
    assert_eq!(refused.to_string(), "the snapshot has another schema than this packhouse");
    let upgraded = older.upgraded(&folder.join("upgraded.db"), Timestamp::EPOCH).await.expect("upgraded");

    assert_eq!(
        (older.schema().await.expect("read"), upgraded.schema().await.expect("read")),
        (2, migrations::latest())
    );
    db.fill(&upgraded).await.expect("filled");
    assert_eq!(meta::find(&db, "colour").await.expect("read").as_deref(), Some("green"));
    std::fs::remove_dir_all(folder).expect("removed");
}
