//! Whether the server is stopping.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Whether the server is stopping. While it is, each response ends its connection. Clones share the state.
#[derive(Debug, Clone, Default)]
pub struct Draining(Arc<AtomicBool>);

impl Draining {
    /// Marks the server as stopping.
    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the server is stopping.
    pub fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
