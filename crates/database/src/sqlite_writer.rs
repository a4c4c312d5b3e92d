//! The one writer of SQLite, which commits for a group.
//!
//! A commit costs a disk sync, so writers that wait share one: each adds its part to the open transaction, and the
//! committer stands in the same fair queue behind them. A lone writer finds the committer right behind it. While the
//! disk syncs, the next group writes.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use rusqlite::Connection;
use tokio::sync::{Mutex, Notify, oneshot};

use crate::{
    Error, Result,
    sqlite::{BUSY_TIMEOUT, Worker},
    sqlite_part::{Part, Undo, run_kept},
    sqlite_wal::{self, Wal},
};

/// How long a write waits for its turn before the caller is told to come back.
const TURN_TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) struct Writer {
    group: Arc<Mutex<Group>>,
    finished: Arc<Notify>,
    tasks: [tokio::task::JoinHandle<()>; 2],
}

/// The open transaction: its connection, and who waits for its commit. At most all callers of the server wait here.
pub(crate) struct Group {
    pub(crate) worker: Worker,
    pub(crate) waiting: Vec<oneshot::Sender<Result<()>>>,
    /// Whether one of its parts may not suffer from those after it.
    pub(crate) is_careful: bool,
}

impl Writer {
    pub(crate) fn start(path: &Path) -> Result<Writer> {
        let worker = Worker::start(path, "write")?;
        worker.here(sqlite_wal::prepare)?;
        let group = Group { worker, waiting: Vec::new(), is_careful: false };
        let (group, finished) = (Arc::new(Mutex::new(group)), Arc::new(Notify::new()));
        let committer = tokio::spawn(commit_groups(group.clone(), finished.clone(), Wal::of(path)));
        let keeper = tokio::spawn(sqlite_wal::copy_back(Worker::start(path, "checkpoint")?));
        Ok(Writer { group, finished, tasks: [committer, keeper] })
    }

    /// Waits for the turn and begins a part. Who has waited for others that another process held up waits no longer for
    /// that one.
    pub(crate) async fn begin(&self, undo: Undo) -> Result<Part> {
        let asked = Instant::now();
        let turn = tokio::time::timeout(TURN_TIMEOUT, self.group.clone().lock_owned()).await;
        let group = turn.map_err(|_| Error::Unavailable("too many writers wait".into()))?;
        let patience = BUSY_TIMEOUT.saturating_sub(asked.elapsed());
        Part::begin(group, self.finished.clone(), undo, patience).await
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.tasks.iter().for_each(tokio::task::JoinHandle::abort);
    }
}

impl Group {
    /// Tells all who wait how it ended.
    pub(crate) fn answer(&mut self, result: &Result<()>) {
        answer(std::mem::take(&mut self.waiting), result);
    }
}

fn answer(waiting: Vec<oneshot::Sender<Result<()>>>, result: &Result<()>) {
    for caller in waiting {
        // A caller that went away does not need the answer.
        drop(caller.send(result.clone()));
    }
}

async fn commit_groups(group: Arc<Mutex<Group>>, finished: Arc<Notify>, wal: Wal) {
    loop {
        finished.notified().await;
        let (committed, waiting) = {
            let mut group = group.lock().await;
            let committed = match wal.check() {
                Ok(()) => group.worker.call(commit).await,
                refused => group.worker.call(roll_back).await.and(refused),
            };
            if wal.is_long()
                && let Err(error) = group.worker.call(sqlite_wal::empty).await
            {
                tracing::warn!("the log of the database could not be emptied: {error}");
            }
            (committed, std::mem::take(&mut group.waiting))
        };
        let result = match committed {
            Ok(()) if waiting.is_empty() => Ok(()),
            Ok(()) => wal.sync().await,
            failed => failed,
        };
        answer(waiting, &result);
    }
}

fn commit(connection: &Connection) -> Result<()> {
    if connection.is_autocommit() {
        return Err(Error::Unavailable("the transaction was rolled back".into()));
    }
    run_kept(connection, "COMMIT").map_err(|error| {
        drop(roll_back(connection));
        Error::from(error)
    })
}

fn roll_back(connection: &Connection) -> Result<()> {
    Ok(connection.execute_batch("ROLLBACK")?)
}
