//! Backs up a whole house to a folder, and restores houses from it.
//!
//! ```text
//! folder/
//! ├── manifest.json                  the contents of the backup; written last
//! ├── packhouse-20260115T1200….db    a snapshot of all rows, as an SQLite database
//! ├── layout, sha256/ab/abcd0123…    content, as in a blob store; older backups have `sha256/ab/cd/abcd0123…`
//! └── master.key                     only on request
//! ```
//!
//! Rows are copied first and content after them. Content does not change, and none that the rows refer to is removed in
//! the meantime, because a backup has the collector lock. A folder can be reused: content that it already has is not
//! copied again, and until the new manifest is written, the old backup stays complete.
//!
//! A migration of a house to other stores takes the same steps, without the folder in between.

mod content;
mod files;
mod manifest;
mod migrate;
mod restore;
mod take;

pub use migrate::migrate;
pub use restore::{EmptyStores, restore};
pub use take::{Options, take};

use model::blob::BlobTotals;
use std::collections::BTreeMap;

/// The contents of a backup, or of the house that was restored from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Rows, by table.
    pub rows: BTreeMap<String, i64>,
    /// All content.
    pub content: BlobTotals,
    /// The part of the content that had to be copied.
    pub copied: BlobTotals,
}
