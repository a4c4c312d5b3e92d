//! Tests of the database interface, on the engine that the run uses.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use model::timestamp::Timestamp;
use tokio::sync::Notify;

use crate::{
    Database, Error, Options, Result, ScopedFutureExt,
    engine::{
        meta,
        statement::{Statement, sql},
    },
    testing::scratch::{Scratch, is_cluster},
};

const NOW: i64 = 1_750_000_000_000;

async fn migrated() -> (Scratch, Database) {
    let scratch = Scratch::create().await;
    let db = scratch.open().await;
    db.migrate(Timestamp::from_millis(NOW)).await.expect("a fresh database takes the schema");
    (scratch, db)
}

async fn put(db: &Database, key: &str, value: &str) -> Result<()> {
    db.write(|tx| meta::insert(tx, key, value).scope_boxed()).await
}

#[tokio::test]
async fn a_write_is_seen_by_the_next_read() {
    let (_scratch, db) = migrated().await;
    put(&db, "colour", "green").await.expect("written");
    assert_eq!(meta::find(&db, "colour").await.expect("read").as_deref(), Some("green"));
    assert_eq!(meta::find(&db, "other").await.expect("read"), None);
}

#[tokio::test]
async fn a_second_row_of_the_same_key_is_a_conflict_and_nothing_else_suffers() {
    let (_scratch, db) = migrated().await;
    put(&db, "colour", "green").await.expect("written");
    assert!(matches!(put(&db, "colour", "red").await, Err(Error::Conflict)));
    put(&db, "shape", "round").await.expect("written after a conflict");
    assert_eq!(meta::find(&db, "colour").await.expect("read").as_deref(), Some("green"));
}

#[tokio::test]
async fn a_failed_write_leaves_nothing() {
    let (_scratch, db) = migrated().await;
    let result: Result<()> = db
        .write(|tx| {
            async move {
                meta::insert(tx, "half", "done").await?;
                Err(Error::Broken("stop here".into()))
            }
            .scope_boxed()
        })
        .await;
    assert!(matches!(result, Err(Error::Broken(_))));
    assert_eq!(meta::find(&db, "half").await.expect("read"), None);
}

#[tokio::test]
async fn a_write_that_overlooks_a_failure_is_not_committed() {
    let (_scratch, db) = migrated().await;
    put(&db, "colour", "green").await.expect("written");
    let result: Result<()> = db
        .write(|tx| {
            async move {
                meta::insert(tx, "shape", "round").await?;
                drop(meta::insert(tx, "colour", "red").await);
                Ok(())
            }
            .scope_boxed()
        })
        .await;
    assert!(matches!(result, Err(Error::Broken(_))));
    assert_eq!(meta::find(&db, "shape").await.expect("read"), None);
}

#[tokio::test]
async fn callers_who_go_away_at_any_moment_leave_the_database_usable() {
    let (_scratch, db) = migrated().await;
    for microseconds in (0..2_000).step_by(25) {
        let impatient = put(&db, "impatient", "x");
        drop(tokio::time::timeout(Duration::from_micros(microseconds), impatient).await);
        let seen: Option<i64> =
            db.one(sql!("SELECT CAST(COUNT(*) AS BIGINT) FROM meta WHERE key <> 'needed_step'")).await.expect("read");
        assert!(seen.is_some_and(|count| count <= 1));
    }
    put(&db, "patient", "x").await.expect("written");
    assert_eq!(meta::find(&db, "patient").await.expect("read").as_deref(), Some("x"));
}

#[tokio::test]
async fn arguments_go_where_their_number_says() {
    let (_scratch, db) = migrated().await;
    let shown: Option<String> = db.one(sql!("SELECT $2 || $1 || $2", "a", "b")).await.expect("read");
    assert_eq!(shown.as_deref(), Some("bab"));
}

#[tokio::test]
async fn an_abandoned_write_leaves_nothing_and_blocks_nobody() {
    let (_scratch, db) = migrated().await;
    let endless = db.write(|tx| {
        async move {
            meta::insert(tx, "half", "done").await?;
            std::future::pending::<Result<()>>().await
        }
        .scope_boxed()
    });
    let outcome = tokio::time::timeout(Duration::from_millis(200), endless).await;
    assert!(outcome.is_err());
    put(&db, "whole", "done").await.expect("the next write goes through");
    assert_eq!(meta::find(&db, "half").await.expect("read"), None);
}

#[tokio::test]
async fn two_hundred_writers_at_once_are_all_durable_and_failures_stay_alone() {
    let (scratch, db) = migrated().await;
    let writers: Vec<_> = (0..200)
        .map(|n| {
            let db = db.clone();
            // Every tenth uses a key that already exists.
            tokio::spawn(async move { put(&db, &format!("key-{}", if n % 10 == 9 { n - 1 } else { n }), "x").await })
        })
        .collect();
    let mut conflicts = 0;
    for writer in writers {
        match writer.await.expect("no panic") {
            Ok(()) => {}
            Err(Error::Conflict) => conflicts += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(conflicts, 20);
    drop(db);
    let again = scratch.open().await;
    let kept: Option<i64> =
        again.one(sql!("SELECT CAST(COUNT(*) AS BIGINT) FROM meta WHERE key <> 'needed_step'")).await.expect("read");
    assert_eq!(kept, Some(180));
}

#[tokio::test]
async fn migrating_twice_changes_nothing_and_two_at_once_take_turns() {
    let scratch = Scratch::create().await;
    let (one, two) = (scratch.open().await, scratch.open().await);
    let now = Timestamp::from_millis(NOW);
    let (first, second) = tokio::join!(one.migrate(now), two.migrate(now));
    first.expect("migrated");
    second.expect("migrated");
    one.check_schema().await.expect("complete");
}

#[tokio::test]
async fn an_edited_or_newer_schema_is_refused() {
    let (_scratch, db) = migrated().await;
    db.write(|tx| {
        async move { tx.run(sql!("UPDATE migrations SET checksum = 'edited' WHERE version = 1")).await }.scope_boxed()
    })
    .await
    .expect("written");
    let error = db.check_schema().await.expect_err("the checksum differs");
    assert_eq!(error.to_string(), "step 1 of the database is not the one this packhouse has");
    db.write(|tx| {
        async move { tx.run(sql!("UPDATE migrations SET version = 999 WHERE version = 1")).await }.scope_boxed()
    })
    .await
    .expect("written");
    let error = db.migrate(Timestamp::from_millis(NOW)).await.expect_err("the step is unknown");
    assert!(error.to_string().contains("newer packhouse"), "{error}");
}

#[tokio::test]
async fn an_embedded_database_is_for_one_process() {
    let (scratch, db) = migrated().await;
    let lock = db.lock().expect("free");
    let second = scratch.open().await.lock();
    assert_eq!(matches!(second, Err(Error::InUse(_))), lock.is_some());
    drop(second);
    drop(lock);
    scratch.open().await.lock().expect("free again");
}

/// Two writes lock two rows in opposite order. Each pauses in between, so that PostgreSQL detects a deadlock and ends
/// one; SQLite runs them one after the other.
#[tokio::test]
async fn a_write_that_stood_in_anothers_way_runs_again() {
    let (_scratch, db) = migrated().await;
    put(&db, "one", "").await.expect("written");
    put(&db, "two", "").await.expect("written");
    let runs = AtomicUsize::new(0);
    let take_both = async |first: &'static str, second: &'static str| {
        let runs = &runs;
        let result: Result<()> = db
            .write(|tx| {
                async move {
                    runs.fetch_add(1, Ordering::Relaxed);
                    tx.run(sql!("UPDATE meta SET value = value || $2 WHERE key = $1", first, "x")).await?;
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    tx.run(sql!("UPDATE meta SET value = value || $2 WHERE key = $1", second, "x")).await?;
                    Ok(())
                }
                .scope_boxed()
            })
            .await;
        result
    };
    let (forth, back) = tokio::join!(take_both("one", "two"), take_both("two", "one"));
    forth.expect("written");
    back.expect("written");
    for key in ["one", "two"] {
        assert_eq!(meta::find(&db, key).await.expect("read").as_deref(), Some("xx"));
    }
    assert_eq!(runs.into_inner(), db.per_engine(2, 3));
}

/// Simulates a node that is frozen in the middle of a transaction. PostgreSQL ends its session while others still wait;
/// SQLite has one process, in which a write ends with its caller.
#[tokio::test]
async fn a_write_that_stands_still_keeps_the_next_one_waiting_for_a_while_only() {
    let scratch = Scratch::create().await;
    let options = Options { connections: 4, timeout: Duration::from_secs(2), ..Options::default() };
    let db = Database::open(&scratch.url, &options).await.expect("it opens");
    db.migrate(Timestamp::from_millis(NOW)).await.expect("a fresh database takes the schema");
    let has_row = Notify::new();
    let still = db.write(|tx| {
        let has_row = &has_row;
        async move {
            meta::insert(tx, "colour", "red").await?;
            has_row.notify_one();
            tokio::time::sleep(Duration::from_millis(1_600)).await;
            meta::insert(tx, "shape", "round").await
        }
        .scope_boxed()
    });
    let next = async {
        has_row.notified().await;
        put(&db, "colour", "green").await
    };
    let (still, next) = tokio::join!(still, next);
    if is_cluster() {
        assert!(matches!(still, Err(Error::Unavailable(_))), "{still:?}");
        next.expect("its turn comes in time");
    } else {
        still.expect("nobody ends it");
        assert!(matches!(next, Err(Error::Conflict)), "{next:?}");
    }
}

/// A step that no program has yet.
const NEXT_STEP: &str = "INSERT INTO migrations (version, name, checksum, applied) VALUES (9999, 'next', 'x', 0)";

#[tokio::test]
async fn a_newer_schema_serves_this_program_where_it_says_so() {
    let (_scratch, db) = migrated().await;
    assert!(!db.serves_this_program().await.expect("asked"), "it is the same, not newer");
    let next: Result<()> = db.write(|tx| tx.batch(NEXT_STEP).scope_boxed()).await;
    next.expect("written");
    db.check_schema().await.expect_err("there is a step that is not known");
    assert!(db.serves_this_program().await.expect("asked"), "nothing says that the step is needed");
    let set: Result<()> = db.write(|tx| meta::set(tx, "needed_step", "9999").scope_boxed()).await;
    set.expect("written");
    assert!(!db.serves_this_program().await.expect("asked"), "the step is needed");
}

#[tokio::test]
async fn a_step_of_a_migration_may_take_longer_than_other_statements() {
    let scratch = Scratch::create().await;
    let options = Options { timeout: Duration::from_millis(200), ..Options::default() };
    let db = Database::open(&scratch.url, &options).await.expect("it opens");
    let slow = db.per_engine("SELECT 1", "SELECT pg_sleep(0.6)");
    let migrated: Result<()> = db.write(|tx| tx.batch(slow).scope_boxed()).await;
    migrated.expect("it has the time that it needs");
    let slow = db.per_engine("SELECT 1", "SELECT CAST(1 AS BIGINT) FROM pg_sleep(0.6)");
    let other: Result<Vec<i64>> = db.all(Statement::new(slow, Vec::new())).await;
    assert_eq!(other.is_err(), is_cluster(), "other statements have a limit");
}
