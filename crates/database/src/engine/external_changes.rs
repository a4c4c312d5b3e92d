//! Changes that tools make to an embedded database while a server runs on it: the tool increments a counter (the mark),
//! the server polls it, and the tool waits until the server has seen it.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use scoped_futures::ScopedFutureExt;

use crate::{
    Database, ProcessLock, Result, Tx,
    engine::{
        epochs::Epochs,
        invalidation::Invalidation,
        meta,
        statement::{insert, sql},
    },
};

/// The polling interval of the server.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// The interval and the total time for which a tool polls until the server has seen its mark. A server that takes
/// longer hangs, and answers no requests either.
const ASK_EVERY: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(5);

/// The key in `meta` of the mark that the server saw last.
const SEEN: &str = "guest_changes_seen";

/// Increments the mark in the transaction of a change.
pub(crate) async fn leave_mark(tx: &mut Tx) -> Result<()> {
    tx.run(insert!(
        meta { key: "guest_changes", value: "1" },
        "ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(meta.value AS BIGINT) + 1 AS TEXT)",
    ))
    .await?;
    Ok(())
}

/// Polls for marks. Never returns.
pub(crate) async fn listen(db: &Database, changes: &Epochs) {
    let mut known = None;
    loop {
        let found = mark(db).await;
        if found != known {
            changes.invalidate(Invalidation::Everything);
            acknowledge(db, found.as_deref()).await;
            known = found;
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// Waits until the server that owns the database, if one is running, no longer uses anything cached before the mark.
pub(crate) async fn wait_until_seen(db: &Database, path: &Path) {
    let (left, began) = (mark(db).await, Instant::now());
    while ProcessLock::is_taken(path) && began.elapsed() < PATIENCE {
        match meta::find(db, SEEN).await {
            Ok(seen) if number(seen.as_deref()) >= number(left.as_deref()) => return,
            _ => tokio::time::sleep(ASK_EVERY).await,
        }
    }
}

/// Confirms a mark to the tool that left it. If this fails, the tool waits until its time limit and nothing else
/// happens.
async fn acknowledge(db: &Database, mark: Option<&str>) {
    let Some(mark) = mark else { return };
    if let Err(error) = db.write(|tx| meta::set(tx, SEEN, mark).scope_boxed()).await {
        tracing::warn!("confirming an external change failed: {error}");
    }
}

fn number(mark: Option<&str>) -> i64 {
    mark.and_then(|mark| mark.parse().ok()).unwrap_or_default()
}

/// Returns the mark; a failure counts as a different mark.
async fn mark(db: &Database) -> Option<String> {
    db.one(sql!("SELECT value FROM meta WHERE key = 'guest_changes'")).await.unwrap_or_default()
}
