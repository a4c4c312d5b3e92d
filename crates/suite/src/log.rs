//! The log lines of the servers in a test.

use std::{
    io::{self, Write},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use tracing::{Dispatch, Level, subscriber::DefaultGuard};

/// A second subscriber. With a single one, `tracing` would cache a call site as disabled if a thread without a
/// subscriber reached it first.
static SOMEBODY_ELSE: LazyLock<Dispatch> = LazyLock::new(|| {
    Dispatch::new(tracing_subscriber::fmt().with_max_level(Level::INFO).with_writer(io::sink).finish())
});

/// The lines of all servers on this thread, from the creation of this value until it is dropped.
pub struct Log {
    lines: Lines,
    _listening: DefaultGuard,
}

impl Log {
    /// Starts recording.
    pub fn listen() -> Self {
        LazyLock::force(&SOMEBODY_ELSE);
        let lines = Lines::default();
        let writer = lines.clone();
        let subscriber = tracing_subscriber::fmt().with_max_level(Level::INFO).with_ansi(false);
        let subscriber = subscriber.with_writer(move || writer.clone()).finish();
        Self { lines, _listening: tracing::subscriber::set_default(subscriber) }
    }

    /// Returns the number of lines that contain this text.
    pub fn count(&self, text: &str) -> usize {
        let bytes = self.lines.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).lines().filter(|line| line.contains(text)).count()
    }
}

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
