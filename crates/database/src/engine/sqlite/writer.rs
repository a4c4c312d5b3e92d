//! SQLite's single writer, which commits in groups.
//!
//! A commit costs a disk sync, so waiting writers share one: each adds its writes to the open transaction, and the
//! committer waits in the same fair queue behind them. A lone writer is followed by the committer immediately.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{
    sync::{Mutex, Notify, oneshot},
    task::JoinHandle,
};

use crate::{
    Error, Result,
    engine::sqlite::{
        BUSY_TIMEOUT, Worker,
        committer::Committer,
        group_member::{GroupMember, Rollback},
        wal::{self, Wal},
    },
};

/// The time that a write waits for the lock of the group before the caller is asked to retry.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) struct Writer {
    group: Arc<Mutex<Group>>,
    finished: Arc<Notify>,
    _committer: Committer,
    copying: JoinHandle<()>,
}

/// A caller that waits for a commit.
type Waiting = oneshot::Sender<Result<()>>;

/// The open transaction: its connection, and the callers that wait for its commit. Their number is bounded by the
/// callers of the server.
pub(crate) struct Group {
    pub(crate) worker: Worker,
    pub(crate) waiting: Vec<Waiting>,
    /// Whether one of its members must not be rolled back by those after it.
    pub(crate) is_careful: bool,
}

impl Writer {
    pub(crate) fn start(path: &Path) -> Result<Writer> {
        let worker = Worker::start(path, "write")?;
        worker.here(wal::prepare)?;
        let group = Group { worker, waiting: Vec::new(), is_careful: false };
        let (group, finished) = (Arc::new(Mutex::new(group)), Arc::new(Notify::new()));
        let committer = Committer::start(group.clone(), finished.clone(), Wal::of(path))?;
        let copying = tokio::spawn(wal::copy_back(Worker::start(path, "checkpoint")?));
        Ok(Writer { group, finished, _committer: committer, copying })
    }

    /// Waits for the lock of the group and begins a member. The time spent waiting behind others counts towards the
    /// wait for another process's write lock.
    pub(crate) async fn begin(&self, undo: Rollback) -> Result<GroupMember> {
        let asked = Instant::now();
        let turn = tokio::time::timeout(LOCK_TIMEOUT, self.group.clone().lock_owned()).await;
        let group = turn.map_err(|_| Error::Unavailable("too many writers wait".into()))?;
        let patience = BUSY_TIMEOUT.saturating_sub(asked.elapsed());
        GroupMember::begin(group, self.finished.clone(), undo, patience).await
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.copying.abort();
    }
}

impl Group {
    /// Sends the result to all waiting callers.
    pub(crate) fn answer(&mut self, result: &Result<()>) {
        answer(std::mem::take(&mut self.waiting), result);
    }
}

/// Sends callers the result of their transaction.
pub(crate) fn answer(waiting: Vec<Waiting>, result: &Result<()>) {
    for caller in waiting {
        // A cancelled caller does not need the result.
        drop(caller.send(result.clone()));
    }
}
