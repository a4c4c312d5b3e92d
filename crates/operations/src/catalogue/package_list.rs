//! The list of a repository's packages.

use database::catalogue::{
    package_list,
    package_orders::{self, OrderedPart, SeenDownloads},
};
use model::{
    access::Right,
    address::RepoAddress,
    package::PackageListItem,
    package_order::{PackageCursor, PackageOrder},
    page::{PAGE_SIZE, PageRequest},
    plan::Plan,
    prefix::NameRange,
};

use crate::{Caller, House, Page, RepoAccess, Result, access};

pub use database::catalogue::package_orders::OrderedPackage;

/// "Anonymous callers get at most 100 results" (Packages): the rest is not visible to them.
const ANONYMOUS_PACKAGES: u64 = 100;

/// Lists a page of the packages whose names begin with a text, both the repository's own and linked ones, by name.
#[boxed::future]
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

/// A page of a list in another order than by name.
#[derive(Debug)]
pub struct OrderedPage {
    /// Its packages.
    pub items: Vec<OrderedPackage>,
    /// The position after which the next page starts.
    pub next: Option<PackageCursor>,
}

/// Lists the packages whose names begin with a text in this order, from a position on. Strangers get two pages, as many
/// as of the list by name.
#[boxed::future]
pub async fn list_ordered(
    house: &House,
    caller: &Caller,
    access: &RepoAccess,
    prefix: &str,
    order: PackageOrder,
    after: Option<&PackageCursor>,
) -> Result<OrderedPage> {
    let (repo, range) = (&access.repo, NameRange::beginning_with(prefix));
    let is_known = caller.is_known_in(&repo.owner, &repo.name);
    let part = OrderedPart {
        repo_id: repo.id,
        range: &range,
        order,
        after: after.filter(|_| is_known),
        limit: if is_known { PAGE_SIZE.cast_signed() + 1 } else { ANONYMOUS_PACKAGES.cast_signed() },
    };
    let seen = seen_downloads(access);
    let mut items = package_orders::list(&house.db, part, access::reader(caller), seen).await?;
    let page = usize::try_from(PAGE_SIZE).unwrap_or(usize::MAX);
    if !is_known && after.is_some() {
        items.drain(..page.min(items.len()));
        return Ok(OrderedPage { items, next: None });
    }
    let has_more = items.len() > page;
    items.truncate(page);
    let next = items.last().filter(|_| has_more).map(|last| last.position.clone());
    Ok(OrderedPage { items, next })
}

/// The packages whose downloads the caller may see, as in `overviews::list_trends`.
fn seen_downloads(access: &RepoAccess) -> SeenDownloads {
    if access.repo.plan < Plan::Premium {
        SeenDownloads::None
    } else if access.is_publisher() {
        SeenDownloads::All
    } else {
        SeenDownloads::Public
    }
}
