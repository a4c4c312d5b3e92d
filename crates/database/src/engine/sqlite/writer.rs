//! The one writer of SQLite, which commits for a group.
//!
//! A commit costs a disk sync, so writers that wait share one: each adds its part to the open transaction, and the
//! committer stands in the same fair queue behind them. A lone writer finds the committer right behind it.

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

/// How long a write waits for its turn before the caller is told to come back.
const TURN_TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) struct Writer {
    group: Arc<Mutex<Group>>,
    finished: Arc<Notify>,
    _committer: Committer,
    copying: JoinHandle<()>,
}

/// Whoever waits for a commit.
type Waiting = oneshot::Sender<Result<()>>;

/// The open transaction: its connection, and who waits for its commit. At most all callers of the server wait here.
pub(crate) struct Group {
    pub(crate) worker: Worker,
    pub(crate) waiting: Vec<Waiting>,
    /// Whether one of its parts may not suffer from those after it.
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

    /// Waits for the turn and begins a part. Who has waited for others that another process held up waits no longer for
    /// that one.
    pub(crate) async fn begin(&self, undo: Rollback) -> Result<GroupMember> {
        let asked = Instant::now();
        let turn = tokio::time::timeout(TURN_TIMEOUT, self.group.clone().lock_owned()).await;
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
    /// Tells all who wait how it ended.
    pub(crate) fn answer(&mut self, result: &Result<()>) {
        answer(std::mem::take(&mut self.waiting), result);
    }
}

/// Tells callers how their transaction ended.
pub(crate) fn answer(waiting: Vec<Waiting>, result: &Result<()>) {
    for caller in waiting {
        // A caller that went away does not need the answer.
        drop(caller.send(result.clone()));
    }
}
