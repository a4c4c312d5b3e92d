//! Packages.

use database::{
    ScopedFutureExt, Tx,
    catalogue::{
        attributes::{self, AttributeOwner},
        latest_versions, links, packages, versions,
    },
    content::tags::{self, Tag},
};
use model::{
    access::Right,
    address::PackageAddress,
    id::{PackageId, RepoId},
    license,
    names::PackageName,
    package::{Package, PackageChange, PackageProfile},
    timestamp::Timestamp,
};

use crate::{
    Caller, Error, House, PackageAccess, Result, access,
    audit::{entry, record, record_edits},
    catalogue::{
        latest, licenses,
        package_indexes::{self, IndexChange},
    },
    change::Edits,
};

/// A package with the details for its page.
#[derive(Debug, Clone)]
pub struct PackageDetail {
    /// The package, and the caller's right in it.
    pub access: PackageAccess,
    /// The names of its attributes that the caller may see, in their order.
    pub attribute_names: Vec<String>,
    /// The repositories it is linked into that the caller may read, as `subject/repo`.
    pub linked_to_repos: Vec<String>,
    /// The names of its versions, newest first.
    pub versions: Vec<String>,
    /// The latest version with a published file, or the latest version if none has one.
    pub latest_version: Option<String>,
    /// Its tags with the versions that they point to, by name.
    pub tags: Vec<(String, String)>,
}

/// Returns a package, for callers who may read its repository.
#[boxed::future]
pub async fn show(house: &House, caller: &Caller, at: &PackageAddress) -> Result<PackageDetail> {
    detail(house, caller, access::package(&house.db, caller, at, Right::Read).await?).await
}

/// Returns a package, for callers who have this right in it: the initial values of a form.
#[boxed::future]
pub async fn show_for(house: &House, caller: &Caller, at: &PackageAddress, needed: Right) -> Result<PackageAccess> {
    access::package(&house.db, caller, at, needed).await
}

/// Returns the details for the page of a package.
async fn detail(house: &House, caller: &Caller, access: PackageAccess) -> Result<PackageDetail> {
    let detail = details(house, caller, vec![access]).await?.pop();
    Ok(detail.expect("each package has a detail"))
}

/// Returns the details for the pages of packages, with a few statements for all of them.
pub(crate) async fn details(house: &House, caller: &Caller, found: Vec<PackageAccess>) -> Result<Vec<PackageDetail>> {
    let ids: Vec<PackageId> = found.iter().map(|access| access.package.id).collect();
    let owners: Vec<AttributeOwner> = ids.iter().copied().map(AttributeOwner::Package).collect();
    let (mut attribute_names, mut links, mut versions, latest, mut tags) = tokio::try_join!(
        attributes::list_names_of(&house.db, &owners),
        links::list_of_packages(&house.db, &ids, access::reader(caller)),
        versions::list_of_packages(&house.db, &ids),
        latest_versions::list_of_packages(&house.db, &ids),
        tags::list_of_packages(&house.db, &ids),
    )?;
    let detail = |access: PackageAccess| {
        let id = access.package.id;
        let mut versions = versions.remove(&id).unwrap_or_default();
        versions.retain(|version| access.repo.is_publisher() || !version.is_draft);
        let stored = latest.get(&id).and_then(|id| versions.iter().find(|found| found.id == *id && found.is_published));
        let newest = stored.or_else(|| latest::pick(house.format(&access.repo.repo.kind), &versions));
        let latest_version = newest.map(|version| version.name.clone());
        PackageDetail {
            attribute_names: access
                .repo
                .visible(attribute_names.remove(&AttributeOwner::Package(id)).unwrap_or_default()),
            linked_to_repos: links.remove(&id).unwrap_or_default(),
            latest_version,
            tags: visible_tags(&access, tags.remove(&id).unwrap_or_default()),
            versions: versions.into_iter().map(|version| version.name).collect(),
            access,
        }
    };
    Ok(found.into_iter().map(detail).collect())
}

/// The tags that the caller may see: those of drafts are for publishers.
fn visible_tags(access: &PackageAccess, tags: Vec<Tag>) -> Vec<(String, String)> {
    let is_visible = |tag: &Tag| access.repo.is_publisher() || tag.is_published;
    tags.into_iter().filter(is_visible).map(|tag| (tag.name, tag.version.to_string())).collect()
}

/// Creates a package.
#[boxed::future]
pub async fn create(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    change: PackageChange,
) -> Result<PackageDetail> {
    access::repo(&house.db, caller, &at.repo, Right::Publish).await?;
    check(house, &change)?;
    let (id, change) = (PackageId::new(house.next_id()), &change);
    let log = &entry(house, caller, "package.create", at, "");
    let access = house
        .db
        .write(|tx| {
            async move {
                let repo = access::lock_repo(tx, caller, &at.repo, Right::Publish).await?;
                let mut profile = PackageProfile::default();
                change.apply(&mut profile);
                let draft = PackageDraft { id, name: &at.package, profile, now: log.at };
                let package = draft.package(repo.repo.id);
                insert_new(tx, &package).await?;
                if let Some(names) = &change.custom_licenses {
                    licenses::set_uses(tx, repo.repo.owner_id, id, names).await?;
                }
                record(tx, log).await?;
                Ok::<_, Error>(PackageAccess { repo, package })
            }
            .scope_boxed()
        })
        .await?;
    detail(house, caller, access).await
}

/// A package to create.
pub(crate) struct PackageDraft<'n> {
    pub(crate) id: PackageId,
    pub(crate) name: &'n PackageName,
    pub(crate) profile: PackageProfile,
    pub(crate) now: Timestamp,
}

impl PackageDraft<'_> {
    /// Converts it to the package.
    pub(crate) fn package(self, repo_id: RepoId) -> Package {
        Package {
            id: self.id,
            repo_id,
            name: self.name.clone(),
            rating_sum: 0,
            rating_count: 0,
            followers_count: 0,
            created: self.now,
            updated: self.now,
            profile: self.profile,
        }
    }
}

/// Creates a package in a repository that the transaction has locked.
pub(crate) async fn insert_new(tx: &mut Tx, package: &Package) -> Result<()> {
    let taken = || Error::Conflict(format!("Package '{}' already exists", package.name));
    if links::has_name(tx, package.repo_id, &package.name).await?
        || packages::has_other_form(tx, package.repo_id, &package.name).await?
    {
        return Err(taken());
    }
    match packages::insert(tx, package).await {
        Err(database::Error::Conflict) => Err(taken()),
        other => Ok(other?),
    }
}

/// Changes a package.
#[boxed::future]
pub async fn edit(house: &House, caller: &Caller, at: &PackageAddress, change: PackageChange) -> Result<()> {
    access::package(&house.db, caller, at, Right::Publish).await?;
    check(house, &change)?;
    let (change, log) = (&change, &entry(house, caller, "package.edit", at, ""));
    house
        .db
        .write(|tx| {
            async move {
                let PackageAccess { repo, mut package } = access::lock_package(tx, caller, at, Right::Publish).await?;
                if let Some(names) = &change.custom_licenses {
                    licenses::set_uses(tx, repo.repo.owner_id, package.id, names).await?;
                }
                let mut edits = Edits::default();
                for edit in change.apply(&mut package.profile) {
                    edits.record(edit.name, &edit.before, &edit.after);
                }
                packages::update(tx, package.id, &package.profile, log.at).await?;
                package_indexes::rebuild(tx, house, &repo.repo, package.id, IndexChange::Fields, log.at).await?;
                record_edits(tx, log, &edits).await
            }
            .scope_boxed()
        })
        .await
}

/// Returns whether packages may use the license with this name.
pub(crate) fn is_known_license(house: &House, name: &str) -> bool {
    license::find(name).is_some() || house.policy.extra_licenses.iter().any(|known| known == name)
}

fn check(house: &House, change: &PackageChange) -> Result<()> {
    change.check().map_err(|(field, reason)| Error::invalid(field, reason))?;
    match change.licenses.iter().flatten().find(|name| !is_known_license(house, name)) {
        Some(unknown) => Err(Error::Unknown { what: "License", name: unknown.to_string() }),
        None => Ok(()),
    }
}
