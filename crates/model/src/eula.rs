//! EULAs of products.

use crate::{document::Document, names::EulaName, timestamp::Timestamp};

/// A EULA.
#[derive(Debug, Clone)]
pub struct Eula {
    /// Its database id.
    pub id: i64,
    /// The id of its product.
    pub product_id: i64,
    /// Its name.
    pub name: EulaName,
    /// Its text.
    pub document: Document,
    /// Whether it binds versions that no EULA names.
    pub is_default: bool,
    /// When it was last changed.
    pub updated: Timestamp,
}

/// A signature of a EULA in a list.
#[derive(Debug, Clone)]
pub struct ListedSignature {
    /// The name of the EULA.
    pub eula: String,
    /// The name of the version.
    pub version: String,
    /// The login name of the access key.
    pub key_name: String,
    /// When it was signed, in milliseconds since the start of 1970.
    pub at: i64,
    /// The IP address it was signed from.
    pub address: String,
}
