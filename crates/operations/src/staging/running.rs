//! Which syncs are under way.

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

use crate::{Error, Result};

/// The most syncs of a server at once: each holds a request, and sends files, for minutes.
const AT_ONCE: usize = 8;

/// The versions that are being synced by this server.
#[derive(Debug, Default)]
pub(crate) struct Running(Mutex<HashSet<i64>>);

/// A version's turn, which ends when it is dropped.
#[derive(Debug)]
pub(super) struct Turn<'r> {
    running: &'r Running,
    version_id: i64,
}

impl Running {
    /// Takes the turn of a version that is not being synced.
    pub(super) fn begin(&self, version_id: i64) -> Result<Turn<'_>> {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if running.contains(&version_id) {
            return Err(Error::Conflict("This version is being synced already".into()));
        }
        if running.len() >= AT_ONCE {
            return Err(Error::Conflict("Too many versions are being synced; try again when one is done".into()));
        }
        running.insert(version_id);
        Ok(Turn { running: self, version_id })
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.running.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.version_id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_synced_once_at_a_time() {
        let running = Running::default();
        let turn = running.begin(1).expect("nobody else");
        running.begin(1).expect_err("it runs");
        let others: Vec<_> = (2..=8).map(|id| running.begin(id).expect("room")).collect();
        running.begin(9).expect_err("no room");
        drop((turn, others));
        running.begin(1).expect("nobody else");
    }
}
