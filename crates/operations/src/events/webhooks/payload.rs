//! The payload of a callback: the fields of the contract for a release, and those of the event for others.

use model::webhook_event::WebhookEvent;
use reqwest::Url;
use serde::de::DeserializeOwned;

use crate::{
    Error, Result,
    events::webhooks::{event_payload::EventPayload, release_payload::ReleasePayload},
};

/// The longest URL with a payload in it: the limit of common servers.
pub(super) const URL_BYTES: usize = 8_000;

/// The payload of a callback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Payload {
    /// A release.
    Release(ReleasePayload),
    /// Any other event.
    Event(EventPayload),
}

impl Payload {
    /// Serializes the payload for a body; it is stored in this form, too.
    pub(super) fn to_text(&self) -> Result<String> {
        let text = match self {
            Payload::Release(payload) => serde_json::to_string(payload),
            Payload::Event(payload) => serde_json::to_string(payload),
        };
        text.map_err(|error| Error::Internal(format!("writing a payload failed: {error}")))
    }

    /// Reads the stored payload of an event.
    pub(super) fn from_text(event: WebhookEvent, text: &str) -> Result<Self> {
        match event {
            WebhookEvent::Release => read(text).map(Payload::Release),
            WebhookEvent::Publish | WebhookEvent::Upload | WebhookEvent::Delete => read(text).map(Payload::Event),
        }
    }

    /// Returns the URL with the payload as its query.
    pub(super) fn in_query(&self, url: &Url) -> Url {
        match self {
            Payload::Release(payload) => payload.in_query(url),
            Payload::Event(payload) => payload.in_query(url),
        }
    }
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| Error::Internal(format!("reading a payload failed: {error}")))
}

/// Appends fields to the query of a URL, and cuts the last one where the URL would be longer than [`URL_BYTES`].
pub(super) fn query_with(url: &Url, fields: &[(&str, &str)], last: Option<(&str, &str)>) -> Url {
    let with = |last: Option<(&str, &str)>| {
        let mut url = url.clone();
        url.query_pairs_mut().extend_pairs(fields).extend_pairs(last);
        url
    };
    let Some((name, value)) = last else { return with(None) };
    let mut room = URL_BYTES.saturating_sub(with(Some((name, ""))).as_str().len());
    let fits = |c: &char| {
        let bytes = if c.is_ascii_alphanumeric() { 1 } else { 3 * c.len_utf8() };
        let is_room = bytes <= room;
        room = room.saturating_sub(bytes);
        is_room
    };
    let cut: String = value.chars().take_while(fits).collect();
    with(Some((name, &cut)))
}
