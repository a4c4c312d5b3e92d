//! What the bodies of native requests mean, and what the answers look like.

use model::file_path::FilePath;

use crate::format::{Accepted, Facts, ListedFile, NativeCall, NativeChange, NativePublish, NativeRoute, Rows, Sent};

/// The requests of a format's own clients. Everything is pure: bytes are stored and hashed before it sees them.
pub trait Native: Send + Sync {
    /// The form of failures.
    fn dialect(&self) -> Dialect;

    /// The requests, the first that matches counts. GETs that match none fetch files.
    fn routes(&self) -> &'static [NativeRoute];

    /// Headers of all responses that are not files.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The path at which the files of a body are inspected before it is interpreted, if only their content tells what
    /// they are. Then [`crate::format::SentFile::about`] has what was found.
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

    /// The files that a body lists, which were sent before it. It is refused if one of them is missing or has other
    /// content. Those that are staged are published with it.
    fn lists(&self, _call: &NativeCall<'_>, _sent: &Sent) -> Result<Vec<ListedFile>, Refusal> {
        Ok(Vec::new())
    }

    /// Answers a question; `None` means that there is no such thing.
    fn answer(&self, call: &NativeCall<'_>, rows: &Rows) -> Option<NativeAnswer>;

    /// The answer after a publish or a change.
    fn done(&self, call: &NativeCall<'_>) -> NativeAnswer;

    /// Whether the files of a publish stay staged until another one completes their version.
    fn stages(&self, _call: &NativeCall<'_>, _publish: &NativePublish) -> bool {
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
    fn signed_in(&self, _call: &NativeCall<'_>, _name: &str, _key: &str) -> Option<NativeAnswer> {
        None
    }

    /// The answer with a token for the requests that follow; `None` if clients do not ask for one.
    fn token_issued(&self, _call: &NativeCall<'_>, _token: &str) -> Option<NativeAnswer> {
        None
    }

    /// The answer with the URL of an upload; `None` if clients do not ask for one.
    fn upload_to(&self, _call: &NativeCall<'_>, _url: &str) -> Option<NativeAnswer> {
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
