//! Readmes and release notes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A text and how it is marked up.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Document {
    /// `markdown`, `asciidoc` or `plain_text`.
    pub syntax: String,
    /// The text.
    pub content: String,
}
