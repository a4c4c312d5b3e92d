//! The state of a server that is about to stop.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Whether the server is stopping: each response ends its connection then. Clones share the state.
#[derive(Debug, Clone, Default)]
pub struct Draining(Arc<AtomicBool>);

impl Draining {
    /// From now on the server is stopping.
    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the server is stopping.
    pub fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
