//! Searches of native clients.

use database::{
    catalogue::{package_list, packages},
    search as index,
};
use model::{
    id::PackageId, names::PackageName, package::Package, page::PageRequest, prefix::NameRange, search_term::SearchTerm,
};

use crate::{
    Caller, Error, House, PackageAccess, Result,
    catalogue::latest,
    format::{PackageSummary, Rows},
    native::{ReadableRepo, published::of_parts, view::ReadablePackage},
};

/// The maximum number of matches that can be skipped.
const LAST_MATCH: u64 = 1_000_000;

/// The maximum number of matches in one answer.
const MATCHES: u64 = 250;

/// Finds packages whose names contain a text.
pub(super) async fn search(house: &House, entered: &ReadableRepo, text: &str, offset: u64, limit: u64) -> Result<Rows> {
    let (found, total) = matches(house, entered, text, offset, limit).await?;
    let ids: Vec<PackageId> = found.iter().map(|found| found.package.id).collect();
    let format = house.format(&entered.access.repo.kind);
    let mut latest = latest::find_names(&house.db, format, &ids, entered.access.is_publisher()).await?;
    let summary = |found: PackageAccess| summary_of(latest.remove(&found.package.id), found.package);
    let packages = found.into_iter().map(summary).collect();
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
    let (found, total) = matches(house, entered, text, offset, limit).await?;
    let mut packages = Vec::new();
    for access in found {
        let package = ReadablePackage { access, parts: entered.parts.as_ref() };
        let Some(mut view) = package.with_versions(&house.db, caller).await? else { continue };
        package.add_files(&house.db, caller, house.format(&entered.access.repo.kind), &mut view).await?;
        packages.push(view);
    }
    Ok(Rows::Found { packages, total })
}

async fn matches(
    house: &House,
    entered: &ReadableRepo,
    text: &str,
    offset: u64,
    limit: u64,
) -> Result<(Vec<PackageAccess>, u64)> {
    let name = SearchTerm::parse(text).map_err(|reason| Error::Refused(format!("The text is invalid: {reason}")))?;
    let window = PageRequest { start: offset.min(LAST_MATCH).cast_signed(), limit: limit.min(MATCHES).cast_signed() };
    Ok(match (&entered.parts, name) {
        (Some(_), name) => match_parts(house, entered, name.as_ref(), window).await?,
        (None, None) => all(house, entered, window).await?,
        (None, Some(name)) => {
            let found = index::repo_packages::find(&house.db, &entered.access.repo, &name, window).await?;
            let access = |package| PackageAccess { repo: entered.access.clone(), package };
            (found.items.into_iter().map(access).collect(), found.total.unsigned_abs())
        }
    })
}

/// All packages, as a client shows them before something is typed. A search would count and sort each of them.
async fn all(house: &House, entered: &ReadableRepo, window: PageRequest) -> Result<(Vec<PackageAccess>, u64)> {
    let (id, range) = (entered.access.repo.id, NameRange::beginning_with(""));
    let total = package_list::count_own(&house.db, id, &range).await?;
    let names = package_list::list(&house.db, id, &range, Vec::new(), window).await?;
    let (Some(first), Some(last)) = (names.first(), names.last()) else {
        return Ok((Vec::new(), total.unsigned_abs()));
    };
    let found = packages::list_between(&house.db, id, &first.name, &last.name).await?;
    let access = |package| PackageAccess { repo: entered.access.clone(), package };
    Ok((found.into_iter().map(access).collect(), total.unsigned_abs()))
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

fn summary_of(latest_version: Option<String>, package: Package) -> PackageSummary {
    PackageSummary {
        name: package.name.to_string(),
        latest_version,
        description: Some(package.profile.description).filter(|text| !text.is_empty()),
        labels: package.profile.labels,
        website: package.profile.website_url,
        updated: package.updated,
    }
}
