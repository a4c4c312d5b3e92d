//! The clock of the house: the system's, adjusted to the database's, or frozen for tests.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

use model::timestamp::Timestamp;

/// A clock. Clones share the same time.
#[derive(Debug, Clone)]
pub struct Clock {
    is_frozen: bool,
    /// For a frozen clock, the time itself; otherwise the offset to the system's time.
    milliseconds: Arc<AtomicI64>,
}

impl Clock {
    /// The system's clock.
    pub fn system() -> Self {
        Self { is_frozen: false, milliseconds: Arc::default() }
    }

    /// A clock that stops until it is advanced.
    pub fn frozen(at: Timestamp) -> Self {
        Self { is_frozen: true, milliseconds: Arc::new(AtomicI64::new(at.millis())) }
    }

    /// The current time.
    pub fn now(&self) -> Timestamp {
        let moved = self.milliseconds.load(Ordering::Relaxed);
        Timestamp::from_millis(if self.is_frozen { moved } else { system_millis() + moved })
    }

    /// Advances a frozen clock.
    pub fn advance(&self, milliseconds: i64) {
        assert!(self.is_frozen, "only a frozen clock is moved by hand");
        self.milliseconds.fetch_add(milliseconds, Ordering::Relaxed);
    }

    /// Adopts the database's time, so that windows and days are the same on every node.
    #[boxed::future]
    pub async fn follow(&self, db: &database::Database) -> database::Result<()> {
        if !self.is_frozen {
            let offset = db.clock_offset(system_millis).await?;
            self.milliseconds.store(offset, Ordering::Relaxed);
        }
        Ok(())
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that reads the system's clock")]
fn system_millis() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
