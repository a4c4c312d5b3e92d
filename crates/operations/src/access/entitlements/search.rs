//! Searches entitlements by key or tag, among those that the caller manages.

use database::{
    access::{
        entitlement_search::{self, EntitlementQuery},
        entitlement_terms,
    },
    accounts::subjects,
    catalogue::versions,
};
use model::{
    access::{Action, Decision, Right, Viewer, decide},
    address::{PackageAddress, RepoAddress, VersionAddress},
    names::{AccessKeyName, PackageName, RepoName, SubjectName, VersionName},
    page::PAGE_SIZE,
};

use super::{EntitlementDetail, name};
use crate::{Caller, Error, House, Page, Result, access};

/// The owner whose entitlements are searched, optionally limited to a part of its content.
#[derive(Debug, Clone)]
pub struct EntitlementSearchScope {
    /// The owner's name.
    pub owner: SubjectName,
    /// A repository.
    pub repo: Option<RepoName>,
    /// A package in it.
    pub package: Option<PackageName>,
    /// A version of that package.
    pub version: Option<VersionName>,
}

/// The search terms. A key or a tag is required.
#[derive(Debug, Clone)]
pub struct EntitlementTerms {
    /// The name of a key.
    pub access_key: Option<AccessKeyName>,
    /// A tag.
    pub tag: Option<String>,
    /// The scope.
    pub scope: EntitlementSearchScope,
}

/// A matching entitlement, and its scope.
#[derive(Debug, Clone)]
pub struct FoundEntitlement {
    /// The entitlement.
    pub detail: EntitlementDetail,
    /// The owner's name.
    pub owner: SubjectName,
    /// The name of the repository; none for a product.
    pub repo: Option<String>,
    /// The name of the package.
    pub package: Option<String>,
    /// The name of the version.
    pub version: Option<String>,
    /// The name of the product.
    pub product: Option<String>,
}

/// Returns the matching entitlements that the caller manages. The caller must manage everything that the scope names.
#[boxed::future]
pub async fn search(
    house: &House,
    caller: &Caller,
    terms: EntitlementTerms,
    start: u64,
) -> Result<Page<FoundEntitlement>> {
    access::identity(caller)?;
    if terms.access_key.is_none() && terms.tag.is_none() {
        return Err(Error::invalid("access_key", "it or tag is required"));
    }
    let owner = terms.scope.owner.clone();
    let terms = find_terms(house, caller, terms).await?;
    let total = entitlement_search::count(&house.db, &terms).await?.unsigned_abs();
    let bounded = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let found = if start < total {
        entitlement_search::list(&house.db, &terms, bounded(start), bounded(PAGE_SIZE)).await?
    } else {
        Vec::new()
    };
    let ids: Vec<i64> = found.iter().map(|found| found.id).collect();
    let mut keys = entitlement_terms::list_keys_of(&house.db, &ids).await?;
    let mut tags = entitlement_terms::list_tags_of(&house.db, &ids).await?;
    let complete = |found: entitlement_search::EntitlementHit| FoundEntitlement {
        detail: EntitlementDetail {
            id: name(found.id),
            right: Right::from_number(found.granted),
            access_keys: keys.remove(&found.id).unwrap_or_default(),
            path: found.path,
            tags: tags.remove(&found.id).unwrap_or_default(),
        },
        owner: owner.clone(),
        repo: found.repo,
        package: found.package,
        version: found.version,
        product: found.product,
    };
    Ok(Page { items: found.into_iter().map(complete).collect(), start, total })
}

/// Resolves names to ids. Callers who manage the owner's account manage everything it owns.
async fn find_terms(house: &House, caller: &Caller, asked: EntitlementTerms) -> Result<EntitlementQuery> {
    let EntitlementTerms { access_key, tag, scope } = asked;
    let db = &house.db;
    let no_owner = || Error::NotFound { what: "Subject", name: scope.owner.to_string() };
    let owner = subjects::find(db, &scope.owner).await?.ok_or_else(no_owner)?;
    let standing = access::standing(db, caller, &owner).await?;
    let manages_all = decide(Action::EditProfile, standing) == Decision::Allowed;
    let manager = Viewer { id: access::reader(caller).id, sees_everything: manages_all };
    let mut terms = EntitlementQuery {
        owner_id: owner.id,
        repo_id: None,
        package_id: None,
        version_id: None,
        access_key,
        tag,
        manager,
    };
    let Some(repo) = scope.repo else { return Ok(terms) };
    let at = RepoAddress { owner: scope.owner, repo };
    terms.repo_id = Some(access::repo(db, caller, &at, Right::Own).await?.repo.id);
    let Some(package) = scope.package else { return Ok(terms) };
    let at = PackageAddress { repo: at, package };
    let package = access::package(db, caller, &at, Right::Own).await?.package;
    terms.package_id = Some(package.id);
    let Some(version) = scope.version else { return Ok(terms) };
    let at = VersionAddress { package: at, version };
    let not_found = || Error::NotFound { what: "Version", name: at.version.to_string() };
    terms.version_id = Some(versions::find(db, package.id, &at.version).await?.ok_or_else(not_found)?.id);
    Ok(terms)
}
