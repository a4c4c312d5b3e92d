//! The one writer of SQLite, which commits for a group.
//!
//! A commit costs a disk sync, so writers that wait share one: each runs as a savepoint of the open transaction, and
//! the committer stands in the same fair queue behind them. A lone writer finds the committer right behind it.

use std::{path::Path, sync::Arc, time::Duration};

use rusqlite::{Connection, ErrorCode};
use tokio::sync::{Mutex, Notify, OwnedMutexGuard, oneshot};

use crate::{
    Error, Result,
    sqlite::{BUSY_TIMEOUT, Worker},
};

/// How long a write waits for its turn before the caller is told to come back.
const TURN_TIMEOUT: Duration = Duration::from_secs(10);

/// The WAL is copied into the database this often, away from the commits.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(1);

pub(crate) struct Writer {
    group: Arc<Mutex<Group>>,
    finished: Arc<Notify>,
    tasks: [tokio::task::JoinHandle<()>; 2],
}

/// The open transaction: its connection, and who waits for its commit. At most all callers of the server wait here.
pub(crate) struct Group {
    worker: Worker,
    waiting: Vec<oneshot::Sender<Result<()>>>,
    /// Whether the thread may not have done yet what was queued for it without waiting.
    is_behind: bool,
}

impl Writer {
    pub(crate) fn start(path: &Path) -> Result<Writer> {
        let group = Group { worker: Worker::start(path, "write")?, waiting: Vec::new(), is_behind: false };
        let (group, finished) = (Arc::new(Mutex::new(group)), Arc::new(Notify::new()));
        let committer = tokio::spawn(commit_groups(group.clone(), finished.clone()));
        let keeper = tokio::spawn(checkpoint(Worker::start(path, "checkpoint")?));
        Ok(Writer { group, finished, tasks: [committer, keeper] })
    }

    /// Waits for the turn and opens a savepoint.
    pub(crate) async fn begin(&self) -> Result<Savepoint> {
        let turn = tokio::time::timeout(TURN_TIMEOUT, self.group.clone().lock_owned()).await;
        let group = turn.map_err(|_| Error::Unavailable("too many writers wait".into()))?;
        // Made before it is open, so that a caller who goes away meanwhile closes it.
        let mut savepoint = Savepoint { group: Some(group), finished: self.finished.clone() };
        let is_new = savepoint.open().await?;
        if let Some(group) = savepoint.group.as_mut().filter(|_| is_new) {
            // The transaction of those who still wait has ended without its commit.
            group.answer(Err(Error::Unavailable("the transaction was rolled back".into())));
        }
        Ok(savepoint)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.tasks.iter().for_each(tokio::task::JoinHandle::abort);
    }
}

impl Group {
    fn answer(&mut self, result: Result<()>) {
        for caller in self.waiting.drain(..) {
            // A caller that went away does not need the answer.
            drop(caller.send(result.clone()));
        }
    }
}

/// One caller's part of the open transaction. Dropped without `finish`, it is undone.
pub(crate) struct Savepoint {
    group: Option<OwnedMutexGuard<Group>>,
    finished: Arc<Notify>,
}

impl Savepoint {
    pub(crate) fn worker(&self) -> Result<&Worker> {
        Ok(&self.group.as_ref().ok_or_else(ended)?.worker)
    }

    /// Opens it, here when that takes no waiting. Says whether it is the first one of its transaction.
    async fn open(&mut self) -> Result<bool> {
        let group = self.group.as_mut().ok_or_else(ended)?;
        let is_behind = std::mem::take(&mut group.is_behind);
        if !is_behind && let Some(is_new) = group.worker.here(try_open_savepoint)? {
            return Ok(is_new);
        }
        group.worker.call(open_savepoint).await
    }

    /// Gives the turn on and waits until the group is durable.
    ///
    /// Nothing here can be cut off between the release and the commit: a caller that goes away only misses the answer.
    pub(crate) async fn finish(mut self) -> Result<()> {
        let (sender, committed) = oneshot::channel();
        if let Some(mut group) = self.group.take() {
            group.worker.here(|connection| end_savepoint(connection, &["RELEASE work"]));
            group.waiting.push(sender);
        }
        self.finished.notify_one();
        committed.await.unwrap_or_else(|_| Err(Error::Unavailable("the server is stopping".into())))
    }
}

impl Drop for Savepoint {
    fn drop(&mut self) {
        let Some(mut group) = self.group.take() else { return };
        // Queued before the turn is given on, so it runs before the next writer's first statement.
        group.is_behind = true;
        group.worker.post(|connection| end_savepoint(connection, &["ROLLBACK TO work", "RELEASE work"]));
        drop(group);
        // Others of the group may wait for a commit that this writer's turn held up.
        self.finished.notify_one();
    }
}

/// Opens the transaction when none is open, and says whether it did.
fn open_savepoint(connection: &Connection) -> Result<bool> {
    let is_new = connection.is_autocommit();
    if is_new {
        run_kept(connection, "BEGIN IMMEDIATE")?;
    }
    run_kept(connection, "SAVEPOINT work")?;
    Ok(is_new)
}

/// The same, unless another process holds the write lock.
fn try_open_savepoint(connection: &Connection) -> Result<Option<bool>> {
    if !connection.is_autocommit() {
        return open_savepoint(connection).map(Some);
    }
    connection.busy_timeout(Duration::ZERO)?;
    let opened = run_kept(connection, "BEGIN IMMEDIATE");
    connection.busy_timeout(BUSY_TIMEOUT)?;
    match opened {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(None),
        Err(error) => Err(error.into()),
        Ok(()) => run_kept(connection, "SAVEPOINT work").map(|()| Some(true)).map_err(Error::from),
    }
}

/// Runs one of the few statements around those of a transaction, which stay prepared as well.
fn run_kept(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.raw_execute().map(drop)
}

fn ended() -> Error {
    Error::Broken("the transaction has ended".into())
}

/// Ends one caller's part. When that fails, the whole transaction is undone, and its commit tells everyone.
fn end_savepoint(connection: &Connection, how: &[&str]) {
    if connection.is_autocommit() {
        return;
    }
    if let Err(error) = how.iter().try_for_each(|sql| run_kept(connection, sql)) {
        tracing::error!("a write could not be ended alone, so its group is undone: {error}");
        drop(connection.execute_batch("ROLLBACK"));
    }
}

async fn commit_groups(group: Arc<Mutex<Group>>, finished: Arc<Notify>) {
    loop {
        finished.notified().await;
        let mut group = group.lock().await;
        let result = group.worker.call(commit).await;
        group.answer(result);
    }
}

fn commit(connection: &Connection) -> Result<()> {
    if connection.is_autocommit() {
        return Err(Error::Unavailable("the transaction was rolled back".into()));
    }
    run_kept(connection, "COMMIT").map_err(|error| {
        drop(connection.execute_batch("ROLLBACK"));
        Error::from(error)
    })
}

async fn checkpoint(worker: Worker) {
    let mut ticks = tokio::time::interval(CHECKPOINT_EVERY);
    loop {
        ticks.tick().await;
        let result =
            worker.call(|connection| Ok(connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?));
        if let Err(error) = result.await {
            tracing::warn!("the WAL could not be copied back: {error}");
        }
    }
}
