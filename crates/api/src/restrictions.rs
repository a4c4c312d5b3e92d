//! Restrictions of downloads by country and network.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Countries, by the two letters of ISO 3166-1; one of the lists only.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct GeoRestrictions {
    /// Only these.
    pub white_list: Vec<String>,
    /// All but these.
    pub black_list: Vec<String>,
}

/// Networks, such as `10.0.0.0/8`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct IpRestrictions {
    /// Only these, when there are any.
    pub white_cidrs: Vec<String>,
    /// None of these, even if they are allowed elsewhere.
    pub black_cidrs: Vec<String>,
}

/// Networks to add and to remove.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct IpRestrictionsChange {
    /// The networks to add.
    pub add: IpRestrictions,
    /// The networks to remove, if they are in the list.
    pub remove: IpRestrictions,
}
