//! Collecting content that no file has any more. Garbage is what the rows say, never what a store happens to list.
//!
//! Content goes in steps, and a process may stop between any two of them: it is loose since some time; it is condemned,
//! so that no upload takes it up; the store removes it; its row is forgotten. Uploads of the same content wait for the
//! last two, which take a moment.

mod clock_watch;
mod collector;
mod last_run;
mod on_demand;
pub(crate) mod schedule;

pub use last_run::{LastRun, show};
pub use on_demand::{Report, collect, preview};

pub(crate) use crate::maintenance::garbage::schedule::{COLLECTOR, run_collector};
pub(crate) use collector::Collector;

pub use database::maintenance::garbage::BlobTotals;

const HOUR_MS: i64 = 3_600_000;
