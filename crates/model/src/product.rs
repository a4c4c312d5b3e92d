//! Products: packages of one owner that are sold together.

use crate::{id::SubjectId, names::ProductName, timestamp::Timestamp};

/// A product.
#[derive(Debug, Clone)]
pub struct Product {
    /// Its database id.
    pub id: i64,
    /// The id of its owner.
    pub owner_id: SubjectId,
    /// Its name.
    pub name: ProductName,
    /// When it was created.
    pub created: Timestamp,
    /// The editable fields.
    pub profile: ProductProfile,
}

impl Product {
    /// Its name for people: the display name, if it has one.
    pub fn title(&self) -> &str {
        let display_name = self.profile.display_name.as_str();
        if display_name.is_empty() { self.name.as_str() } else { display_name }
    }
}

/// The editable fields of a product, besides its packages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProductProfile {
    /// Its display name.
    pub display_name: String,
    /// Its description.
    pub description: String,
    /// The URL of its website.
    pub website_url: Option<String>,
    /// The URL of its source repository.
    pub vcs_url: Option<String>,
    /// The lifetime of signed URLs of its files, in seconds.
    pub sign_url_expiry: Option<i64>,
}

/// A product in a list.
#[derive(Debug, Clone)]
pub struct ListedProduct {
    /// Its name.
    pub name: String,
    /// Its display name.
    pub display_name: String,
}
