//! Events as subscribers see them.

use model::{
    event::{Event, EventKind},
    names::SubjectName,
    timestamp::Timestamp,
};

use crate::events::stream::{DownloadEvent, StreamCursor};

/// An event, for a subscriber.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamEvent {
    /// Its cursor in the stream.
    pub position: StreamCursor,
    /// Its kind, in one word.
    pub kind: &'static str,
    /// The path of its scope, starting with the subject; absent for logins.
    pub path: Option<String>,
    /// The user who caused it, if known.
    pub user: Option<String>,
    /// The time.
    pub at: Timestamp,
    /// The IP address of the client.
    pub address: String,
    /// The client's user agent.
    pub agent: Option<String>,
    /// The threshold that was crossed.
    pub threshold: Option<String>,
}

/// Converts a row to its events, without cursors yet. A release is sent as the publish that it is.
pub(super) fn from_row(subject: &SubjectName, event: Event) -> Vec<StreamEvent> {
    match event.kind {
        EventKind::Release => Vec::new(),
        EventKind::Download => downloads(&event),
        _ => vec![one(subject, event)],
    }
}

fn one(subject: &SubjectName, event: Event) -> StreamEvent {
    let is_login = matches!(event.kind, EventKind::LoginSuccess | EventKind::LoginFailure);
    StreamEvent {
        position: place(&event),
        kind: event.kind.as_str(),
        path: (!is_login).then(|| path(subject, &event)),
        at: event.at,
        threshold: event.detail.filter(|_| event.kind == EventKind::UsageThreshold),
        user: Some(event.actor),
        address: event.address,
        agent: event.agent,
    }
}

fn downloads(event: &Event) -> Vec<StreamEvent> {
    // A detail that cannot be parsed was written by another version of this program.
    let downloads: Vec<DownloadEvent> =
        serde_json::from_str(event.detail.as_deref().unwrap_or("[]")).unwrap_or_default();
    let told = |download: DownloadEvent| StreamEvent {
        position: place(event),
        kind: event.kind.as_str(),
        path: Some(download.path),
        user: download.user,
        at: Timestamp::from_millis(download.at),
        address: download.address,
        agent: download.agent,
        threshold: None,
    };
    downloads.into_iter().map(told).collect()
}

fn place(event: &Event) -> StreamCursor {
    StreamCursor { row: event.id, line: 0, known: None }
}

/// The path of the file, or the path down to the last name that the event has.
fn path(subject: &SubjectName, event: &Event) -> String {
    let names = match &event.path {
        Some(path) => [event.repo.as_str(), path.as_str(), ""],
        None => [event.repo.as_str(), event.package.as_str(), event.version.as_str()],
    };
    let names = names.into_iter().filter(|name| !name.is_empty());
    [subject.as_str()].into_iter().chain(names).collect::<Vec<_>>().join("/")
}
