//! Changes that tools make to an embedded database beside the server that has it: they leave a mark, the server looks for
//! it, and they wait until it has seen it.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use scoped_futures::ScopedFutureExt;

use crate::{
    Database, ProcessLock, Read, Result, Tx,
    engine::{
        epochs::{Epochs, Invalidation},
        meta,
        statement::{insert, sql},
    },
};

/// How often the server looks.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// How often a tool looks whether the server has seen its mark, and for how long: one that hangs answers nobody either.
const ASK_EVERY: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(5);

/// The key of `meta` with the mark that the server saw last.
const SEEN: &str = "guest_changes_seen";

/// Leaves a mark with a change.
pub(crate) async fn leave_mark(tx: &mut Tx) -> Result<()> {
    tx.run(insert!(
        meta { key: "guest_changes", value: "1" },
        "ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(meta.value AS BIGINT) + 1 AS TEXT)",
    ))
    .await?;
    Ok(())
}

/// Looks for marks for as long as it runs.
pub(crate) async fn listen(db: &Database, changes: &Epochs) {
    let mut known = None;
    loop {
        let found = mark(db).await;
        if found != known {
            changes.note(Invalidation::Everything);
            acknowledge(db, found.as_deref()).await;
            known = found;
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// Waits until a server that has the database, if one does, uses nothing any more that it knew before the mark.
pub(crate) async fn wait_until_seen(db: &Database, path: &Path) {
    let (left, began) = (mark(db).await, Instant::now());
    while ProcessLock::is_taken(path) && began.elapsed() < PATIENCE {
        match meta::find(db, SEEN).await {
            Ok(seen) if number(seen.as_deref()) >= number(left.as_deref()) => return,
            _ => tokio::time::sleep(ASK_EVERY).await,
        }
    }
}

/// Tells the tool that left a mark. One that is not told has waited in vain, and nothing else.
async fn acknowledge(db: &Database, mark: Option<&str>) {
    let Some(mark) = mark else { return };
    if let Err(error) = db.write(|tx| meta::set(tx, SEEN, mark).scope_boxed()).await {
        tracing::warn!("a tool could not be told that its change was seen: {error}");
    }
}

fn number(mark: Option<&str>) -> i64 {
    mark.and_then(|mark| mark.parse().ok()).unwrap_or_default()
}

/// The mark; a failure looks like another one.
async fn mark(db: &Database) -> Option<String> {
    db.one(sql!("SELECT value FROM meta WHERE key = 'guest_changes'")).await.unwrap_or_default()
}
