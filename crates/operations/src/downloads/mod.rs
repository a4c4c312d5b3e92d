//! Resolves paths for readers: to a file, an index, a checksum or a folder.
//!
//! Resolving a path writes nothing. Downloads are counted in memory and flushed every second.

mod checksum_file;
mod counting;
pub(crate) mod download_events;
mod find;
mod folder;
mod key_counts;
mod latest;
mod log_line;
mod package_counts;
mod package_index;
mod part;

pub mod download_logs;
pub mod signed_urls;

pub use crate::{
    access::admission::OriginRules,
    indexes::{IndexBytes, IndexContent},
};
pub use counting::{CompletedDownload, DownloadCounter};
pub use find::find;
pub use folder::{FileEntry, Folder, FolderEntry};
pub use key_counts::{Taking, delete_expired, take};
pub use latest::find_latest;

pub(crate) use crate::access::admission::{DownloadAttempt, admit, decide, wrong_origin};
pub(crate) use find::open;

use std::sync::Arc;

use model::{
    blob::Blob,
    id::{PackageId, RepoId, VersionId},
    timestamp::Timestamp,
};

use crate::cache::Dependence;

/// The target of a path.
#[derive(Debug, Clone)]
pub enum Resolved {
    /// Content in the blob store.
    File(ResolvedFile),
    /// A generated text: an index, a part of a file, or a checksum.
    Text(GeneratedText),
    /// A file of the repository's indexes.
    Index(ResolvedIndex),
    /// A folder that is not empty.
    Folder(Folder),
}

impl Resolved {
    /// The same if content at another path would be served instead.
    fn or_on_paths(mut self) -> Self {
        if let Self::File(file) = &mut self {
            file.depends_on = file.depends_on.or_on_paths();
        }
        self
    }
}

/// A file that the caller may read.
#[derive(Debug, Clone)]
pub struct ResolvedFile {
    /// The content.
    pub blob: Blob,
    /// The time of its publication, or of its upload while it is staged.
    pub changed: Timestamp,
    /// The cache policy of the response.
    pub keeping: CachePolicy,
    /// The ids of the repository that was asked and of the repository that contains the file.
    pub repo_ids: [RepoId; 2],
    /// What changes the response.
    pub depends_on: Dependence,
    /// The origins from which it may be downloaded.
    pub rules: OriginRules,
    /// The version that a download counts for; `None` for staged content, which is not counted.
    pub counted: Option<CountedVersion>,
    /// The media type, if it is another than the name's extension tells.
    pub media_type: Option<&'static str>,
}

/// A file of the repository's indexes.
#[derive(Debug, Clone)]
pub struct ResolvedIndex {
    /// Its content.
    pub content: Arc<IndexContent>,
    /// Its media type, if it is another than the name's extension tells.
    pub media_type: Option<&'static str>,
    /// The cache policy of the response.
    pub keeping: CachePolicy,
    /// The id of the repository.
    pub repo_id: RepoId,
    /// The origins from which it may be downloaded.
    pub rules: OriginRules,
}

/// A generated text. It may contain the marker of the repository's URL.
#[derive(Debug, Clone)]
pub struct GeneratedText {
    /// The text.
    pub content: Arc<str>,
    /// The time when it was generated.
    pub changed: Timestamp,
    /// The cache policy of the response.
    pub keeping: CachePolicy,
    /// The ids of the repository that was asked and of the repository that the text is about.
    pub repo_ids: [RepoId; 2],
    /// What changes the text.
    pub depends_on: Dependence,
    /// The origins from which it may be downloaded.
    pub rules: OriginRules,
    /// The media type, if it is another than the name's extension tells.
    pub media_type: Option<&'static str>,
    /// The content, if it is not text.
    pub bytes: Option<Vec<u8>>,
    /// Whether its MD5 is its entity tag.
    pub has_md5_tag: bool,
}

impl GeneratedText {
    /// A text that is made from a file, for those who may read the file.
    pub(crate) fn beside(file: &ResolvedFile, content: Arc<str>) -> Self {
        let (changed, keeping) = (file.changed, file.keeping.for_now());
        let (repo_ids, rules, depends_on) = (file.repo_ids, file.rules.clone(), file.depends_on.or_on_paths());
        let (media_type, bytes, has_md5_tag) = (None, None, false);
        Self { content, changed, keeping, repo_ids, depends_on, rules, media_type, bytes, has_md5_tag }
    }
}

/// The version that a download counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedVersion {
    /// The id of the package.
    pub package_id: PackageId,
    /// The id of the version.
    pub version_id: VersionId,
}

impl CachePolicy {
    /// The policy for content at a path that may show other content later.
    pub(crate) fn for_now(self) -> Self {
        if self == CachePolicy::Immutable { CachePolicy::Short } else { self }
    }
}

/// How long clients and proxies may cache a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CachePolicy {
    /// The content never changes.
    Immutable,
    /// The content may be replaced, which happens rarely.
    Short,
    /// The content changes with every publish.
    Revalidate,
    /// The content is not public.
    Private,
}
