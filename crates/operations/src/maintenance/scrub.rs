//! Holding stored content against its digests, all of it within a set time, and withholding what is wrong.
//!
//! What is damaged or missing is marked in its row: readers are told so and get nothing. It is healed by the next upload of
//! the same content, or from a replica or a backup that still has it.

mod examine;
mod heal;
mod pace;
mod pass;
mod recheck;
mod report;

pub use examine::Outcome;
pub use heal::heal_from;
pub use pass::run_now;
pub use report::{Listed, Status, list_damaged, status};

pub(crate) use crate::storage::suspects::Suspects;
pub(crate) use pass::continue_pass;
pub(crate) use recheck::{WithheldCursor, examine_suspects, examine_withheld};

pub use database::content::blobs::Blob;

use blobs::Location;

/// How content is held against its digests.
#[derive(Debug, Clone)]
pub struct Rules {
    /// Days within which all of it is read; 0 reads nothing.
    pub period_days: i64,
    /// The most bytes that are read in a second.
    pub bytes_per_second: u64,
    /// A second place that has the same content.
    pub replica: Option<Location>,
}
