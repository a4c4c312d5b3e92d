//! Collects content that no file refers to. The rows decide what is garbage, never a listing of the store.
//!
//! Content is removed in steps, and a process may stop between any two of them: the blob is unreferenced since some
//! time; it is marked, so that no upload reuses it; the store removes it; its row is deleted. Uploads of the same
//! content wait for the last two steps, which take a moment.

mod clock_watch;
mod collector;
mod last_run;
mod on_demand;
pub(crate) mod schedule;

pub use last_run::{LastRun, show};
pub use on_demand::{Report, collect, preview};

pub use model::blob::BlobTotals;

pub(crate) use crate::maintenance::garbage::schedule::{COLLECTOR, run_collector};
pub(crate) use collector::Collector;

const HOUR_MS: i64 = 3_600_000;
