//! Products.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::patch::present;

/// A product in a list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ProductSummary {
    /// Its name.
    pub name: String,
    /// Its display name.
    pub display_name: String,
}

/// A product.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Product {
    /// Its name.
    pub name: String,
    /// Its owner's name.
    pub owner: String,
    /// Its display name.
    pub display_name: String,
    /// What it is.
    pub desc: String,
    /// Where to read more.
    pub website_url: Option<String>,
    /// Where the source is.
    pub vcs_url: Option<String>,
    /// Its packages, as `repo/package`.
    pub packages: Vec<String>,
    /// How many seconds a signed URL for one of its files is valid.
    pub sign_url_expiry: Option<i64>,
    /// When it was made.
    pub created: String,
}

/// The body that creates a product.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct NewProduct {
    /// Its name.
    pub name: String,
    /// Everything else.
    #[serde(flatten)]
    pub change: ProductChange,
}

/// The body that changes a product. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct ProductChange {
    /// Its display name.
    pub display_name: Option<String>,
    /// What it is.
    pub desc: Option<String>,
    /// Where to read more; null removes it.
    #[serde(default, deserialize_with = "present")]
    pub website_url: Option<Option<String>>,
    /// Where the source is; null removes it.
    #[serde(default, deserialize_with = "present")]
    pub vcs_url: Option<Option<String>>,
    /// Its packages, as `repo/package`.
    pub packages: Option<Vec<String>>,
    /// How many seconds a signed URL for one of its files is valid; null removes it.
    #[serde(default, deserialize_with = "present")]
    pub sign_url_expiry: Option<Option<i64>>,
}
