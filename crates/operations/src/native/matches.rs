//! Searches of native clients.

use database::{
    catalogue::{package_list, packages},
    search as index,
};
use model::{
    names::PackageName,
    page::PageRequest,
    prefix::NameRange,
    search::{SearchScope, SearchTerms},
    search_term::SearchTerm,
};

use crate::{
    Caller, Error, House, PackageAccess, Result, access,
    catalogue::packages::{PackageDetail, details},
    format::{PackageSummary, Rows},
    native::{ReadableRepo, published::of_parts, view::ReadablePackage},
};

/// The maximum number of matches that can be skipped.
const LAST_MATCH: u64 = 1_000_000;

/// The maximum number of matches in one answer.
const MATCHES: u64 = 250;

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
        None if name.is_none() => all(house, entered, window).await?,
        None => {
            let repo = &entered.access.repo;
            let terms = SearchTerms { name, ..SearchTerms::default() };
            let (owner, name) = (Some(repo.owner.clone()), Some(repo.name.clone()));
            let scope = SearchScope { owner, repo: name, ..SearchScope::default() };
            let found = index::packages::find(&house.db, &terms, &scope, access::reader(caller), window).await?;
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
