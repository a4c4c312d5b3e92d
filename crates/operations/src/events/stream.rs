//! What happens to a subject, as it happens, for those who manage it.
//!
//! Events are rows, and whoever follows asks for new ones: so it does not matter which server something happens on.
//! Uploads, publishes and deletions are always written down; downloads and logins only while somebody follows.

pub(crate) mod cursor;
pub(crate) mod stream_event;
pub(crate) mod subscribed_subjects;
pub(crate) mod subscription;

mod connections;
mod logins;
mod window;

pub use crate::events::stream::{
    cursor::{InvalidPosition, StreamCursor},
    stream_event::StreamEvent,
    subscription::{Subscription, open},
};
pub use connections::close;

pub(crate) use crate::{
    downloads::download_events::{DownloadEvent, rows as download_rows},
    events::stream::subscribed_subjects::SubscribedSubjects,
};
pub(crate) use connections::forget;
pub(crate) use logins::{LoginBatch, write as write_login};
