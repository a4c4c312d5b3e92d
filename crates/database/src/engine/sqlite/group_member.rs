//! One caller's part of the transaction of a group.
//!
//! Most parts are never undone once they have written. A savepoint for each would copy every page that it writes, so a
//! part has none: when it is undone, the whole transaction is, and the others of its group run again, this time each
//! with a savepoint.

use std::{sync::Arc, time::Duration};

use rusqlite::{Connection, ErrorCode};
use tokio::sync::{Notify, OwnedMutexGuard, oneshot};

use crate::{
    Error, Result,
    engine::sqlite::{BUSY_TIMEOUT, Worker, writer::Group},
};

/// What is undone with a part that fails when it has written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rollback {
    /// All of the transaction so far.
    Group,
    /// That part; and it is not undone with others.
    Alone,
}

/// A part that is being written. Dropped without `finish`, it is undone.
pub(crate) struct GroupMember {
    group: Option<OwnedMutexGuard<Group>>,
    finished: Arc<Notify>,
    state: State,
}

enum State {
    /// Nothing is written yet.
    Beginning,
    /// It has a savepoint.
    Apart,
    /// It has none; so many rows had been changed on its connection before.
    Among(u64),
}

impl GroupMember {
    /// Begins a part for whoever has the turn, with some patience for another process that holds the write lock.
    pub(crate) async fn begin(
        group: OwnedMutexGuard<Group>,
        finished: Arc<Notify>,
        undo: Rollback,
        patience: Duration,
    ) -> Result<Self> {
        // Made before the transaction is open, so that a caller who goes away meanwhile gives the turn on.
        let mut part = Self { group: Some(group), finished, state: State::Beginning };
        let group = part.group.as_mut().ok_or_else(ended)?;
        if open(group, patience).await? {
            // The transaction of those who still wait has ended without its commit.
            group.answer(&Err(Error::Unavailable("the transaction was rolled back".into())));
            group.is_careful = false;
        }
        group.is_careful |= undo == Rollback::Alone;
        part.state = if group.is_careful {
            group.worker.here(|connection| run_kept(connection, "SAVEPOINT work")).map(|()| State::Apart)?
        } else {
            State::Among(group.worker.here(Connection::total_changes))
        };
        Ok(part)
    }

    pub(crate) fn worker(&self) -> Result<&Worker> {
        Ok(&self.group.as_ref().ok_or_else(ended)?.worker)
    }

    /// Notes that it is about to write what no count of rows tells.
    pub(crate) fn touch(&mut self) {
        if let State::Among(before) = &mut self.state {
            *before = u64::MAX;
        }
    }

    /// Gives the turn on and waits until the group is durable.
    ///
    /// Nothing here can be cut off between the release and the commit: a caller that goes away only misses the answer.
    pub(crate) async fn finish(mut self) -> Result<()> {
        let (sender, committed) = oneshot::channel();
        if let Some(mut group) = self.group.take() {
            if matches!(self.state, State::Apart) {
                group.worker.here(|connection| end_savepoint(connection, &["RELEASE work"]));
            }
            group.waiting.push(sender);
        }
        self.finished.notify_one();
        committed.await.unwrap_or_else(|_| Err(Error::Unavailable("the server is stopping".into())))
    }
}

impl Drop for GroupMember {
    fn drop(&mut self) {
        let Some(mut group) = self.group.take() else { return };
        match self.state {
            State::Beginning => {}
            State::Apart => {
                group.worker.soon(|connection| end_savepoint(connection, &["ROLLBACK TO work", "RELEASE work"]));
            }
            State::Among(before) if is_untouched(&group.worker, before) => {}
            State::Among(_) => {
                group.worker.soon(|connection| drop(connection.execute_batch("ROLLBACK")));
                group.answer(&Err(Error::Again("another's write was undone, and this one with it".into())));
            }
        }
        drop(group);
        // Others of the group may wait for a commit that this writer's turn held up.
        self.finished.notify_one();
    }
}

/// Whether a part has written nothing, and will not: what its caller has asked for may still be to come.
fn is_untouched(worker: &Worker, before: u64) -> bool {
    worker.is_idle() && worker.here(|connection| connection.is_autocommit() || connection.total_changes() == before)
}

/// Opens a transaction when none is open, here when that takes no waiting, and says whether it did.
async fn open(group: &Group, patience: Duration) -> Result<bool> {
    if group.worker.is_idle()
        && let Some(is_new) = group.worker.here(|connection| try_open(connection, Duration::ZERO))?
    {
        return Ok(is_new);
    }
    let is_new = group.worker.call(move |connection| try_open(connection, patience)).await?;
    is_new.ok_or_else(|| Error::Unavailable("another process writes".into()))
}

/// The same, unless another process holds the write lock for longer.
fn try_open(connection: &Connection, patience: Duration) -> Result<Option<bool>> {
    if !connection.is_autocommit() {
        return Ok(Some(false));
    }
    connection.busy_timeout(patience)?;
    let opened = run_kept(connection, "BEGIN IMMEDIATE");
    connection.busy_timeout(BUSY_TIMEOUT)?;
    match opened {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(None),
        Err(error) => Err(error.into()),
        Ok(()) => Ok(Some(true)),
    }
}

/// Runs one of the few statements around those of a transaction, which stay prepared as well.
pub(crate) fn run_kept(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.raw_execute().map(drop)
}

/// Ends a savepoint. When that fails, the whole transaction is undone, and its commit tells everyone.
fn end_savepoint(connection: &Connection, how: &[&str]) {
    if connection.is_autocommit() {
        return;
    }
    if let Err(error) = how.iter().try_for_each(|sql| run_kept(connection, sql)) {
        tracing::error!("a write could not be ended alone, so its group is undone: {error}");
        drop(connection.execute_batch("ROLLBACK"));
    }
}

fn ended() -> Error {
    Error::Broken("the transaction has ended".into())
}
