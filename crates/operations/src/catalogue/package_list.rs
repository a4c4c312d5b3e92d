//! The list of a repository's packages.

use database::catalogue::package_list;
use model::{
    access::Right,
    address::RepoAddress,
    package::PackageListItem,
    page::{PAGE_SIZE, PageRequest},
    prefix::NameRange,
};

use crate::{Caller, House, Page, Result, access};

/// "Anonymous callers get at most 100 results" (Packages): the rest is not visible to them.
const ANONYMOUS_PACKAGES: u64 = 100;

/// Lists a page of the packages whose names begin with a text, both the repository's own and linked ones, by name.
pub async fn list(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    prefix: &str,
    start: u64,
) -> Result<Page<PackageListItem>> {
    let repo = access::repo(&house.db, caller, at, Right::Read).await?.repo;
    let (range, reader) = (NameRange::beginning_with(prefix), access::reader(caller));
    let is_known = caller.is_known_in(&at.owner, &at.repo);
    // The total number of packages is a column of the repository; only a filtered list has to be counted, and not
    // further than the caller sees.
    let own = match prefix {
        "" => repo.package_count,
        _ if !is_known => package_list::count_near(&house.db, repo.id, &range, ANONYMOUS_PACKAGES).await?,
        _ => package_list::count_own(&house.db, repo.id, &range).await?,
    };
    let linked = package_list::list_linked(&house.db, repo.id, &range, reader).await?;
    let total = own.unsigned_abs().saturating_add(linked.len() as u64);
    let total = if is_known { total } else { total.min(ANONYMOUS_PACKAGES) };
    let limit = total.saturating_sub(start).min(PAGE_SIZE);
    let window = PageRequest { start: start.cast_signed(), limit: limit.cast_signed() };
    let items = match limit {
        0 => Vec::new(),
        _ => package_list::list(&house.db, repo.id, &range, linked, window).await?,
    };
    Ok(Page { items, start, total })
}
