//! Other nodes have received an invalidation before the write that caused it returns.

use std::time::{Duration, Instant};

use model::{id::RepoId, timestamp::Timestamp};
use tokio_postgres::{Client, NoTls};

use crate::{
    Database, Result, ScopedFutureExt,
    engine::invalidation::Invalidation,
    testing::scratch::{Scratch, is_cluster},
};

/// The time limit for a node to start listening.
const PATIENCE: Duration = Duration::from_secs(10);

/// The time that senders wait for a node that hangs.
const HANGS: Duration = Duration::from_secs(1);

async fn migrated() -> (Scratch, Database) {
    let scratch = Scratch::create().await;
    let db = scratch.open().await;
    db.migrate(Timestamp::EPOCH).await.expect("a fresh database takes the schema");
    (scratch, db)
}

async fn change(db: &Database, repo_id: RepoId) {
    invalidate(db, Invalidation::Repo(repo_id)).await;
}

async fn invalidate(db: &Database, change: Invalidation) {
    let write = db.write(|tx| {
        async move {
            tx.invalidate(change);
            Result::Ok(())
        }
        .scope_boxed()
    });
    write.await.expect("written");
}

/// Opens another node on the same database. An embedded database has one node, which plays both roles.
async fn another(scratch: &Scratch, db: &Database) -> Database {
    let other = if is_cluster() { scratch.open().await } else { db.clone() };
    let listener = other.clone();
    tokio::spawn(async move { listener.listen().await });
    let listens = async {
        while !other.is_cache_coherent() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::time::timeout(PATIENCE, listens).await.expect("it begins to listen");
    other
}

/// Starts a node that takes its share and then hangs.
async fn hangs(scratch: &Scratch) -> Option<Client> {
    if !is_cluster() {
        return None;
    }
    let (client, connection) = tokio_postgres::connect(&scratch.url, NoTls).await.expect("it connects");
    tokio::spawn(connection);
    client.batch_execute("SELECT pg_advisory_lock_shared(7226419)").await.expect("it has its share");
    Some(client)
}

#[tokio::test]
async fn no_node_uses_what_it_has_kept_once_a_change_is_answered() {
    let (scratch, db) = migrated().await;
    let others = [another(&scratch, &db).await, another(&scratch, &db).await];
    for repo_id in (1..=50).map(RepoId::new) {
        let before = others.each_ref().map(|other| other.changes().repo(repo_id));
        change(&db, repo_id).await;
        // Senders do not wait for a node without a share, and it uses nothing from its cache.
        let is_safe = |other: &Database, before| !other.is_cache_coherent() || other.changes().repo(repo_id) != before;
        assert!(others.iter().zip(before).all(|(other, before)| is_safe(other, before)), "{repo_id} was not heard");
    }
}

#[tokio::test]
async fn changes_at_once_are_heard_before_anything_kept_is_used() {
    let (scratch, db) = migrated().await;
    let other = another(&scratch, &db).await;
    let began = Instant::now();
    let changes = (1..=100).map(RepoId::new).map(|repo_id| {
        let (db, other) = (db.clone(), other.clone());
        async move {
            let before = other.changes().repo(repo_id);
            change(&db, repo_id).await;
            // Senders do not wait for a node without a share, and it uses nothing from its cache.
            assert!(!other.is_cache_coherent() || other.changes().repo(repo_id) != before, "{repo_id} was not heard");
        }
    });
    futures_util::future::join_all(changes).await;
    // No write waited for each of the hanging nodes.
    assert!(began.elapsed() < 20 * HANGS, "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_node_that_hangs_is_waited_for_once() {
    let (scratch, db) = migrated().await;
    let other = another(&scratch, &db).await;
    let hanging = hangs(&scratch).await;
    let before = other.changes().repo(RepoId::new(1));
    let began = Instant::now();
    change(&db, RepoId::new(1)).await;
    assert!(hanging.is_none() || began.elapsed() >= HANGS, "what it has kept may still be good");
    assert!(!other.is_cache_coherent() || other.changes().repo(RepoId::new(1)) != before);
    let began = Instant::now();
    change(&db, RepoId::new(2)).await;
    assert!(began.elapsed() < HANGS, "it is waited for again");
}

#[tokio::test]
async fn what_is_only_added_is_heard_soon_and_nobody_waits() {
    let (scratch, db) = migrated().await;
    // As a server does: what other processes write is unknown to it.
    let _lock = db.lock().expect("nobody else uses it");
    let other = another(&scratch, &db).await;
    let hanging = hangs(&scratch).await;
    for repo_id in (1..=200).map(RepoId::new) {
        let before = (other.changes().paths(repo_id), other.changes().files(repo_id));
        let began = Instant::now();
        invalidate(&db, Invalidation::Paths(repo_id)).await;
        assert!(began.elapsed() < HANGS, "a node that hangs is waited for");
        assert!(other.is_cache_coherent(), "what does not depend on it is used all the same");
        while other.changes().paths(repo_id) == before.0 {
            assert!(began.elapsed() < HANGS, "{repo_id} was not heard");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert_eq!(other.changes().files(repo_id), before.1);
    }
    drop(hanging);
}
