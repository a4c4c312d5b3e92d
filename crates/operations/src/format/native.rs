//! What the bodies of native requests mean, and what the answers look like.

use std::collections::BTreeMap;

use model::{
    digest::Digest,
    file_path::FilePath,
    names::{PackageName, VersionName},
};

use crate::format::{Facts, NativeCall, NativeRoute, Rows};

/// The requests of a format's own clients. Everything is pure: bytes are stored and hashed before it sees them.
pub trait Native: Send + Sync {
    /// The form of failures.
    fn dialect(&self) -> Dialect;

    /// The requests, the first that matches counts. GETs that match none fetch files.
    fn routes(&self) -> &'static [NativeRoute];

    /// Headers of all answers that are no files.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The path at which the files of a body are inspected before it is interpreted, if only their content tells what
    /// they are. Then [`SentFile::about`] has what was found.
    fn unnamed_file(&self, _call: &NativeCall<'_>) -> Option<FilePath> {
        None
    }

    /// Interprets a body: either files to publish, or changes.
    fn accept(&self, call: &NativeCall<'_>, sent: &Sent) -> Result<Accepted, Refusal>;

    /// Compares the metadata that was sent with a file against what its inspection has found.
    fn check_metadata(&self, _metadata: &[u8], _about: &[u8]) -> Result<(), String> {
        Ok(())
    }

    /// The facts for a file's row that only the request knows. The metadata is checked already.
    fn sent_facts(&self, _metadata: &[u8], _about: &[u8]) -> Option<Facts> {
        None
    }

    /// Answers a question; `None` means that there is no such thing.
    fn answer(&self, call: &NativeCall<'_>, rows: &Rows) -> Option<NativeAnswer>;

    /// The answer after a publish or a change.
    fn done(&self, call: &NativeCall<'_>) -> NativeAnswer;

    /// Whether the files of a publish stay staged until another one completes their version.
    fn stages(&self, _publish: &NativePublish) -> bool {
        false
    }

    /// Whether a publish completes its version: everything that is staged there is published with it.
    fn completes(&self, _publish: &NativePublish) -> bool {
        false
    }

    /// The answer after files were published.
    fn published(&self, call: &NativeCall<'_>, _publish: &NativePublish) -> NativeAnswer {
        self.done(call)
    }

    /// The answer after the changes that a body asks for.
    fn changed(&self, call: &NativeCall<'_>, _changes: &[NativeChange]) -> NativeAnswer {
        self.done(call)
    }

    /// The answer to a sign-in with a valid name and key; `None` if clients do not sign in.
    fn signed_in(&self, _name: &str, _key: &str) -> Option<NativeAnswer> {
        None
    }

    /// The refusal to publish something that exists; `None` if the same content may be published again.
    fn repeated(&self, _publish: &NativePublish) -> Option<Refusal> {
        None
    }

    /// Whether other content may replace the existing one, because the version is not a release.
    fn replaces(&self, _publish: &NativePublish) -> bool {
        false
    }

    /// The refusal to publish other content than the existing one, or a name that was used before.
    fn conflict(&self, _publish: &NativePublish, reason: String) -> Refusal {
        Refusal::Conflict(reason)
    }
}

/// The form in which a client expects failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `{"message": ".."}`
    Message,
    /// `{"error": "..", "reason": ".."}`
    Npm,
    /// `{"errors": [{"detail": ".."}]}`
    Cargo,
    /// `{"errors": [{"code": "..", "message": "..", "detail": null}]}`
    Oci,
    /// `{"error": ".."}`
    Error,
    /// `{"message": "..", "warning": ".."}`
    Warning,
    /// One line of text.
    Line,
}

/// A refusal of a request, with a reason for its sender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// 400
    Invalid(String),
    /// 403
    Forbidden(String),
    /// 404
    NotFound,
    /// 409
    Conflict(String),
}

/// A complete answer. Its text may contain the marker of the repository's URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativeAnswer {
    /// The status.
    pub status: u16,
    /// The media type.
    pub media_type: &'static str,
    /// The text.
    pub content: String,
}

/// A body, cut into its parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sent {
    /// The text fields of a form, in the order in which they came.
    pub fields: Vec<(String, String)>,
    /// The document, or the text of a body without files.
    pub document: Vec<u8>,
    /// The files.
    pub files: Vec<SentFile>,
}

/// A file of a body, stored and hashed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentFile {
    /// The field of the form, or the key of the attachment.
    pub field: String,
    /// The file name that was sent, if any.
    pub file_name: String,
    /// Its size.
    pub size_bytes: u64,
    /// Its SHA-256.
    pub sha256: Digest,
    /// Its SHA-1 in hexadecimal digits.
    pub sha1: String,
    /// Its SHA-512 in hexadecimal digits, if the format needs it.
    pub sha512: Option<String>,
    /// What its inspection has found, if it was inspected already.
    pub about: Option<Vec<u8>>,
}

/// What a body asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Accepted {
    /// Files to publish.
    Publish(Box<NativePublish>),
    /// Rows to change.
    Changes(Vec<NativeChange>),
}

/// Files of one version, with what a publish says about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativePublish {
    /// The package, which is created if it does not exist.
    pub package: PackageName,
    /// The version, which is created if it does not exist.
    pub version: VersionName,
    /// The files.
    pub files: Vec<NativeFile>,
    /// Fills empty fields of the package.
    pub profile: NativeProfile,
    /// Tags to set on the version.
    pub tags: Vec<String>,
}

/// A file to publish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativeFile {
    /// Its position in [`Sent::files`].
    pub part: usize,
    /// Its path in the repository.
    pub path: FilePath,
    /// What the request says about it, for [`Native::check_metadata`].
    pub metadata: Option<Vec<u8>>,
}

/// What a publish says about a package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NativeProfile {
    /// The description.
    pub description: Option<String>,
    /// The licenses, as SPDX names.
    pub licenses: Vec<String>,
    /// The website.
    pub website: Option<String>,
    /// The source repository.
    pub vcs: Option<String>,
    /// The issue tracker.
    pub issue_tracker: Option<String>,
    /// Labels.
    pub labels: Vec<String>,
}

/// A change of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NativeChange {
    /// Sets a mark on versions with a text, or takes it away. Versions that do not exist are ignored if there are
    /// others.
    Mark {
        /// The package.
        package: PackageName,
        /// The mark, such as `yanked`.
        mark: &'static str,
        /// The versions with the text of the mark; `None` takes the mark away.
        versions: BTreeMap<String, Option<String>>,
    },
    /// Points a tag to a version.
    SetTag {
        /// The package.
        package: PackageName,
        /// The tag.
        tag: String,
        /// The version.
        version: VersionName,
    },
    /// Deletes a tag.
    DeleteTag {
        /// The package.
        package: PackageName,
        /// The tag.
        tag: String,
    },
    /// Deletes all versions but these.
    KeepVersions {
        /// The package.
        package: PackageName,
        /// The versions to keep.
        versions: Vec<String>,
    },
    /// Deletes a version; succeeds if it is gone already.
    DeleteVersion {
        /// The package.
        package: PackageName,
        /// The version.
        version: VersionName,
    },
    /// Deletes all files of a version below a folder.
    DeleteFolder {
        /// The package.
        package: PackageName,
        /// The version.
        version: VersionName,
        /// The folder, with a slash at its end.
        folder: String,
    },
    /// Deletes the package.
    DeletePackage {
        /// The package.
        package: PackageName,
    },
}
