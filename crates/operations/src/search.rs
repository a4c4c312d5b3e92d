//! Searches by a part of a name or a description.

use std::collections::{HashMap, hash_map::Entry};

use database::{
    package_list::Window,
    search::{self, Results, Scope, Terms},
};
use model::{page::PAGE_SIZE, search_term::SearchTerm};

use crate::{
    Caller, Error, House, PackageAccess, Page, RepoAccess, Result, access,
    packages::{self, PackageDetail},
    users::{self, Profile},
};

/// A page of the repositories that the caller may read and that hold the terms. For those who have signed in.
pub async fn repos(house: &House, caller: &Caller, terms: &Terms, start: u64) -> Result<Page<RepoAccess>> {
    access::identity(caller)?;
    check(terms)?;
    let found = search::repos(&house.db, terms, access::reader(caller), window(start)).await?;
    let total = found.total;
    let items = found.items.into_iter().filter_map(|found| access::readable(caller, found)).collect();
    Ok(page(Results { items, total }, start))
}

/// A page of the packages that hold the terms, of repositories that the caller may read. For everyone.
pub async fn packages(
    house: &House,
    caller: &Caller,
    terms: &Terms,
    scope: &Scope,
    start: u64,
) -> Result<Page<PackageDetail>> {
    check(terms)?;
    let found = search::packages(&house.db, terms, scope, access::reader(caller), window(start)).await?;
    let (mut repos, mut items) = (HashMap::new(), Vec::new());
    for package in found.items {
        let repo = match repos.entry(package.repo_id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(access::readable_repo(&house.db, caller, package.repo_id).await?),
        };
        // A repository that has gone or been hidden since takes its packages along.
        if let Some(repo) = repo.clone() {
            items.push(packages::detail(house, caller, PackageAccess { repo, package }).await?);
        }
    }
    Ok(page(Results { items, total: found.total }, start))
}

/// A page of the users whose names hold the term. For those who have signed in.
pub async fn users(house: &House, caller: &Caller, name: Option<&SearchTerm>, start: u64) -> Result<Page<Profile>> {
    access::identity(caller)?;
    let name = name.ok_or_else(|| Error::invalid("name", "it is required"))?;
    let found = search::users(&house.db, name, window(start)).await?;
    let mut items = Vec::new();
    for user in found.items {
        items.push(users::profile(house, caller, user).await?);
    }
    Ok(page(Results { items, total: found.total }, start))
}

fn check(terms: &Terms) -> Result<()> {
    match (&terms.name, &terms.description) {
        (None, None) => Err(Error::invalid("name", "at least one of name and desc is required")),
        _ => Ok(()),
    }
}

fn window(start: u64) -> Window {
    Window { start: start.cast_signed(), limit: PAGE_SIZE.cast_signed() }
}

fn page<T>(results: Results<T>, start: u64) -> Page<T> {
    Page { items: results.items, start, total: results.total.unsigned_abs() }
}
