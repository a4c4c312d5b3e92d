//! Searches by part of a name or a description.

pub mod attribute_search;

use std::collections::{BTreeSet, HashMap};

use database::search::{
    self, Results,
    file_search::{self, FileQuery, SearchOutcome, SearchSnapshot},
};
use model::{
    digest::Sha1,
    file::ListedFile,
    id::RepoId,
    package::Package,
    page::{PAGE_SIZE, PageRequest},
    search::{SearchFacets, SearchScope, SearchTerms},
    search_term::SearchTerm,
    timestamp::Timestamp,
    wildcard::Wildcard,
};

use crate::{
    Caller, Error, House, PackageAccess, Page, RepoAccess, Result, access,
    accounts::users::{self, Profile},
    catalogue::packages::{self, PackageDetail},
    ids,
};

/// The most results of a search by words: the best ones among the newest matches.
pub const MOST_RESULTS: u64 = search::MOST_MATCHES as u64;

/// Returns a page of the repositories that match the terms and that the caller may read. For signed-in users.
#[boxed::future]
pub async fn repos(house: &House, caller: &Caller, terms: &SearchTerms, start: u64) -> Result<Page<RepoAccess>> {
    access::identity(caller)?;
    check(terms)?;
    let found = search::repos::find(&house.db, terms, access::reader(caller), window(start)).await?;
    let total = found.total;
    let items = found.items.into_iter().filter_map(|found| access::readable(caller, found)).collect();
    Ok(page(Results { items, total }, start))
}

/// Returns a page of the packages that match the terms, in repositories that the caller may read. For everyone.
#[boxed::future]
pub async fn packages(
    house: &House,
    caller: &Caller,
    terms: &SearchTerms,
    scope: &SearchScope,
    start: u64,
) -> Result<Page<PackageDetail>> {
    check_packages(terms, scope)?;
    let found = search::packages::find(&house.db, terms, scope, access::reader(caller), window(start)).await?;
    package_page(house, caller, found, start).await
}

/// Returns the packages on a part of the list, with what one could narrow the search to.
#[boxed::future]
pub async fn packages_with_facets(
    house: &House,
    caller: &Caller,
    terms: &SearchTerms,
    scope: &SearchScope,
    part: PageRequest,
) -> Result<(Page<PackageDetail>, SearchFacets)> {
    check_packages(terms, scope)?;
    let (found, facets) =
        search::packages::find_with_facets(&house.db, terms, scope, access::reader(caller), part).await?;
    Ok((package_page(house, caller, found, part.start.unsigned_abs()).await?, facets))
}

/// Returns the best matches of words without their details. For everyone.
#[boxed::future]
pub async fn suggest_packages(
    house: &House,
    caller: &Caller,
    terms: &SearchTerms,
    limit: i64,
) -> Result<Vec<PackageAccess>> {
    check(terms)?;
    let (everywhere, first) = (SearchScope::default(), PageRequest { start: 0, limit });
    let found = search::packages::find(&house.db, terms, &everywhere, access::reader(caller), first).await?;
    readable_packages(house, caller, found.items).await
}

async fn package_page(
    house: &House,
    caller: &Caller,
    found: Results<Package>,
    start: u64,
) -> Result<Page<PackageDetail>> {
    let readable = readable_packages(house, caller, found.items).await?;
    let items = packages::details(house, caller, readable).await?;
    Ok(page(Results { items, total: found.total }, start))
}

/// Returns the packages with their repositories. If a repository was deleted or hidden in the meantime, its packages are
/// left out.
async fn readable_packages(house: &House, caller: &Caller, found: Vec<Package>) -> Result<Vec<PackageAccess>> {
    let repo_ids: BTreeSet<RepoId> = found.iter().map(|package| package.repo_id).collect();
    let repo_ids: Vec<RepoId> = repo_ids.into_iter().collect();
    let repos = access::readable_repos(&house.db, caller, &repo_ids).await?;
    let repos: HashMap<RepoId, RepoAccess> = repos.into_iter().map(|repo| (repo.repo.id, repo)).collect();
    let access = |package: Package| Some(PackageAccess { repo: repos.get(&package.repo_id)?.clone(), package });
    Ok(found.into_iter().filter_map(access).collect())
}

/// Returns a page of the users whose names contain the term. For signed-in users.
#[boxed::future]
pub async fn users(house: &House, caller: &Caller, name: Option<&SearchTerm>, start: u64) -> Result<Page<Profile>> {
    access::identity(caller)?;
    caller.check_unlimited()?;
    let name = name.ok_or_else(|| Error::invalid("name", "it is required"))?;
    let found = search::users(&house.db, name, window(start)).await?;
    let items = users::profiles(house, caller, found.items).await?;
    Ok(page(Results { items, total: found.total }, start))
}

/// The terms of a search for files.
#[derive(Debug, Clone, Default)]
pub struct FileTerms {
    /// A pattern for the name.
    pub name: Option<Wildcard>,
    /// The SHA-1 of the content.
    pub sha1: Option<Sha1>,
    /// The repositories to search.
    pub scope: SearchScope,
    /// Only files that were created later.
    pub created_after: Option<Timestamp>,
}

/// Returns a page of the matching published files in repositories that the caller may read, newest first. For everyone.
#[boxed::future]
pub async fn files(house: &House, caller: &Caller, terms: FileTerms, start: u64) -> Result<Page<ListedFile>> {
    let FileTerms { name, sha1, scope, created_after } = terms;
    if name.is_none() && sha1.is_none() {
        return Err(Error::invalid("name", "at least one of name and sha1 is required"));
    }
    // Ids are generated from the clock a moment before the file is created, and clocks may step. A day of tolerance
    // covers both.
    let moment = |at: Timestamp| SearchSnapshot { at, id: ids::before(Timestamp::from_millis(at.millis() - DAY_MS)) };
    let query = FileQuery { name, sha1, scope, created_after: created_after.map(moment) };
    match file_search::find(&house.db, &query, access::reader(caller), window(start)).await? {
        SearchOutcome::Found(results) => Ok(page(results, start)),
        SearchOutcome::TooWide => Err(Error::invalid("name", TOO_WIDE)),
    }
}

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

const TOO_WIDE: &str = "it may match too many files: give three characters in a row without a wildcard, or one at \
    the beginning, or a subject and a repo with fewer files";

fn check(terms: &SearchTerms) -> Result<()> {
    match (&terms.name, &terms.description, &terms.words) {
        (None, None, None) => Err(Error::invalid("name", "at least one of name and desc is required")),
        _ => Ok(()),
    }
}

/// A label or an owner narrows a search enough.
fn check_packages(terms: &SearchTerms, scope: &SearchScope) -> Result<()> {
    if scope.label.is_some() { Ok(()) } else { check(terms) }
}

fn window(start: u64) -> PageRequest {
    PageRequest { start: start.cast_signed(), limit: PAGE_SIZE.cast_signed() }
}

fn page<T>(results: Results<T>, start: u64) -> Page<T> {
    Page { items: results.items, start, total: results.total.unsigned_abs() }
}
