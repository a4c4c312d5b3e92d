//! Commits the groups of SQLite's writer on a separate thread. It waits for the disk most of the time, and meanwhile
//! the next group writes.

use std::sync::Arc;

use rusqlite::Connection;
use tokio::{
    runtime::Builder,
    sync::{Mutex, Notify, oneshot},
};

use crate::{
    Error, Result,
    engine::sqlite::{
        group_member::run_cached,
        no_thread,
        wal::{self, Wal},
        writer::{Group, answer},
    },
};

/// The commit thread. It ends when this is dropped.
pub(crate) struct Committer {
    _end: oneshot::Sender<()>,
}

impl Committer {
    /// Starts the thread; `finished` signals that a member of a group waits for its commit.
    pub(crate) fn start(group: Arc<Mutex<Group>>, finished: Arc<Notify>, wal: Wal) -> Result<Self> {
        let runtime = Builder::new_current_thread().build().map_err(no_thread)?;
        let (end, ended) = oneshot::channel::<()>();
        let work = async move {
            tokio::select! {
                _ = ended => {}
                () = commit_groups(&group, &finished, &wal) => {}
            }
        };
        std::thread::Builder::new()
            .name("sqlite-commit".into())
            .spawn(move || runtime.block_on(work))
            .map_err(no_thread)?;
        Ok(Self { _end: end })
    }
}

async fn commit_groups(group: &Mutex<Group>, finished: &Notify, wal: &Wal) {
    loop {
        finished.notified().await;
        let (committed, waiting) = {
            let mut group = group.lock().await;
            let committed = match wal.check() {
                Ok(()) => group.worker.in_turn(commit).await,
                Err(refused) => group.worker.in_turn(roll_back).await.and(Err(refused)),
            };
            if committed.as_ref().is_ok_and(|pages| wal.is_long(*pages))
                && let Err(error) = group.worker.in_turn(wal::empty).await
            {
                tracing::warn!("truncating the write-ahead log failed: {error}");
            }
            (committed, std::mem::take(&mut group.waiting))
        };
        let result = match committed {
            Ok(_) if waiting.is_empty() => Ok(()),
            Ok(_) => wal.sync(),
            Err(error) => Err(error),
        };
        answer(waiting, &result);
    }
}

/// Commits the open transaction and returns the number of pages in the WAL afterwards.
fn commit(connection: &Connection) -> Result<u64> {
    if connection.is_autocommit() {
        return Err(Error::Unavailable("the transaction was rolled back".into()));
    }
    run_cached(connection, "COMMIT").map_err(|error| {
        drop(roll_back(connection));
        Error::from(error)
    })?;
    // The transaction is committed, even if counting the pages fails.
    Ok(wal::count_pages(connection).unwrap_or_default())
}

fn roll_back(connection: &Connection) -> Result<()> {
    Ok(connection.execute_batch("ROLLBACK")?)
}
