//! One caller's share in the transaction of a group.
//!
//! Most members never roll back after they have written. A savepoint for each would copy every page that it writes, so
//! members have none by default: a rollback of one rolls back the whole transaction, and the others of its group run
//! again, this time each with a savepoint.

use std::{sync::Arc, time::Duration};

use rusqlite::{Connection, ErrorCode};
use tokio::sync::{Notify, OwnedMutexGuard, oneshot};

use crate::{
    Error, Result,
    engine::sqlite::{BUSY_TIMEOUT, Worker, writer::Group},
};

/// The extent of the rollback if a member fails after it has written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rollback {
    /// The whole transaction so far.
    Group,
    /// This member only; and it is not rolled back with others.
    Alone,
}

/// A member that is writing. If it is dropped without `finish`, it is rolled back.
pub(crate) struct GroupMember {
    group: Option<OwnedMutexGuard<Group>>,
    finished: Arc<Notify>,
    state: State,
}

enum State {
    /// Nothing is written yet.
    Beginning,
    /// The member has a savepoint.
    Apart,
    /// The member has no savepoint. The number is the connection's count of changed rows before it began.
    Among(u64),
}

impl GroupMember {
    /// Begins a member for the caller that holds the group. `patience` limits the wait for another process that holds
    /// the write lock.
    pub(crate) async fn begin(
        group: OwnedMutexGuard<Group>,
        finished: Arc<Notify>,
        undo: Rollback,
        patience: Duration,
    ) -> Result<Self> {
        // Created before the transaction is open, so that a caller that is cancelled meanwhile releases the group.
        let mut part = Self { group: Some(group), finished, state: State::Beginning };
        let group = part.group.as_mut().ok_or_else(ended)?;
        if open(group, patience).await? {
            // The transaction of the members that still wait ended without a commit.
            group.answer(&Err(Error::Unavailable("the transaction was rolled back".into())));
            group.is_careful = false;
        }
        group.is_careful |= undo == Rollback::Alone;
        part.state = if group.is_careful {
            group.worker.here(|connection| run_cached(connection, "SAVEPOINT work")).map(|()| State::Apart)?
        } else {
            State::Among(group.worker.here(Connection::total_changes))
        };
        Ok(part)
    }

    pub(crate) fn worker(&self) -> Result<&Worker> {
        Ok(&self.group.as_ref().ok_or_else(ended)?.worker)
    }

    /// Marks the member as writing, for changes that the count of changed rows does not include.
    pub(crate) fn touch(&mut self) {
        if let State::Among(before) = &mut self.state {
            *before = u64::MAX;
        }
    }

    /// Releases the group and waits until its transaction is durable.
    ///
    /// Cancelling cannot interrupt anything between the release and the commit: a caller that goes away only misses the
    /// answer.
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
                group.answer(&Err(Error::Again("the transaction was rolled back together with another one".into())));
            }
        }
        drop(group);
        // Other members of the group may wait for a commit that this member delayed.
        self.finished.notify_one();
    }
}

/// Returns whether a member has written nothing and will not: jobs that its caller queued may not have run yet.
fn is_untouched(worker: &Worker, before: u64) -> bool {
    worker.is_idle() && worker.here(|connection| connection.is_autocommit() || connection.total_changes() == before)
}

/// Opens a transaction if none is open, on the calling thread if that needs no waiting. Returns whether it opened one.
async fn open(group: &Group, patience: Duration) -> Result<bool> {
    if group.worker.is_idle()
        && let Some(is_new) = group.worker.here(|connection| try_open(connection, Duration::ZERO))?
    {
        return Ok(is_new);
    }
    let is_new = group.worker.call(move |connection| try_open(connection, patience)).await?;
    is_new.ok_or_else(|| Error::Unavailable("another process is writing".into()))
}

/// Like [`open`], but returns `None` if another process holds the write lock for longer than `patience`.
fn try_open(connection: &Connection, patience: Duration) -> Result<Option<bool>> {
    if !connection.is_autocommit() {
        return Ok(Some(false));
    }
    connection.busy_timeout(patience)?;
    let opened = run_cached(connection, "BEGIN IMMEDIATE");
    connection.busy_timeout(BUSY_TIMEOUT)?;
    match opened {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(None),
        Err(error) => Err(error.into()),
        Ok(()) => Ok(Some(true)),
    }
}

/// Runs one of the few statements that control a transaction. They stay prepared as well.
pub(crate) fn run_cached(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.raw_execute().map(drop)
}

/// Ends a savepoint. If that fails, the whole transaction is rolled back, and its commit reports that to all members.
fn end_savepoint(connection: &Connection, how: &[&str]) {
    if connection.is_autocommit() {
        return;
    }
    if let Err(error) = how.iter().try_for_each(|sql| run_cached(connection, sql)) {
        tracing::error!("ending a savepoint failed; its group is rolled back: {error}");
        drop(connection.execute_batch("ROLLBACK"));
    }
}

fn ended() -> Error {
    Error::Broken("the transaction has ended".into())
}
