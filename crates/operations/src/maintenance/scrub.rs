//! Compares all stored content with its digests within a configured period, and withholds damaged content.
//!
//! Damaged or missing content is marked in its row: readers get an error instead of the content. It is healed by the
//! next upload of the same content, or from a replica or a backup that still has it.

mod examine;
mod heal;
mod pace;
mod pass;
mod recheck;
mod report;

pub use examine::ExaminationOutcome;
pub use heal::heal_from;
pub use pass::run_now;
pub use report::{DamagedContent, Status, list_damaged, status};

pub(crate) use crate::storage::suspects::Suspects;
pub(crate) use pass::continue_pass;
pub(crate) use recheck::{WithheldCursor, examine_suspects, examine_withheld};

use blobs::Location;
pub use model::blob::Blob;

/// The settings of the scrub.
#[derive(Debug, Clone)]
pub struct Rules {
    /// The number of days within which all content is read; 0 disables the scrub.
    pub period_days: i64,
    /// The maximum number of bytes read per second.
    pub bytes_per_second: u64,
    /// A second store that has the same content.
    pub replica: Option<Location>,
}
