//! Callbacks on events.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A hook.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Webhook {
    /// The package whose releases are told.
    pub package: String,
    /// Where they are told, as it was registered.
    pub url: String,
    /// `post`, `put` or `get`.
    pub method: String,
    /// How many callbacks in a row have failed: a number, which the contract writes as a text.
    pub failure_count: String,
    /// Whether it is called; too many failures in a row switch it off.
    pub active: bool,
    /// The events that it is called on: `release`, `publish`, `upload`, `delete`.
    pub events: Vec<String>,
}

/// The body that registers a hook.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewWebhook {
    /// Where releases are told. `%r` stands for the repository's name, `%p` for the package's.
    pub url: String,
    /// `post`, `put` or `get`; `post` when it is absent.
    pub method: Option<String>,
    /// The events that it is called on: `release`, `publish`, `upload`, `delete`; `release` when it is absent.
    pub events: Option<Vec<String>>,
}

/// A hook that was registered.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct CreatedWebhook {
    /// `success`.
    pub message: String,
    /// What signs the callbacks.
    pub secret: String,
}

/// The body that asks for a test.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct WebhookTest {
    /// Where the callback goes.
    pub url: String,
}

/// What came of a test.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct WebhookOutcome {
    /// `success`, or what went wrong.
    pub message: String,
    /// The status of the answer; null without one.
    pub status: Option<u16>,
    /// How long it took.
    pub duration_ms: i64,
    /// What went wrong; null when nothing did.
    pub error: Option<String>,
}

/// A callback that was tried.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Delivery {
    /// What the receiver got as `webhook-id`; the same at each try of an event.
    pub id: String,
    /// The version that it told of.
    pub version: String,
    /// The status of the answer; null without one.
    pub status: Option<u16>,
    /// How long it took.
    pub duration_ms: i64,
    /// What went wrong; null when nothing did.
    pub error: Option<String>,
    /// When.
    pub at: String,
    /// Whether the event is over and can be told once more.
    pub can_replay: bool,
}
