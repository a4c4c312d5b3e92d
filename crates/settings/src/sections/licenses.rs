//! The licences that packages may name.

use serde::{Deserialize, Serialize};

/// `[licenses]`: the licences that packages may name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Licenses {
    /// Names of further licences that packages may name, such as `BUSL-1.1`. None by default.
    pub extra: Vec<String>,
}
