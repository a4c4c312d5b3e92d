//! EULAs of products, and who has accepted them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::flag::maybe_flag;

/// An agreement in a list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct EulaSummary {
    /// Its name.
    pub name: String,
    /// `markdown`, `asciidoc` or `plain_text`.
    pub syntax: String,
    /// Whether it binds versions that no agreement names.
    pub default: bool,
    /// The versions that it names.
    pub versions: Vec<String>,
}

/// An agreement.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Eula {
    /// Its name.
    pub name: String,
    /// `markdown`, `asciidoc` or `plain_text`.
    pub syntax: String,
    /// What it says.
    pub content: String,
    /// Whether it binds versions that no agreement names.
    pub default: bool,
    /// The versions that it names.
    pub versions: Vec<String>,
}

/// The body that creates an agreement.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct NewEula {
    /// Its name.
    pub name: String,
    /// Everything else.
    #[serde(flatten)]
    pub change: EulaChange,
}

/// The body that changes an agreement. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct EulaChange {
    /// `markdown`, `asciidoc` or `plain_text`.
    pub syntax: Option<String>,
    /// What it says.
    pub content: Option<String>,
    /// Whether it binds versions that no agreement names. A new default replaces the old one.
    #[serde(default, deserialize_with = "maybe_flag")]
    pub default: Option<bool>,
    /// The versions that it names; each has one agreement of a product.
    pub versions: Option<Vec<String>>,
}

/// The agreement that binds a file.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct FileEula {
    /// Its name.
    pub name: String,
    /// The product it is of.
    pub product: String,
    /// The file's version.
    pub version: String,
    /// `markdown`, `asciidoc` or `plain_text`.
    pub syntax: String,
    /// What it says.
    pub content: String,
}

/// The body that accepts an agreement.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct EulaAcceptance {
    /// The version to download.
    pub version: String,
}

/// The acceptance of an agreement.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SignedEula {
    /// The agreement's name.
    pub eula: String,
    /// The version that it was accepted for.
    pub version: String,
    /// The access key, as it signs in.
    pub username: String,
    /// The time of the acceptance.
    pub accepted: String,
    /// The network address of the key holder.
    pub address: String,
}
