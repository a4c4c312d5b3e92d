//! Streams the events of a subject as they happen, for callers who manage it.
//!
//! Events are rows, and a subscription polls for new ones, so the node that recorded an event does not matter. Uploads,
//! publishes and deletions are always recorded; downloads and logins only while the subject has a subscriber.

mod connections;
pub(crate) mod cursor;
mod logins;
pub(crate) mod stream_event;
pub(crate) mod subscribed_subjects;
pub(crate) mod subscription;
mod window;

pub use connections::close;
pub use cursor::{InvalidPosition, StreamCursor};
pub use stream_event::StreamEvent;
pub use subscription::{Subscription, open};

pub(crate) use connections::delete_expired;
pub(crate) use logins::{LoginBatch, write as write_login};
pub(crate) use subscribed_subjects::SubscribedSubjects;

use serde::{Deserialize, Serialize};

/// A download, as stored in the detail of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DownloadEvent {
    /// The time, in milliseconds.
    pub(crate) at: i64,
    /// `owner/repo/path`, as requested.
    pub(crate) path: String,
    pub(crate) user: Option<String>,
    pub(crate) address: String,
    pub(crate) agent: Option<String>,
}
