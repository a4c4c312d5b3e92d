//! Licences: those of the list that all packages choose from, and those that owners define themselves.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A licence of the list that all packages choose from.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct OssLicense {
    /// The value that packages carry.
    pub name: String,
    /// Its full name. Existing clients read it in one word.
    pub longname: String,
    /// Where its text is.
    pub url: String,
}

/// A licence that an owner has defined.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct CustomLicense {
    /// The value that packages carry in `custom_licenses`.
    pub name: String,
    /// What it says, in short.
    pub description: String,
    /// Where its text is.
    pub url: String,
}

/// The body that creates a licence.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewCustomLicense {
    /// The value that packages carry in `custom_licenses`.
    pub name: String,
    /// What it says, in short.
    pub description: Option<String>,
    /// Where its text is.
    pub url: Option<String>,
}

/// The body that changes a licence. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CustomLicenseChange {
    /// What it says, in short.
    pub description: Option<String>,
    /// Where its text is.
    pub url: Option<String>,
}
