//! Copies of a whole house in a folder, and houses made from them.
//!
//! ```text
//! folder/
//! ├── manifest.json                  what the backup holds; the last file to be written
//! ├── packhouse-20260115T1200….db    all rows of one moment, as SQLite has them
//! ├── sha256/ab/cd/abcd0123…         content, named as in a store
//! └── master.key                     only when it was asked for
//! ```
//!
//! Rows come first and content after them: content does not change, and none that the rows name goes meanwhile, since a
//! backup has the turn of the collector. A folder is used again and again: what it has is not copied twice, and until the
//! new manifest is there, the old backup is whole.
//!
//! A house moves to other stores in the same steps, without the folder in between.

mod content;
mod files;
mod manifest;
mod migrate;
mod restore;
mod take;

pub use migrate::migrate;
pub use restore::{EmptyStores, restore};
pub use take::{Options, take};

use database::maintenance::garbage::BlobTotals;
use std::collections::BTreeMap;

/// What a backup holds, or what was made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Rows, by table.
    pub rows: BTreeMap<String, i64>,
    /// All content.
    pub content: BlobTotals,
    /// What of it had to be copied.
    pub copied: BlobTotals,
}
