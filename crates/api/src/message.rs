//! The response of calls that return nothing else, and of all that fail.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A sentence for people.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Message {
    /// `success`, or what went wrong with which value.
    pub message: String,
}

impl Message {
    /// The response of a write that returns nothing else.
    pub fn success() -> Self {
        Self { message: "success".into() }
    }
}
