//! Reading what is published: which file, index, checksum or folder a path means to a caller.
//!
//! Nothing here writes. What was read is noted in memory and written down once a second.

mod checksum_file;
mod counting;
pub(crate) mod download_events;
mod find;
mod folder;
mod key_counts;
mod latest;
mod log_line;
mod package_counts;

pub mod download_logs;
pub mod signed_urls;

pub use crate::access::admission::OriginRules;
pub use counting::{CompletedDownload, DownloadCounter};
pub use find::find;
pub use folder::{Entry, FileEntry, Folder};
pub use key_counts::{Taking, forget, take};
pub use latest::find_latest;

pub(crate) use crate::access::admission::{DownloadAttempt, admit, decide, wrong_origin};
pub(crate) use find::open;

use std::sync::Arc;

use database::content::blobs::Blob;
use model::timestamp::Timestamp;

/// What a path means.
#[derive(Debug, Clone)]
pub enum Resolved {
    /// Content of the store.
    File(ResolvedFile),
    /// A small text that the server makes: an index, or a checksum.
    Text(GeneratedText),
    /// A folder with something in it.
    Folder(Folder),
}

/// A file that may be read.
#[derive(Debug, Clone)]
pub struct ResolvedFile {
    /// Its content.
    pub blob: Blob,
    /// When readers were shown it; when it came, for what is staged.
    pub changed: Timestamp,
    /// How long answers about it may be kept.
    pub keeping: CachePolicy,
    /// The keys of the repositories it was found through and in.
    pub repo_ids: [i64; 2],
    /// From where it may be downloaded.
    pub rules: OriginRules,
    /// What a download of it counts for; what is staged does not count.
    pub counted: Option<CountedVersion>,
}

/// A small text that the server makes.
#[derive(Debug, Clone)]
pub struct GeneratedText {
    /// The text.
    pub content: Arc<str>,
    /// When it was made.
    pub changed: Timestamp,
    /// How long answers about it may be kept.
    pub keeping: CachePolicy,
}

/// What a download counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedVersion {
    /// The key of the package.
    pub package_id: i64,
    /// The key of the version.
    pub version_id: i64,
}

impl CachePolicy {
    /// The same for what is shown at a path and may be something else there later.
    pub(crate) fn for_now(self) -> Self {
        if self == CachePolicy::Immutable { CachePolicy::Short } else { self }
    }
}

/// How long clients and proxies may keep an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CachePolicy {
    /// It can no longer change.
    Immutable,
    /// It may be replaced, which happens rarely.
    Short,
    /// It changes with every publish.
    Revalidate,
    /// It is not for everyone.
    Private,
}
