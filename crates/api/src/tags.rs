//! Tags of packages.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The body that points a tag to a version.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct TagTarget {
    /// The name of the version.
    pub version: String,
}
