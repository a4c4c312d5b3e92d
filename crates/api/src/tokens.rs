//! Tokens of users and organizations.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::patch::present;

/// A token, without its secret.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Token {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its scopes: `read`, `publish`, `manage`, `admin`. Each includes those before it.
    pub scopes: Vec<String>,
    /// Where it works: `subject`, `subject/repo` or `subject/repo/package`; null for everywhere.
    pub resources: Option<Vec<String>>,
    /// When it expires, in milliseconds since 1970.
    pub expiry: Option<i64>,
    /// The networks that may use it; all if empty.
    pub cidrs: Vec<String>,
    /// When it was made.
    pub created: String,
}

/// A token in a list, with its last use.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ListedToken {
    /// The token.
    #[serde(flatten)]
    pub token: Token,
    /// When it was last used; null before the first use.
    pub last_used: Option<String>,
    /// The IP address of the last use.
    pub last_used_from: Option<String>,
    /// The client of the last use, as it calls itself.
    pub last_used_by: Option<String>,
}

/// A token with its secret, which is shown only once.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct CreatedToken {
    /// The token.
    #[serde(flatten)]
    pub details: Token,
    /// The secret: the password of HTTP Basic authentication, or a bearer.
    pub token: String,
}

/// The body that creates a token.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewToken {
    /// Its name, unique among the tokens of its owner.
    pub name: String,
    /// Its scopes: `read`, `publish`, `manage`, `admin`; at least one.
    pub scopes: Vec<String>,
    /// Where it works: `subject`, `subject/repo` or `subject/repo/package`; everywhere when absent or null.
    #[serde(default)]
    pub resources: Option<Vec<String>>,
    /// When it expires, in milliseconds since 1970.
    #[serde(default)]
    pub expiry: Option<i64>,
    /// The networks that may use it, such as 10.0.0.0/8; all if absent or empty.
    #[serde(default)]
    pub cidrs: Option<Vec<String>>,
}

/// The body that changes a token. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct TokenChange {
    /// Its name.
    pub name: Option<String>,
    /// Its scopes.
    pub scopes: Option<Vec<String>>,
    /// Where it works; null for everywhere.
    #[serde(default, deserialize_with = "present")]
    pub resources: Option<Option<Vec<String>>>,
    /// When it expires, in milliseconds since 1970; null removes it.
    #[serde(default, deserialize_with = "present")]
    pub expiry: Option<Option<i64>>,
    /// The networks that may use it; null or empty for all.
    #[serde(default, deserialize_with = "present")]
    pub cidrs: Option<Option<Vec<String>>>,
}

/// The body that gives a token a new secret.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct TokenRotation {
    /// For how many seconds the old secret stays valid; 0 when absent.
    pub overlap_secs: Option<i64>,
}

/// The credentials of the caller.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PresentedToken {
    /// The user or organization.
    pub subject: String,
    /// The id of the token; null for an API key.
    pub id: Option<String>,
    /// The name of the token; absent for an API key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The scopes of the credentials.
    pub scopes: Vec<String>,
    /// Where the credentials work; null for everywhere.
    pub resources: Option<Vec<String>>,
    /// When they expire, in milliseconds since 1970.
    pub expiry: Option<i64>,
}
