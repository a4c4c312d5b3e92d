//! Links: packages that appear in other repositories.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The body that links a package; it may be absent.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct NewLink {
    /// The folder whose files are linked; all when absent.
    pub path_prefix: Option<String>,
}
