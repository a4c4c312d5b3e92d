//! Entitlements: the rights of access keys.

use crate::{
    access::Right,
    id::{PackageId, RepoId, VersionId},
};

/// The scope of an entitlement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntitlementScope {
    /// The repository with this id, or a path in it.
    Repo(RepoId),
    /// The package with this id.
    Package(PackageId),
    /// The version with this id.
    Version(VersionId),
    /// The product with this id.
    Product(i64),
}

/// A right of access keys in a scope.
#[derive(Debug, Clone)]
pub struct Entitlement {
    /// Its database id.
    pub id: i64,
    /// Its scope.
    pub level: EntitlementScope,
    /// The file or folder of the repository that it applies to; the whole repository if absent.
    pub path: Option<String>,
    /// The right of the access keys.
    pub right: Right,
}
