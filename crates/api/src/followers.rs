//! Followers.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Someone who follows a user or an organization.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Follower {
    /// The follower's name.
    pub name: String,
}
