//! What happens to a subject, as it happens.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Something that happened: one line of the stream.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct StreamEvent {
    /// Where in the stream it stands; whoever comes back names the last one.
    pub id: String,
    /// `download`, `upload`, `publish`, `delete`, `login_success`, `login_failure` or `usage_threshold`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it is about, from the subject down; null for logins.
    pub path: Option<String>,
    /// The subject that is followed.
    pub subject: String,
    /// Who did it; null when nobody has signed in.
    pub user: Option<String>,
    /// When.
    pub time: String,
    /// From which address.
    pub ip_address: String,
    /// What the client said it is.
    pub user_agent: Option<String>,
    /// Which threshold was crossed, where one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<String>,
}
