//! The size of packages.

use database::{catalogue::package_list, usage as rows};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress},
    page::{PAGE_SIZE, PageRequest},
    prefix::NameRange,
    usage::PackageUsage,
};

use crate::{Caller, Error, House, Page, Result, access};

/// Returns a page of the sizes of a repository's packages, by name.
#[boxed::future]
pub async fn list_packages(house: &House, caller: &Caller, at: &RepoAddress, start: u64) -> Result<Page<PackageUsage>> {
    let repo = access::repo(&house.db, caller, at, Right::Own).await?.repo;
    let total = repo.package_count.unsigned_abs();
    let limit = total.saturating_sub(start).min(PAGE_SIZE);
    if limit == 0 {
        return Ok(Page { items: Vec::new(), start, total });
    }
    let window = PageRequest { start: start.cast_signed(), limit: limit.cast_signed() };
    let listed = package_list::list(&house.db, repo.id, &NameRange::beginning_with(""), Vec::new(), window).await?;
    let items = match (listed.first(), listed.last()) {
        (Some(first), Some(last)) => rows::list_packages(&house.db, repo.id, &first.name, &last.name).await?,
        _ => Vec::new(),
    };
    Ok(Page { items, start, total })
}

/// Returns the size of one package.
#[boxed::future]
pub async fn show_package(house: &House, caller: &Caller, at: &PackageAddress) -> Result<PackageUsage> {
    let repo = access::repo(&house.db, caller, &at.repo, Right::Own).await?.repo;
    let not_found = || Error::NotFound { what: "Package", name: at.package.to_string() };
    rows::find_package(&house.db, repo.id, &at.package).await?.ok_or_else(not_found)
}
