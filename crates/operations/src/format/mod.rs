//! The interface of a repository format: it assigns paths, reads facts from content, builds indexes of published files,
//! and understands the requests of its own clients. Storing, publishing, serving and access are the same for all formats
//! and are not part of it.

mod commands;
mod content;
mod images;
mod indexes;
mod native;
mod native_change;
mod question;
mod repo_indexes;
mod route;
mod sent;
mod stream_log;
mod upload_hints;
mod view;

use std::cmp::Ordering;

use model::{
    checksum::ChecksumFile,
    digest::Digest,
    file_path::FilePath,
    names::{PackageName, VersionName},
    timestamp::Timestamp,
};

pub use commands::{Command, CommandPlace};
pub use content::Content;
pub use images::{ConfigView, HistoryStep, ImageReader, ImageSummary, LayerView, ManifestEntry, ManifestView};
pub use indexes::{FolderIndexes, IndexFrame, IndexSections, IndexText, PackageIndexes, build_joined};
pub use native::{Dialect, Native, NativeAnswer, Refusal};
pub use native_change::NativeChange;
pub use question::{DraftView, PackageDrafts, PackageSummary, Publisher, Question, Rows};
pub use repo_indexes::{
    BuiltForm, BuiltStream, Frame, IndexSigning, RepoIndexes, Sealed, SealedContent, SealedFile, StreamEntry,
    StreamPair, WrappedStream,
};
pub use route::{Body, NativeCall, NativeMethod, NativeRequest, NativeRoute};
pub use sent::{Accepted, ListedFile, NativeFile, NativeProfile, NativePublish, Sent, SentFile};
pub use stream_log::{LogChange, LogGroup, StreamLog};
pub use upload_hints::UploadHints;
pub use view::{FileView, MarkView, PackageView, VersionView};

/// A repository format. All methods are pure: they see values and never stores.
pub trait Format: Send + Sync + std::fmt::Debug {
    /// The `type` of the repositories that use it.
    fn name(&self) -> &'static str;

    /// Its name for people.
    fn title(&self) -> &'static str;

    /// Classifies a path in such a repository; returns the reason if no file of the format may be there.
    fn classify(&self, path: &FilePath) -> Result<PathKind, String>;

    /// Whether every path contains its version. Uploads that name no version are classified by the format that says so,
    /// whatever the format of their repository.
    fn names_versions(&self) -> bool {
        false
    }

    /// Returns whether a file at this path never changes once its version is closed; builds of a snapshot may be
    /// uploaded again.
    fn is_lasting(&self, _path: &FilePath) -> bool {
        true
    }

    /// Returns whether a file at this path is inspected.
    fn inspects(&self, _path: &FilePath) -> bool {
        false
    }

    /// Inspects a file's content and returns what indexes need later, or the reason of a rejection.
    fn inspect(&self, _path: &FilePath, _content: &mut dyn Content) -> Result<Inspected, String> {
        Ok(Inspected::default())
    }

    /// Whether repositories of this format hold container images, which clients push and pull below `/v2`.
    fn holds_images(&self) -> bool {
        self.image_reader().is_some()
    }

    /// Reads container images, if its repositories hold them.
    fn image_reader(&self) -> Option<&dyn ImageReader> {
        None
    }

    /// Whether indexes contain SHA-512 checksums, so that uploads compute them.
    fn needs_sha512(&self) -> bool {
        false
    }

    /// The names that a file takes for its repository. They stay taken after it was deleted.
    fn taken_names(&self, _path: &FilePath, _sha256: Digest) -> Vec<TakenName> {
        Vec::new()
    }

    /// The file that the document at this path is a part of, such as the metadata inside a wheel. It is never stored,
    /// but made on request from what [`Format::inspect`] has found in the file.
    fn main_file(&self, _path: &FilePath) -> Option<FilePath> {
        None
    }

    /// The file that is served at this path if no file is there, such as a package for all architectures in the folder of
    /// each.
    fn stand_in(&self, _path: &FilePath) -> Option<FilePath> {
        None
    }

    /// Makes the document at this path from what [`Format::inspect`] has found in its main file.
    fn part_text(&self, _path: &FilePath, _about: &[u8]) -> Option<String> {
        None
    }

    /// The same, for documents that also say when their main file was published.
    fn dated_part_text(&self, path: &FilePath, about: &[u8], _published: Timestamp) -> Option<String> {
        self.part_text(path, about)
    }

    /// Makes a document that is not text in the same way.
    fn part_bytes(&self, _path: &FilePath, _about: &[u8]) -> Option<Vec<u8>> {
        None
    }

    /// Rejects a file whose path does not fit to its package and version. Only for formats whose paths name both, but
    /// cannot be split into them.
    fn check_owner(&self, _path: &FilePath, _package: &str, _version: &str) -> Result<(), String> {
        Ok(())
    }

    /// Whether the entity tag of the index at this path is its MD5, because clients compare it with the content.
    fn has_md5_tag(&self, _path: &FilePath) -> bool {
        false
    }

    /// Whether a whole GET of the file at this path counts as a download of its version.
    fn is_counted(&self, _path: &FilePath) -> bool {
        true
    }

    /// The media type of a file or index, if it is another than the name's extension tells.
    fn media_type(&self, _path: &FilePath) -> Option<&'static str> {
        None
    }

    /// Compares two versions in the order of the ecosystem.
    fn compare(&self, left: &str, right: &str) -> Ordering;

    /// Returns whether a version is a pre-release, which is never the latest version while a release exists.
    fn is_prerelease(&self, version: &str) -> bool;

    /// Its indexes of folders, if it has any.
    fn folder_indexes(&self) -> Option<&dyn FolderIndexes> {
        None
    }

    /// Its indexes of packages, if it has any.
    fn package_indexes(&self) -> Option<&dyn PackageIndexes> {
        None
    }

    /// Its indexes of whole repositories, if it has any.
    fn repo_indexes(&self) -> Option<&dyn RepoIndexes> {
        None
    }

    /// The names of upload parameters that it understands.
    fn hints(&self) -> &'static [&'static str] {
        &[]
    }

    /// The facts that belong to a file at its path, from what its upload says and what its inspection has found; or the
    /// reason of a rejection.
    fn place(
        &self,
        _path: &FilePath,
        _hints: &UploadHints<'_>,
        inspected: &Inspected,
    ) -> Result<Option<Facts>, String> {
        Ok(inspected.facts.clone())
    }

    /// The requests of its own clients, if they do more than to fetch files.
    fn native(&self) -> Option<&dyn Native> {
        None
    }

    /// The lines that a reader pastes to install from a repository or a package in it, one command for each client.
    fn commands(&self, _place: &CommandPlace<'_>) -> Vec<Command> {
        Vec::new()
    }

    /// The number of leading bytes of a file that [`Format::release_gaps`] needs.
    fn released_bytes(&self, _path: &FilePath) -> Option<usize> {
        None
    }

    /// Lists all problems that prevent the published files of a version from being accepted by a public registry. The
    /// files that [`Format::released_bytes`] selects come with their content. By default, no version is accepted.
    fn release_gaps(&self, _files: &[ReleaseFile]) -> Vec<String> {
        vec!["The repository is not of the type 'maven'".to_owned()]
    }
}

/// A file to release to a public registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseFile {
    /// Its path in the repository.
    pub path: FilePath,
    /// Its first bytes, if the format needs them.
    pub content: Option<Vec<u8>>,
}

/// The kind of a path in a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathKind {
    /// A file of a version.
    Payload(PathOwner),
    /// The checksum of another file: compared on upload, computed on download.
    Checksum(ChecksumFile),
    /// An index that the server builds: uploads to it are ignored, because clients of the format send them.
    Index,
    /// A name that the server needs itself: uploads to it are rejected.
    Reserved,
}

/// The package and the version that a path names. Uploads of the file must agree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathOwner {
    /// The package, if the path contains it.
    pub package: Option<PackageName>,
    /// The version, if the path contains it.
    pub version: Option<VersionName>,
}

/// What a format has found in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inspected {
    /// A short text that belongs to the file at its path and is stored in its row.
    pub facts: Option<Facts>,
    /// What indexes are made of. It depends on the bytes only, and is stored once for each content and format.
    pub about: Option<Vec<u8>>,
}

/// The facts that a format stores about a file, in its own notation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts(pub String);

/// A name in a repository that one thing takes for ever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenName {
    /// The name, in the notation of the format.
    pub key: String,
    /// What takes it. The same holder may take it again while its version exists, and also later if it is `lasting`.
    pub holder: String,
    /// Whether the same holder may come back after its version was deleted.
    pub is_lasting: bool,
}

/// A published file, as input for an index of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedFile {
    /// Its path in the repository.
    pub path: FilePath,
    /// The facts that the format stores about it.
    pub facts: Option<Facts>,
    /// The time it was published, in milliseconds since the start of 1970.
    pub published: i64,
}
