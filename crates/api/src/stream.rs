//! The event stream of a subject.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An event: one line of the stream.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct StreamEvent {
    /// Its position in the stream; send the last one to continue after it.
    pub id: String,
    /// `download`, `upload`, `publish`, `delete`, `login_success`, `login_failure` or `usage_threshold`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it is about, from the subject down; null for logins.
    pub path: Option<String>,
    /// The subject of the stream.
    pub subject: String,
    /// Who did it; null when not signed in.
    pub user: Option<String>,
    /// The time of the event.
    pub time: String,
    /// The IP address of the client.
    pub ip_address: String,
    /// The user agent of the client.
    pub user_agent: Option<String>,
    /// The threshold that was crossed, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<String>,
}
