//! Tests of unreferenced content, on the engine that the run uses.

use std::time::Duration;

use model::{blob::BlobTotals, id::BlobId, timestamp::Timestamp};

use crate::{
    CollectorLock, Database, Result, ScopedFutureExt,
    content::blobs,
    engine::statement::sql,
    maintenance::garbage::{self, MarkBatch, MarkedBlob, SweepCursor},
    testing::scratch::Scratch,
};

/// A subject, a repository, a package and a version to contain files, each with the id 1.
const VERSION: &str = "
    INSERT INTO subjects (id, kind, name, folded_name, full_name, plan, is_site_admin, registered)
    VALUES (1, 'user', 'ada', 'ada', '', 'free', FALSE, 0);
    INSERT INTO repos (id, owner_id, name, folded_name, type, is_private, description, folded_description, labels,
        gpg_sign_metadata, gpg_sign_files, gpg_use_owner_key, package_count, created)
    VALUES (1, 1, 'tools', 'tools', 'generic', FALSE, '', '', '', FALSE, FALSE, FALSE, 1, 0);
    INSERT INTO packages (id, repo_id, name, folded_name, description, folded_description, labels, licenses,
        custom_licenses, public_download_numbers, rating_sum, rating_count, followers_count, last_ordinal, created, updated)
    VALUES (1, 1, 'cat', 'cat', '', '', '', '', '', FALSE, 0, 0, 0, 1, 0, 0);
    INSERT INTO versions (id, package_id, name, description, labels, github_use_tag_release_notes, published_files,
        ordinal, created, updated)
    VALUES (1, 1, '1.0', '', '', FALSE, 0, 1, 0, 0);";

async fn house() -> (Scratch, Database) {
    let scratch = Scratch::create().await;
    let db = scratch.open().await;
    db.migrate(Timestamp::EPOCH).await.expect("a fresh database takes the schema");
    batch(&db, VERSION).await;
    (scratch, db)
}

async fn batch(db: &Database, sql: &str) {
    let written: Result<()> = db.write(|tx| tx.batch(sql).scope_boxed()).await;
    written.expect("it runs");
}

/// Adds content whose size is its id.
async fn insert(db: &Database, id: i64, loose_since: &str) {
    let values = format!("({id}, '{id:064x}', 'sum', {id}, {loose_since}, FALSE)");
    batch(db, &format!("INSERT INTO blobs (id, sha256, sha1, size, loose_since, is_going) VALUES {values}")).await;
}

/// Returns a statement that adds a file whose path is its id.
fn file(id: i64, column: &str, blob_id: i64) -> String {
    format!(
        "INSERT INTO files (id, repo_id, package_id, version_id, path, folded_name, {column}, is_listed, created)
         VALUES ({id}, 1, 1, 1, '{id}', '{id}', {blob_id}, FALSE, 0)"
    )
}

async fn date(db: &Database, now: i64) -> usize {
    let dated: Result<usize> = db.write(|tx| garbage::date(tx, Timestamp::from_millis(now), 100).scope_boxed()).await;
    dated.expect("dated")
}

async fn mark(db: &Database, after: SweepCursor, until: i64, limit: i64) -> MarkBatch {
    let (until, now) = (Timestamp::from_millis(until), Timestamp::from_millis(1_000));
    let decided: Result<MarkBatch> = db.write(|tx| garbage::mark(tx, after, until, now, limit).scope_boxed()).await;
    decided.expect("decided")
}

async fn delete_removed(db: &Database, id: i64) {
    let forgotten: Result<()> = db.write(|tx| garbage::delete_removed(tx, BlobId::new(id)).scope_boxed()).await;
    forgotten.expect("forgotten");
}

/// Returns the id, the date and the mark of all content.
async fn rows(db: &Database) -> Vec<String> {
    db.all(sql!(
        "SELECT CAST(id AS TEXT) || ' ' || COALESCE(CAST(loose_since AS TEXT), 'kept')
             || CASE WHEN is_going THEN ' going' ELSE '' END
         FROM blobs
         ORDER BY id"
    ))
    .await
    .expect("read")
}

#[tokio::test]
async fn what_is_not_dated_or_dated_in_the_future_is_dated_now() {
    let (_scratch, db) = house().await;
    insert(&db, 1, "0").await;
    insert(&db, 2, "500").await;
    insert(&db, 3, "1001").await;
    insert(&db, 4, "NULL").await;
    assert_eq!(date(&db, 1_000).await, 2);
    assert_eq!(rows(&db).await, ["1 1000", "2 500", "3 1000", "4 kept"]);
    assert_eq!(date(&db, 1_000).await, 0);
}

#[tokio::test]
async fn what_is_loose_for_long_goes_unless_a_file_has_it() {
    let (_scratch, db) = house().await;
    for id in 1..=5 {
        insert(&db, id, &(id * 100).to_string()).await;
    }
    insert(&db, 6, "0").await;
    batch(&db, &file(7, "published_blob_id", 2)).await;
    batch(&db, &file(8, "staged_blob_id", 3)).await;
    let decided = mark(&db, SweepCursor::START, 400, 100).await;
    assert_eq!(decided.marked.iter().map(|blob| (blob.id.get(), blob.size)).collect::<Vec<_>>(), [(1, 1), (4, 4)]);
    assert_eq!(rows(&db).await, ["1 1000 going", "2 kept", "3 kept", "4 1000 going", "5 500", "6 0"]);
    assert_eq!(garbage::list_marked(&db, BlobId::NONE, 100).await.expect("listed"), decided.marked);
    let end = mark(&db, decided.next.expect("a place"), 400, 100).await;
    assert_eq!(end, MarkBatch { marked: Vec::new(), next: None });
}

#[tokio::test]
async fn batches_follow_each_other() {
    let (_scratch, db) = house().await;
    for id in 1..=5 {
        insert(&db, id, "100").await;
    }
    let (mut seen, mut place) = (Vec::new(), Some(SweepCursor::START));
    while let Some(after) = place {
        let decided = mark(&db, after, 100, 2).await;
        seen.push(decided.marked.len());
        place = decided.next;
    }
    assert_eq!(seen, [2, 2, 1, 0]);
}

#[tokio::test]
async fn what_is_about_to_go_cannot_be_taken_up() {
    let (_scratch, db) = house().await;
    insert(&db, 1, "100").await;
    mark(&db, SweepCursor::START, 100, 10).await;
    let kept: Result<bool> = db.write(|tx| blobs::mark_used(tx, BlobId::new(1), None).scope_boxed()).await;
    assert!(!kept.expect("answered"));
    delete_removed(&db, 1).await;
    assert_eq!(rows(&db).await, Vec::<String>::new());
}

#[tokio::test]
async fn what_the_store_keeps_is_loose_again() {
    let (_scratch, db) = house().await;
    insert(&db, 1, "100").await;
    mark(&db, SweepCursor::START, 100, 10).await;
    let orphan =
        MarkedBlob { id: BlobId::new(2), sha256: "a".repeat(64).parse().expect("a digest"), size: 3, since: at(50) };
    let marked: Result<bool> = db.write(|tx| garbage::mark_orphan(tx, orphan).scope_boxed()).await;
    assert!(marked.expect("marked"));
    assert_eq!(garbage::count_marked(&db).await.expect("counted"), BlobTotals { blobs: 2, bytes: 4 });
    let spared: Result<()> = db
        .write(|tx| {
            async move {
                garbage::spare(tx, BlobId::new(1), at(2_000)).await?;
                garbage::spare(tx, BlobId::new(2), at(2_000)).await
            }
            .scope_boxed()
        })
        .await;
    spared.expect("spared");
    assert_eq!(rows(&db).await, ["1 2000"]);
}

#[tokio::test]
async fn a_spared_layer_without_a_sha1_keeps_its_row() {
    let (_scratch, db) = house().await;
    insert(&db, 1, "100").await;
    batch(&db, "UPDATE blobs SET sha1 = '', sums_on_request = TRUE WHERE id = 1").await;
    assert_eq!(mark(&db, SweepCursor::START, 1_000, 10).await.marked.len(), 1);
    let spared: Result<()> = db.write(|tx| garbage::spare(tx, BlobId::new(1), at(2_000)).scope_boxed()).await;
    spared.expect("spared");
    assert_eq!(rows(&db).await, ["1 2000"]);
}

#[tokio::test]
async fn content_with_a_row_is_no_orphan() {
    let (_scratch, db) = house().await;
    insert(&db, 1, "NULL").await;
    let orphan = MarkedBlob {
        id: BlobId::new(2),
        sha256: format!("{:064x}", 1).parse().expect("a digest"),
        size: 1,
        since: at(50),
    };
    let marked: Result<bool> = db.write(|tx| garbage::mark_orphan(tx, orphan).scope_boxed()).await;
    assert!(!marked.expect("answered"));
    assert_eq!(rows(&db).await, ["1 kept"]);
}

#[tokio::test]
async fn what_would_go_is_counted() {
    let (_scratch, db) = house().await;
    for id in 1..=5 {
        insert(&db, id, &(id * 100).to_string()).await;
    }
    batch(&db, &file(7, "published_blob_id", 2)).await;
    assert_eq!(
        garbage::count_unreferenced(&db, at(1), at(400)).await.expect("counted"),
        BlobTotals { blobs: 3, bytes: 8 }
    );
    assert_eq!(
        garbage::count_unreferenced(&db, at(401), Timestamp::MAX).await.expect("counted"),
        BlobTotals { blobs: 1, bytes: 5 }
    );
}

#[tokio::test]
async fn crossing_uploads_and_deletes_neither_lose_nor_leak_content() {
    let (_scratch, db) = house().await;
    insert(&db, 1, "0").await;
    let users: Vec<_> = (10..14).map(|id| tokio::spawn(use_and_delete(db.clone(), id))).collect();
    let mut decisions = 0;
    while !users.iter().all(tokio::task::JoinHandle::is_finished) {
        date(&db, 100).await;
        let decided = mark(&db, SweepCursor::START, 100, 10).await;
        let used: Vec<i64> = db.all(sql!("SELECT id FROM files ORDER BY id")).await.expect("read");
        assert!(decided.marked.is_empty() || used.is_empty(), "{used:?} lost its content");
        for blob in decided.marked {
            let spared: Result<()> = db.write(|tx| garbage::spare(tx, blob.id, at(100)).scope_boxed()).await;
            spared.expect("spared");
        }
        decisions += 1;
    }
    for user in users {
        user.await.expect("it went well");
    }
    date(&db, 100).await;
    let left = mark(&db, SweepCursor::START, 1_000, 10).await;
    assert_eq!(left.marked.len(), 1, "nobody has it, and nobody noticed: {:?} after {decisions}", rows(&db).await);
}

/// Uses the content for a file and deletes the file, in a loop.
async fn use_and_delete(db: Database, id: i64) {
    let (insert, delete) = (file(id, "staged_blob_id", 1), format!("DELETE FROM files WHERE id = {id}"));
    let (insert, delete) = (&insert, &delete);
    for _ in 0..100 {
        let kept: Result<bool> = db
            .write(|tx| {
                async move {
                    let is_kept = blobs::mark_used(tx, BlobId::new(1), None).await?;
                    if is_kept {
                        tx.batch(insert).await?;
                    }
                    Ok(is_kept)
                }
                .scope_boxed()
            })
            .await;
        if kept.expect("answered") {
            batch(&db, delete).await;
        }
    }
}

#[tokio::test]
async fn one_at_a_time_has_the_turn() {
    let (scratch, db) = house().await;
    let other = scratch.open().await;
    let turn = db.lock_collector().await.expect("asked").expect("it is free");
    assert!(turn.is_held());
    assert!(other.lock_collector().await.expect("asked").is_none());
    drop(turn);
    let turn = tokio::time::timeout(Duration::from_secs(10), wait_for_lock(&other)).await;
    assert!(turn.expect("it is given back").is_held());
}

async fn wait_for_lock(db: &Database) -> CollectorLock {
    loop {
        if let Some(turn) = db.lock_collector().await.expect("asked") {
            return turn;
        }
    }
}

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}
