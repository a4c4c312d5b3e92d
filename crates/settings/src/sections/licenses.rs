//! Settings of the licenses that packages may name.

use serde::{Deserialize, Serialize};

/// `[licenses]`: the licenses that packages may name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Licenses {
    /// Names of additional licenses, such as `BUSL-1.1`, that packages may name besides those of
    /// `GET /licenses/oss_licenses`. Empty by default.
    pub extra: Vec<String>,
}
