//! Concurrent writes: the results of one, and its effects on the others.

use std::time::Duration;

use futures_util::future::join_all;
use model::timestamp::Timestamp;

use crate::{
    Database, Error, Result, ScopedFutureExt, Tx,
    engine::{meta, sqlite::group_member::Rollback, statement::sql},
    testing::scratch::Scratch,
};

async fn migrated() -> (Scratch, Database) {
    let scratch = Scratch::create().await;
    let db = scratch.open().await;
    db.migrate(Timestamp::from_millis(1_750_000_000_000)).await.expect("a fresh database takes the schema");
    (scratch, db)
}

/// Writes a row, yields to others, and then fails if `fails` is set.
async fn insert(tx: &mut Tx, key: &str, fails: bool) -> Result<()> {
    meta::insert(tx, key, "x").await?;
    tokio::task::yield_now().await;
    if fails { Err(Error::Broken("stop here".into())) } else { Ok(()) }
}

#[tokio::test]
async fn one_that_fails_when_it_has_written_harms_no_other() {
    let (scratch, db) = migrated().await;
    let fails = |n: usize| n % 10 == 4 || n % 10 == 7;
    let writers = (0..200).map(async |n| {
        let (db, key) = (&db, format!("key-{n:03}"));
        let done: Result<()> = match n % 2 {
            0 => db.write(|tx| insert(tx, &key, fails(n)).scope_boxed()).await,
            _ => db.write_with(Rollback::Alone, |tx| insert(tx, &key, fails(n)).scope_boxed()).await,
        };
        assert_eq!(done.is_err(), fails(n), "{n}: {done:?}");
    });
    join_all(writers).await;
    drop(db);
    let rows = sql!("SELECT key FROM meta WHERE key LIKE 'key-%' ORDER BY key");
    let kept: Vec<String> = scratch.open().await.all(rows).await.expect("read");
    let expected: Vec<_> = (0..200).filter(|n| !fails(*n)).map(|n| format!("key-{n:03}")).collect();
    assert_eq!(kept, expected);
}

/// A deletion may take long, so SQLite's thread runs it; the caller may be cancelled before the thread has started.
#[tokio::test]
async fn what_its_caller_went_away_from_is_not_kept_and_harms_no_other() {
    let (_scratch, db) = migrated().await;
    for round in 0..100 {
        let key = &format!("key-{round}");
        let kept: Result<()> = db.write(|tx| insert(tx, key, false).scope_boxed()).await;
        kept.expect("written");
        let other = &format!("other-{round}");
        let impatient = db.write(|tx| {
            async move {
                tx.run(sql!("DELETE FROM meta WHERE key = $1", key).long()).await?;
                std::future::pending::<Result<()>>().await
            }
            .scope_boxed()
        });
        let impatient = tokio::time::timeout(Duration::from_micros(round * 10), impatient);
        let (other_done, gone): (Result<()>, _) =
            tokio::join!(db.write(|tx| insert(tx, other, false).scope_boxed()), impatient);
        other_done.expect("written");
        gone.expect_err("it never ends by itself");
        for key in [key, other] {
            assert!(meta::find(&db, key).await.expect("read").is_some(), "{key}");
        }
    }
}
