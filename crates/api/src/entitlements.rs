//! Entitlements: the rights of access keys.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::patch::present;

/// An entitlement in a list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct EntitlementSummary {
    /// Its id in URLs.
    pub id: String,
}

/// An entitlement.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Entitlement {
    /// Its id in URLs.
    pub id: String,
    /// `r` to read, `rw` to read and publish.
    pub access: String,
    /// The names of the access keys.
    pub access_keys: Vec<String>,
    /// The file or the folder of the repository that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
}

/// An entitlement that was found, and its location.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct FoundEntitlement {
    /// Its id in URLs.
    pub id: String,
    /// `r` to read, `rw` to read and publish.
    pub access: String,
    /// The names of the access keys.
    pub access_keys: Vec<String>,
    /// The file or the folder of the repository that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// The owner.
    pub subject: String,
    /// The repository; absent for a product.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repo: Option<String>,
    /// The package, for one of a package or a version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// The version, for one of a version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The product, for one of a product.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product: Option<String>,
}

/// The body that creates an entitlement.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewEntitlement {
    /// Refused: the server chooses it.
    pub id: Option<String>,
    /// `r` to read, `rw` to read and publish.
    pub access: String,
    /// The names of access keys of the owner.
    #[serde(alias = "download_keys")]
    pub access_keys: Option<Vec<String>>,
    /// A file or a folder of the repository; only for an entitlement of a repository.
    pub path: Option<String>,
    /// Words to find it by.
    pub tags: Option<Vec<String>>,
}

/// The body that changes an entitlement. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct EntitlementChange {
    /// The id in the URL; any other one is refused.
    pub id: Option<String>,
    /// `r` to read, `rw` to read and publish.
    pub access: Option<String>,
    /// All names of access keys.
    #[serde(alias = "download_keys")]
    pub access_keys: Option<Vec<String>>,
    /// Names of access keys to add.
    #[serde(alias = "download_keys_add")]
    pub access_keys_add: Option<Vec<String>>,
    /// Names of access keys to remove.
    #[serde(alias = "download_keys_remove")]
    pub access_keys_remove: Option<Vec<String>>,
    /// A file or a folder of the repository; null for all of it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub path: Option<Option<String>>,
    /// All words to find it by.
    pub tags: Option<Vec<String>>,
    /// Words to add.
    pub tags_add: Option<Vec<String>>,
    /// Words to remove.
    pub tags_remove: Option<Vec<String>>,
}
