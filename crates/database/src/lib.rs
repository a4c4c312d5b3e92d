//! Metadata on SQLite or PostgreSQL: one SQL text for both. SQL is written in this crate only.
//!
//! `engine` is the seam; everything else is one module a noun, with the rows it keeps.

pub mod access;
pub mod accounts;
pub mod catalogue;
pub mod content;
pub mod downloads;
pub mod engine;
pub mod events;
pub mod maintenance;
pub mod public_sync;
pub mod search;
pub mod signing;
pub mod usage;

#[cfg(any(test, feature = "testing", feature = "bulk"))]
pub mod testing;

pub use crate::engine::{
    collector_lock::CollectorLock,
    error::{Error, Result},
    process_lock::ProcessLock,
    tx::Tx,
};
pub use engine::{Database, Options, Read};
pub use scoped_futures::{ScopedBoxFuture, ScopedFutureExt};
