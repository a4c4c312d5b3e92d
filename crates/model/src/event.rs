//! Events, which subscribers receive.

use crate::{id::SubjectId, timestamp::Timestamp};

/// An event.
#[derive(Debug, Clone)]
pub struct Event {
    /// Its database id; ids are in chronological order.
    pub id: i64,
    /// The id of the subject whose repository it concerns.
    pub subject_id: SubjectId,
    /// When it happened.
    pub at: Timestamp,
    /// Its kind.
    pub kind: EventKind,
    /// The repository's name.
    pub repo: String,
    /// The package's name.
    pub package: String,
    /// The version's name.
    pub version: String,
    /// The path of the file, if it concerns one.
    pub path: Option<String>,
    /// The name of the actor.
    pub actor: String,
    /// The actor's IP address.
    pub address: String,
    /// The client's user agent.
    pub agent: Option<String>,
    /// Further details, in a format that depends on the kind.
    pub detail: Option<String>,
}

/// The kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// A file was uploaded.
    Upload,
    /// Files of a version were published.
    Publish,
    /// A version was published for the first time.
    Release,
    /// A file, a version or more was deleted.
    Delete,
    /// Files were downloaded; the detail lists them.
    Download,
    /// Somebody presented valid credentials.
    LoginSuccess,
    /// Somebody presented invalid credentials.
    LoginFailure,
    /// A usage threshold was exceeded; the detail names it.
    UsageThreshold,
}

impl EventKind {
    const ALL: [EventKind; 8] = [
        EventKind::Upload,
        EventKind::Publish,
        EventKind::Release,
        EventKind::Delete,
        EventKind::Download,
        EventKind::LoginSuccess,
        EventKind::LoginFailure,
        EventKind::UsageThreshold,
    ];

    /// Returns the stored name of the kind.
    pub fn as_str(self) -> &'static str {
        match self {
            EventKind::Upload => "upload",
            EventKind::Publish => "publish",
            EventKind::Release => "release",
            EventKind::Delete => "delete",
            EventKind::Download => "download",
            EventKind::LoginSuccess => "login_success",
            EventKind::LoginFailure => "login_failure",
            EventKind::UsageThreshold => "usage_threshold",
        }
    }

    /// Parses the stored name of a kind; `None` for one that this program does not know.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}
