//! What happens to a subject, as it happens, for those who manage it.
//!
//! Events are rows, and whoever follows asks for new ones: so it does not matter which server something happens on.
//! Uploads, publishes and deletions are always written down; downloads and logins only while somebody follows.

mod connections;
pub(crate) mod cursor;
mod logins;
pub(crate) mod stream_event;
pub(crate) mod subscribed_subjects;
pub(crate) mod subscription;
mod window;

pub use crate::events::stream::{
    cursor::{InvalidPosition, StreamCursor},
    stream_event::StreamEvent,
    subscription::{Subscription, open},
};
pub use connections::close;

pub(crate) use crate::events::stream::subscribed_subjects::SubscribedSubjects;
pub(crate) use connections::forget;
pub(crate) use logins::{LoginBatch, write as write_login};

use serde::{Deserialize, Serialize};

/// A download, as it is kept in the detail of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DownloadEvent {
    /// When, in milliseconds.
    pub(crate) at: i64,
    /// `owner/repo/path`, as it was asked for.
    pub(crate) path: String,
    pub(crate) user: Option<String>,
    pub(crate) address: String,
    pub(crate) agent: Option<String>,
}
