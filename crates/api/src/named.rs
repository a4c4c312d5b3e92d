//! Names of new things.

use serde::{Deserialize, Serialize};

/// The name of a new package or version in a body. Parsed separately, so that an error names its field.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Named {
    /// Its name.
    pub name: String,
}
