//! Holding what is kept against itself: rows against the store, the store against rows, counts against what they count.
//!
//! It runs beside a server that works. What looks wrong is looked at again before it is reported: it may just have
//! changed.

mod content;
mod counts;
mod orphans;

pub(crate) use content::{Flaw, read_flaw};

use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
};

use model::digest::Digest;

use crate::{House, Result};

/// What is looked at, and what is done about it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Sizes are enough; the bytes are not read.
    pub is_quick: bool,
    /// Content without a row is removed from the store.
    pub removes_orphans: bool,
}

/// Something that is not as it should be; as text, one line that begins with its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// A file has content that the store has not.
    Missing {
        /// The content.
        digest: Digest,
        /// The file.
        file: String,
    },
    /// A file has content that is not what it was.
    Damaged {
        /// The content.
        digest: Digest,
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The store has content that no row knows of.
    Orphan {
        /// The content.
        digest: Digest,
        /// Its size.
        bytes: u64,
        /// Whether it was removed.
        is_removed: bool,
    },
    /// A number is not what follows from the rows.
    Miscounted {
        /// What is counted.
        what: &'static str,
        /// Of which thing.
        name: String,
        /// What is kept.
        kept: i64,
        /// What follows from the rows.
        found: i64,
    },
}

impl Finding {
    /// Whether nothing is left to be done about it.
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

/// How far it is, for those who watch.
#[derive(Debug, Default)]
pub struct Progress {
    blobs: AtomicU64,
    bytes: AtomicU64,
}

impl Progress {
    /// Blobs that have been looked at.
    pub fn blobs(&self) -> u64 {
        self.blobs.load(Ordering::Relaxed)
    }

    /// Bytes that those have.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    pub(crate) fn add(&self, bytes: u64) {
        self.blobs.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Looks at everything, and hands on each finding as it comes.
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
