//! Ratings of packages.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The body that rates a package.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewRating {
    /// From 1 to 5.
    pub rating: i64,
}
