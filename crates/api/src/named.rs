//! Names of new things.

use serde::{Deserialize, Serialize};

/// The part of a body that names a new package or version. Read apart from the rest, so that an error names its field.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Named {
    /// Its name.
    pub name: String,
}
