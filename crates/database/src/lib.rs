//! Metadata on SQLite or PostgreSQL, with one SQL text for both. Only this crate contains SQL.
//!
//! `engine` is the interface to both; every other module covers one noun and the rows that belong to it.

pub mod access;
pub mod accounts;
pub mod catalogue;
pub mod content;
pub mod downloads;
pub mod engine;
pub mod events;
pub mod indexes;
pub mod maintenance;
pub mod oci;
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
pub use engine::{Database, Options, PoolStatus, migrations::PendingStep, read::Read};
pub use scoped_futures::{ScopedBoxFuture, ScopedFutureExt};
