//! Lists of packages for native clients.

use std::collections::BTreeMap;

use database::{
    catalogue::{package_list, packages},
    content::published_packages::{self, PublishedPackage},
};
use model::{access::GrantScope, id::PackageId, names::PackageName, prefix::NameRange, timestamp::Timestamp};

use crate::{
    Caller, Error, House, PackageAccess, Result, access,
    format::{Native, NativeAnswer, NativeCall, PackageSummary, Rows},
    native::{ReadableRepo, name_lists::VersionNames, view::ReadablePackage},
};

/// The maximum number of packages in a list.
pub(super) const PACKAGES: usize = 100_000;

/// Answers with the packages with published versions that the caller may see, by name. Only names and times are filled
/// in. If the caller sees exactly the packages of the repository itself, the answer is cached.
pub(super) async fn list(
    house: &House,
    caller: &Caller,
    entered: &ReadableRepo,
    native: &dyn Native,
    call: &NativeCall<'_>,
) -> Result<Option<NativeAnswer>> {
    if entered.parts.is_some() {
        return Ok(native.answer(call, &rows(house, of_parts(house, entered).await?)));
    }
    let repo_id = entered.access.repo.id;
    let (all, reader) = (NameRange::beginning_with(""), access::reader(caller));
    let linked = package_list::list_linked(&house.db, repo_id, &all, reader).await?;
    if !linked.is_empty() || !call.query.is_empty() {
        let mut names = Names::clone(&*house.name_lists.names(house, repo_id).await?);
        let now = house.clock.now();
        names.extend(linked.into_iter().map(|name| (name, now)));
        return Ok(native.answer(call, &rows(house, names)));
    }
    // An empty list shows which form the client wants.
    let Some(form) = native.answer(call, &rows(house, Names::new())) else { return Ok(None) };
    let form = (call.route.path, form.media_type);
    let make = |names: &Names| native.answer(call, &rows(house, names.clone()));
    let answer = house.name_lists.answer(house, repo_id, form, make).await?;
    Ok(answer.map(|answer| NativeAnswer::clone(&answer)))
}

fn rows(house: &House, names: Names) -> Rows {
    let packages: Vec<PackageSummary> = names.into_iter().map(|(name, updated)| summary(name, updated)).collect();
    let total = packages.len() as u64;
    Rows::Packages { packages, total, at: house.clock.now() }
}

/// Names of packages with the time of their last change.
pub(super) type Names = BTreeMap<String, Timestamp>;

fn summary(name: String, updated: Timestamp) -> PackageSummary {
    let (latest_version, description, website) = (None, None, None);
    PackageSummary { name, latest_version, description, labels: Vec::new(), website, updated }
}

/// The packages that a key may read, or read a part of, by name.
pub(super) async fn of_parts(house: &House, entered: &ReadableRepo) -> Result<Names> {
    let ids = part_ids(house, entered).await?;
    Ok(published_packages::list_by_ids(&house.db, &ids).await?.into_iter().map(named).collect())
}

pub(super) fn named(found: PublishedPackage) -> (String, Timestamp) {
    (found.name, Timestamp::from_millis(found.updated))
}

/// The ids of these packages.
async fn part_ids(house: &House, entered: &ReadableRepo) -> Result<Vec<PackageId>> {
    let (mut ids, mut version_ids) = (Vec::new(), Vec::new());
    for part in entered.parts.iter().flat_map(access::RepoGrants::parts) {
        match part {
            GrantScope::Package(id) => ids.push(*id),
            GrantScope::Version(id) => version_ids.push(*id),
            GrantScope::Path(path) => {
                let limit = i64::try_from(PACKAGES).unwrap_or(i64::MAX);
                ids.extend(published_packages::ids_below(&house.db, entered.access.repo.id, path, limit).await?);
            }
        }
    }
    ids.extend(published_packages::ids_of_versions(&house.db, &version_ids).await?);
    ids.sort_unstable();
    ids.dedup();
    ids.truncate(PACKAGES);
    Ok(ids)
}

/// Lists the published versions that the caller may read, by package.
pub(super) async fn list_versions(
    house: &House,
    caller: &Caller,
    entered: &ReadableRepo,
    name: Option<&PackageName>,
) -> Result<Rows> {
    let repo_id = entered.access.repo.id;
    let names: Vec<PackageName> = match (name, &entered.parts) {
        (Some(name), _) => vec![name.clone()],
        (None, None) => {
            let versions = house.name_lists.versions(house, repo_id).await?;
            return Ok(Rows::Versions(VersionNames::clone(&versions)));
        }
        (None, Some(_)) => {
            let names = of_parts(house, entered).await?.into_keys();
            let names: std::result::Result<_, _> = names.map(|name| PackageName::stored(&name)).collect();
            names.map_err(|error| Error::Internal(error.to_string()))?
        }
    };
    let mut versions = VersionNames::new();
    for name in names {
        let Some(package) = packages::find(&house.db, repo_id, &name).await? else { continue };
        let access = PackageAccess { repo: entered.access.clone(), package };
        let readable = ReadablePackage { access, parts: entered.parts.as_ref() };
        let Some(view) = readable.with_versions(&house.db, caller).await? else { continue };
        versions.extend(view.versions.into_iter().map(|version| (name.to_string(), version.name.to_string())));
    }
    Ok(Rows::Versions(versions))
}
