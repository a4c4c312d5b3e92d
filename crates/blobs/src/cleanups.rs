//! Tracks when the temporaries of finished uploads are removed, because uploads do not wait for the removal.

use tokio::sync::watch;

/// Counts the temporaries that exist.
#[derive(Clone, Debug, Default)]
pub(crate) struct TemporaryCount(watch::Sender<usize>);

/// Exists as long as one temporary exists.
#[derive(Debug)]
pub(crate) struct TemporaryGuard(watch::Sender<usize>);

impl TemporaryCount {
    /// Counts one more temporary until the guard is dropped.
    pub(crate) fn count_one(&self) -> TemporaryGuard {
        self.0.send_modify(|count| *count += 1);
        TemporaryGuard(self.0.clone())
    }

    /// Waits until no temporary is left.
    pub(crate) async fn wait_for_cleanups(&self) {
        let none_left = self.0.subscribe().wait_for(|count| *count == 0).await.is_ok();
        debug_assert!(none_left, "the sender outlives the wait");
    }
}

impl Drop for TemporaryGuard {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}
