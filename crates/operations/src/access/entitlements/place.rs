//! The scopes of entitlements, and who manages them.

use std::fmt;

use database::{
    Read, Tx,
    access::{entitlements::NewEntitlement, products},
    accounts::subjects,
    catalogue::versions,
};
use model::{
    access::{Action, Right},
    address::{PackageAddress, RepoAddress, VersionAddress},
    entitlement::EntitlementScope,
    id::{PackageId, RepoId, SubjectId},
    names::{ProductName, SubjectName},
    plan::Plan,
    timestamp::Timestamp,
};

use crate::{Caller, Error, PackageAccess, Result, access};

/// The scope of entitlements, by name.
#[derive(Debug, Clone)]
pub enum EntitlementAddress {
    /// A repository, or a path in it.
    Repo(RepoAddress),
    /// A package.
    Package(PackageAddress),
    /// A version.
    Version(VersionAddress),
    /// The packages of a product.
    Product(ProductAddress),
}

/// `owner/product`.
#[derive(Debug, Clone)]
pub struct ProductAddress {
    /// The owner's name.
    pub owner: SubjectName,
    /// The product's name.
    pub product: ProductName,
}

/// A resolved scope, for a caller who manages it.
pub(super) struct EntitlementTarget {
    pub(super) level: EntitlementScope,
    pub(super) owner_id: SubjectId,
    pub(super) plan: Plan,
    repo_id: Option<RepoId>,
    package_id: Option<PackageId>,
}

impl EntitlementTarget {
    /// Builds an entitlement in this scope.
    pub(super) fn entitlement(&self, id: i64, right: Right, path: Option<String>, now: Timestamp) -> NewEntitlement {
        let (version_id, product_id) = match self.level {
            EntitlementScope::Version(id) => (Some(id), None),
            EntitlementScope::Product(id) => (None, Some(id)),
            EntitlementScope::Repo(_) | EntitlementScope::Package(_) => (None, None),
        };
        NewEntitlement {
            id,
            owner_id: self.owner_id,
            repo_id: self.repo_id,
            package_id: self.package_id,
            version_id,
            product_id,
            path,
            right,
            created: now,
        }
    }
}

impl EntitlementAddress {
    /// Resolves the scope, for a caller who manages it.
    pub(super) async fn find(&self, db: &dyn Read, caller: &Caller) -> Result<EntitlementTarget> {
        match self {
            EntitlementAddress::Repo(at) => {
                let repo = access::repo(db, caller, at, Right::Own).await?.repo;
                let (owner_id, plan, repo_id) = (repo.owner_id, repo.plan, Some(repo.id));
                Ok(EntitlementTarget {
                    level: EntitlementScope::Repo(repo.id),
                    owner_id,
                    plan,
                    repo_id,
                    package_id: None,
                })
            }
            EntitlementAddress::Package(at) => Ok(in_package(access::package(db, caller, at, Right::Own).await?)),
            EntitlementAddress::Version(at) => {
                let package = access::package(db, caller, at, Right::Own).await?;
                let not_found = || Error::NotFound { what: "Version", name: at.version.to_string() };
                let version = versions::find(db, package.package.id, &at.version).await?.ok_or_else(not_found)?;
                Ok(EntitlementTarget { level: EntitlementScope::Version(version.id), ..in_package(package) })
            }
            EntitlementAddress::Product(at) => in_product(db, caller, at).await,
        }
    }

    /// Does the same inside a transaction, and locks the scope until its end.
    pub(super) async fn lock(&self, tx: &mut Tx, caller: &Caller) -> Result<EntitlementTarget> {
        match self {
            EntitlementAddress::Repo(at) => drop(access::lock_repo(tx, caller, at, Right::Own).await?),
            EntitlementAddress::Package(at) => drop(access::lock_package(tx, caller, at, Right::Own).await?),
            EntitlementAddress::Version(at) => drop(access::lock_package(tx, caller, at, Right::Own).await?),
            EntitlementAddress::Product(at) => {
                let owner_id = in_product(tx, caller, at).await?.owner_id;
                subjects::lock(tx, owner_id).await?;
            }
        }
        self.find(tx, caller).await
    }
}

fn in_package(PackageAccess { repo, package }: PackageAccess) -> EntitlementTarget {
    let (owner_id, plan, repo_id) = (repo.repo.owner_id, repo.repo.plan, Some(repo.repo.id));
    EntitlementTarget {
        level: EntitlementScope::Package(package.id),
        owner_id,
        plan,
        repo_id,
        package_id: Some(package.id),
    }
}

/// Resolves a product. Callers who do not manage the owner's account cannot find out which products exist.
async fn in_product(db: &dyn Read, caller: &Caller, at: &ProductAddress) -> Result<EntitlementTarget> {
    caller.check_known_to(&at.owner)?;
    let no_owner = || Error::NotFound { what: "Subject", name: at.owner.to_string() };
    let owner = subjects::find(db, &at.owner).await?.ok_or_else(no_owner)?;
    access::check_account(db, caller, &owner, Action::EditProfile).await?;
    let no_product = || Error::NotFound { what: "Product", name: at.product.to_string() };
    let product = products::find(db, owner.id, &at.product).await?.ok_or_else(no_product)?;
    let level = EntitlementScope::Product(product.id);
    Ok(EntitlementTarget { level, owner_id: owner.id, plan: owner.plan, repo_id: None, package_id: None })
}

impl fmt::Display for EntitlementAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EntitlementAddress::Repo(at) => at.fmt(f),
            EntitlementAddress::Package(at) => at.fmt(f),
            EntitlementAddress::Version(at) => at.fmt(f),
            EntitlementAddress::Product(at) => write!(f, "{}/{}", at.owner, at.product),
        }
    }
}
