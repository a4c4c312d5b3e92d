//! Records completed transfers, for tests.

use std::sync::{Arc, Mutex};

use crate::downloads::Completed;

/// Collects the number of bytes that each completed transfer sent.
#[derive(Clone, Default)]
pub(crate) struct CompletedTransfers(Arc<Mutex<Vec<u64>>>);

impl CompletedTransfers {
    pub(crate) fn completed(&self) -> Completed {
        let transfers = self.clone();
        Box::new(move |bytes| transfers.0.lock().expect("no test panics with the lock").push(bytes))
    }

    pub(crate) fn all(&self) -> Vec<u64> {
        self.0.lock().expect("no test panics with the lock").clone()
    }
}
