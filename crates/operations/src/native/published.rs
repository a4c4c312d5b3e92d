//! Lists of packages for native clients.

use std::collections::BTreeMap;

use database::{
    catalogue::{package_list, packages},
    content::published_packages::{self, PublishedPackage},
    search,
};
use model::{
    access::GrantScope,
    id::PackageId,
    names::PackageName,
    page::PageRequest,
    prefix::NameRange,
    search::{SearchScope, SearchTerms},
    search_term::SearchTerm,
    timestamp::Timestamp,
};

use crate::{
    Caller, Error, House, PackageAccess, Result, access,
    catalogue::packages::{PackageDetail, details},
    format::{PackageSummary, Rows},
    native::{ReadableRepo, view::ReadablePackage},
};

/// The maximum number of packages in a list.
const PACKAGES: usize = 100_000;

/// The number of packages that one statement reads.
const PAGE: i64 = 5_000;

/// The maximum number of matches that can be skipped.
const LAST_MATCH: u64 = 1_000_000;

/// The maximum number of matches in one answer.
const MATCHES: u64 = 250;

/// Lists the packages with published versions that the caller may see, by name. Only names and times are filled in.
pub(super) async fn list(house: &House, caller: &Caller, entered: &ReadableRepo) -> Result<Rows> {
    let found = match &entered.parts {
        Some(_) => of_parts(house, entered).await?,
        None => of_repo(house, caller, entered).await?,
    };
    let packages: Vec<PackageSummary> = found.into_iter().map(|(name, updated)| summary(name, updated)).collect();
    let total = packages.len() as u64;
    Ok(Rows::Packages { packages, total, at: house.clock.now() })
}

/// Names of packages with the time of their last change.
type Names = BTreeMap<String, Timestamp>;

fn summary(name: String, updated: Timestamp) -> PackageSummary {
    let (latest_version, description, website) = (None, None, None);
    PackageSummary { name, latest_version, description, labels: Vec::new(), website, updated }
}

async fn of_repo(house: &House, caller: &Caller, entered: &ReadableRepo) -> Result<Names> {
    let repo_id = entered.access.repo.id;
    let (mut names, mut last) = (Names::new(), String::new());
    while names.len() < PACKAGES {
        let page = published_packages::list_after(&house.db, repo_id, &last, PAGE).await?;
        let Some(end) = page.last() else { break };
        last.clone_from(&end.name);
        names.extend(page.into_iter().map(named));
    }
    let (all, reader) = (NameRange::beginning_with(""), access::reader(caller));
    let linked = package_list::list_linked(&house.db, repo_id, &all, reader).await?;
    let now = house.clock.now();
    names.extend(linked.into_iter().map(|name| (name, now)));
    Ok(names)
}

async fn of_parts(house: &House, entered: &ReadableRepo) -> Result<Names> {
    let ids = part_ids(house, entered).await?;
    Ok(published_packages::list_by_ids(&house.db, &ids).await?.into_iter().map(named).collect())
}

fn named(found: PublishedPackage) -> (String, Timestamp) {
    (found.name, Timestamp::from_millis(found.updated))
}

/// The packages that a key may read, or read a part of.
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

/// Finds packages whose names contain a text.
pub(super) async fn search(
    house: &House,
    caller: &Caller,
    entered: &ReadableRepo,
    text: &str,
    offset: u64,
    limit: u64,
) -> Result<Rows> {
    let (found, total) = matches(house, caller, entered, text, offset, limit).await?;
    let packages = details(house, caller, found).await?.into_iter().map(summary_of).collect();
    Ok(Rows::Packages { packages, total, at: house.clock.now() })
}

/// Does the same, and returns each package with its versions. The latest one has its files.
pub(super) async fn search_versions(
    house: &House,
    caller: &Caller,
    entered: &ReadableRepo,
    text: &str,
    offset: u64,
    limit: u64,
) -> Result<Rows> {
    let (found, total) = matches(house, caller, entered, text, offset, limit).await?;
    let mut packages = Vec::new();
    for access in found {
        let package = ReadablePackage { access, parts: entered.parts.as_ref() };
        let Some(mut view) = package.with_versions(&house.db, caller).await? else { continue };
        package.add_files(&house.db, caller, house.format(&entered.access.repo.kind), &mut view).await?;
        packages.push(view);
    }
    Ok(Rows::Found { packages, total })
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
            let limit = i64::try_from(PACKAGES).unwrap_or(i64::MAX);
            return Ok(Rows::Versions(published_packages::list_versions(&house.db, repo_id, limit).await?));
        }
        (None, Some(_)) => {
            let names = of_parts(house, entered).await?.into_keys();
            let names: std::result::Result<_, _> = names.map(|name| PackageName::stored(&name)).collect();
            names.map_err(|error| Error::Internal(error.to_string()))?
        }
    };
    let mut versions: Vec<(String, String)> = Vec::new();
    for name in names {
        let Some(package) = packages::find(&house.db, repo_id, &name).await? else { continue };
        let access = PackageAccess { repo: entered.access.clone(), package };
        let readable = ReadablePackage { access, parts: entered.parts.as_ref() };
        let Some(view) = readable.with_versions(&house.db, caller).await? else { continue };
        versions.extend(view.versions.into_iter().map(|version| (name.to_string(), version.name.to_string())));
    }
    Ok(Rows::Versions(versions))
}

async fn matches(
    house: &House,
    caller: &Caller,
    entered: &ReadableRepo,
    text: &str,
    offset: u64,
    limit: u64,
) -> Result<(Vec<PackageAccess>, u64)> {
    let name = SearchTerm::parse(text).map_err(|reason| Error::Refused(format!("The text is invalid: {reason}")))?;
    let window = PageRequest { start: offset.min(LAST_MATCH).cast_signed(), limit: limit.min(MATCHES).cast_signed() };
    Ok(match &entered.parts {
        Some(_) => match_parts(house, entered, name.as_ref(), window).await?,
        None => {
            let repo = &entered.access.repo;
            let terms = SearchTerms { name, description: None };
            let scope = SearchScope { owner: Some(repo.owner.clone()), repo: Some(repo.name.clone()) };
            let found = search::packages(&house.db, &terms, &scope, access::reader(caller), window).await?;
            let access = |package| PackageAccess { repo: entered.access.clone(), package };
            (found.items.into_iter().map(access).collect(), found.total.unsigned_abs())
        }
    })
}

/// Searches the packages that a key may read.
async fn match_parts(
    house: &House,
    entered: &ReadableRepo,
    name: Option<&SearchTerm>,
    window: PageRequest,
) -> Result<(Vec<PackageAccess>, u64)> {
    let mut names = of_parts(house, entered).await?.into_keys().collect::<Vec<_>>();
    names.retain(|found| match (name, PackageName::stored(found)) {
        (Some(name), Ok(found)) => found.folded().contains(name.alike()),
        (None, Ok(_)) => true,
        (_, Err(_)) => false,
    });
    let (start, limit) = (usize::try_from(window.start), usize::try_from(window.limit));
    let mut found = Vec::new();
    for name in names.iter().skip(start.unwrap_or(usize::MAX)).take(limit.unwrap_or_default()) {
        let name = PackageName::stored(name).map_err(|error| Error::Internal(error.to_string()))?;
        let package = packages::find(&house.db, entered.access.repo.id, &name).await?;
        found.extend(package.map(|package| PackageAccess { repo: entered.access.clone(), package }));
    }
    Ok((found, names.len() as u64))
}

fn summary_of(detail: PackageDetail) -> PackageSummary {
    let package = detail.access.package;
    PackageSummary {
        name: package.name.to_string(),
        latest_version: detail.latest_version,
        description: Some(package.profile.description).filter(|text| !text.is_empty()),
        labels: package.profile.labels,
        website: package.profile.website_url,
        updated: package.updated,
    }
}
