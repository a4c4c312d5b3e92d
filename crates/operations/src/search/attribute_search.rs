//! Searches packages and versions by their attributes.

use database::search::attribute_search::{self as search, AttributeSearchScope};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress},
    attribute,
    attribute_query::{CLAUSE_VALUES, CLAUSES, Clause, Condition},
    page::{PAGE_SIZE, PageRequest},
};

use crate::{
    Caller, Error, House, PackageAccess, Page, RepoAccess, Result, access,
    catalogue::{
        packages::{self, PackageDetail},
        versions::{self, VersionDetail},
    },
};

/// Finds the packages of a repository that match all clauses, by name.
#[boxed::future]
pub async fn packages(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    clauses: &[Clause],
    start: u64,
) -> Result<Page<PackageDetail>> {
    let repo = access::repo(&house.db, caller, at, Right::Read).await?;
    check(clauses)?;
    if hides_one_of(&repo, clauses) {
        return Ok(Page { items: Vec::new(), start, total: 0 });
    }
    let id = repo.repo.id;
    let clauses = &search::fewest_hits_first(&house.db, AttributeSearchScope::Repo(id), clauses).await?;
    let total = search::count(&house.db, AttributeSearchScope::Repo(id), clauses).await?.unsigned_abs();
    let found =
        if start < total { search::list_packages(&house.db, id, clauses, window(start)).await? } else { Vec::new() };
    let found = found.into_iter().map(|package| PackageAccess { repo: repo.clone(), package }).collect();
    Ok(Page { items: packages::details(house, caller, found).await?, start, total })
}

/// Finds the versions of a package that match all clauses, newest first.
#[boxed::future]
pub async fn versions(
    house: &House,
    caller: &Caller,
    at: &PackageAddress,
    clauses: &[Clause],
    start: u64,
) -> Result<Page<VersionDetail>> {
    let package = access::package(&house.db, caller, at, Right::Read).await?;
    check(clauses)?;
    if hides_one_of(&package.repo, clauses) {
        return Ok(Page { items: Vec::new(), start, total: 0 });
    }
    let scope = if package.repo.is_publisher() {
        AttributeSearchScope::Package(package.package.id)
    } else {
        AttributeSearchScope::ShownVersions(package.package.id)
    };
    let clauses = &search::fewest_hits_first(&house.db, scope, clauses).await?;
    let total = search::count(&house.db, scope, clauses).await?.unsigned_abs();
    let found =
        if start < total { search::list_versions(&house.db, scope, clauses, window(start)).await? } else { Vec::new() };
    Ok(Page { items: versions::details(house, &package, found).await?, start, total })
}

fn window(start: u64) -> PageRequest {
    let number = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
    PageRequest { start: number(start), limit: number(PAGE_SIZE) }
}

fn check(clauses: &[Clause]) -> Result<()> {
    let refuse = |reason: String| Err(Error::invalid("clauses", reason));
    match clauses.len() {
        0 => return refuse("there is none".into()),
        count if count > CLAUSES => return refuse(format!("there are {count}, more than {CLAUSES}")),
        _ => {}
    }
    for Clause { name, condition } in clauses {
        match condition {
            Condition::Among(values) if values.len() > CLAUSE_VALUES => {
                return refuse(format!("'{name}' has {} values, more than {CLAUSE_VALUES}", values.len()));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether a clause uses an attribute that the caller may not see. For this caller, nothing has such attributes.
fn hides_one_of(repo: &RepoAccess, clauses: &[Clause]) -> bool {
    !repo.is_publisher() && clauses.iter().any(|clause| attribute::is_private(&clause.name))
}
