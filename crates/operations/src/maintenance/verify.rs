//! Checks the consistency of the stored data: rows against the store, the store against rows, counts against the rows
//! that they count.
//!
//! A check can run next to a working server. Every suspected problem is checked again before it is reported, because
//! the data may just have changed.

mod content;
mod counts;
mod orphans;

pub(crate) use content::{Flaw, read_flaw};

use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
};

use model::{blob::BlobTotals, digest::Digest};

use crate::{House, Result};

/// The scope of a check, and repairs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Compare only sizes, without reading the bytes.
    pub is_quick: bool,
    /// Remove content without a row from the store.
    pub removes_orphans: bool,
}

/// An inconsistency. As text, it is one line that starts with its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// The store lacks the content of a file.
    Missing {
        /// The content.
        digest: Digest,
        /// The file.
        file: String,
    },
    /// The content of a file is damaged.
    Damaged {
        /// The content.
        digest: Digest,
        /// The file.
        file: String,
        /// A description of the damage.
        reason: String,
    },
    /// The store has content without a row.
    Orphan {
        /// The content.
        digest: Digest,
        /// The size in bytes.
        bytes: u64,
        /// Whether it was removed.
        is_removed: bool,
    },
    /// A stored count differs from the rows.
    Miscounted {
        /// The kind of count.
        what: &'static str,
        /// The name of the counted object.
        name: String,
        /// The stored count.
        kept: i64,
        /// The count that follows from the rows.
        found: i64,
    },
}

impl Finding {
    /// Whether no further action is needed.
    pub fn is_settled(&self) -> bool {
        matches!(self, Finding::Orphan { is_removed: true, .. })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Missing { digest, file } => write!(f, "missing {digest} {file}"),
            Finding::Damaged { digest, file, reason } => write!(f, "damaged {digest} {file}: {reason}"),
            Finding::Orphan { digest, bytes, is_removed: false } => write!(f, "orphan {digest} of {bytes} bytes"),
            Finding::Orphan { digest, bytes, is_removed: true } => {
                write!(f, "orphan {digest} of {bytes} bytes: removed")
            }
            Finding::Miscounted { what, name, kept, found } => {
                write!(f, "miscounted {what} of {name}: {kept} instead of {found}")
            }
        }
    }
}

/// The progress of a check or a copy.
#[derive(Debug, Default)]
pub struct Progress {
    blobs: AtomicU64,
    bytes: AtomicU64,
    expected_blobs: AtomicU64,
    expected_bytes: AtomicU64,
}

impl Progress {
    /// The number of blobs processed so far.
    pub fn blobs(&self) -> u64 {
        self.blobs.load(Ordering::Relaxed)
    }

    /// The number of bytes of these blobs.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// The number of blobs to process and their bytes, once it is known.
    pub fn expected(&self) -> Option<(u64, u64)> {
        let blobs = self.expected_blobs.load(Ordering::Relaxed);
        (blobs > 0).then(|| (blobs, self.expected_bytes.load(Ordering::Relaxed)))
    }

    pub(crate) fn expect(&self, totals: BlobTotals) {
        self.expected_bytes.store(totals.bytes.unsigned_abs(), Ordering::Relaxed);
        self.expected_blobs.store(totals.blobs.unsigned_abs(), Ordering::Relaxed);
    }

    pub(crate) fn add(&self, bytes: u64) {
        self.blobs.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Checks everything, and reports each finding as it is made.
pub async fn verify(
    house: &House,
    options: Options,
    progress: &Progress,
    mut report: impl FnMut(Finding),
) -> Result<()> {
    content::verify(house, options, progress, &mut report).await?;
    orphans::verify(house, options, &mut report).await?;
    counts::verify(house, &mut report).await
}
