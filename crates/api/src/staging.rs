//! Syncs with a public staging registry.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// The body that starts a sync. It contains a password, so it cannot be printed. The fields accept any type, so that no
/// error message quotes their values.
#[derive(Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct NewSync {
    /// The registry's user, or the name of a token.
    #[schema(value_type = String)]
    pub username: Option<Value>,
    /// Its password.
    #[schema(value_type = String)]
    pub password: Option<Value>,
    /// "1" closes and releases, "0" leaves that to somebody else; "1" when it is absent.
    #[schema(value_type = Option<String>)]
    pub close: Option<Value>,
}

/// How a sync ended.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Sync {
    /// The outcome in a few words.
    pub status: String,
    /// The details.
    pub messages: Vec<String>,
}
