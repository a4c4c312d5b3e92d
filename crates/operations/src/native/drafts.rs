//! A package as its publishers see it: with versions and files that are staged.

use database::{catalogue::versions, content::files};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress},
    names::PackageName,
    version::VersionListItem,
};

use crate::{
    Caller, Error, House, Result, access,
    format::{DraftView, PackageDrafts, Rows},
    native::check_origin,
};

/// The maximum number of versions in an answer: the files of each are read separately.
const VERSIONS: usize = 50;

/// The maximum number of files of a version in an answer.
const FILES: i64 = 100;

/// Finds a package with this version, or with the newest ones. Callers who may not publish it see what is published.
pub(super) async fn find(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    name: &PackageName,
    version: Option<&str>,
) -> Result<Option<Rows>> {
    let at = PackageAddress { repo: at.clone(), package: name.clone() };
    let access = match access::package(&house.db, caller, &at, Right::Read).await {
        Err(Error::NotFound { .. }) => return Ok(None),
        other => other?,
    };
    let sees_all = access::package(&house.db, caller, &at, Right::Publish).await.is_ok();
    if !sees_all {
        check_origin(house, caller, &access.repo).await?;
    }
    let package = access.package;
    let mut found = versions::list_of_packages(&house.db, &[package.id]).await?.remove(&package.id).unwrap_or_default();
    let is_asked = |found: &VersionListItem| version.is_none_or(|name| found.name == name);
    found.retain(|found| is_asked(found) && (sees_all || (found.is_published && !found.is_draft)));
    found.truncate(VERSIONS);
    let mut drafts = Vec::new();
    for version in found {
        drafts.push(draft(house, version, sees_all).await?);
    }
    Ok(Some(Rows::Drafts(Box::new(PackageDrafts {
        name: package.name,
        description: package.profile.description,
        created: package.created,
        updated: package.updated,
        versions: drafts,
    }))))
}

async fn draft(house: &House, version: VersionListItem, sees_all: bool) -> Result<DraftView> {
    let files = files::list(&house.db, version.id, FILES).await?;
    let seen = files.into_iter().filter(|file| sees_all || file.published.is_some());
    let paths = seen.map(|file| file.path.to_string()).collect();
    Ok(DraftView { name: version.name, is_published: version.is_published, paths })
}
