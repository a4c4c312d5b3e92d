//! Callbacks on events.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A hook.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Webhook {
    /// The package whose events it receives.
    pub package: String,
    /// The URL to call, as it was registered.
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
    /// The URL to call. `%r` stands for the repository's name, `%p` for the package's.
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
    /// The secret that signs the callbacks.
    pub secret: String,
}

/// The body that asks for a test.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct WebhookTest {
    /// Where the callback goes.
    pub url: String,
}

/// The result of a test callback.
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

/// An attempt to send a callback.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Delivery {
    /// The value of `webhook-id`; the same for each attempt of a delivery.
    pub id: String,
    /// The version that it was about.
    pub version: String,
    /// The status of the answer; null without one.
    pub status: Option<u16>,
    /// How long it took.
    pub duration_ms: i64,
    /// What went wrong; null when nothing did.
    pub error: Option<String>,
    /// The time of the attempt.
    pub at: String,
    /// Whether the delivery is settled and can be sent again.
    pub can_replay: bool,
}
