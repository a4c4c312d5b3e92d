//! What lists show of repositories, packages, versions and releases, with a fixed number of statements for a page.

use std::{collections::HashMap, hash::Hash};

use database::{
    accounts::subjects,
    catalogue::{overviews, package_orders::OrderedPackage},
};
use model::{
    day::{Day, Days},
    id::{PackageId, VersionId},
    names::SubjectName,
    overview::{PackageOverview, PopularPackage, RepoOverview, VersionOverview},
    package::PackageListItem,
    page::PageRequest,
    plan::Plan,
};

use crate::{Caller, Error, House, PackageAccess, RepoAccess, Result, access};

/// The number of days of a trend.
pub(super) const TREND_DAYS: i64 = 30;

/// The downloads of packages on each of the last thirty days.
pub type Trends = HashMap<PackageId, Vec<i64>>;

/// Lists the repositories that a subject may write to and the caller may see.
#[boxed::future]
pub async fn list_repos(house: &House, caller: &Caller, subject: &SubjectName) -> Result<Vec<RepoOverview>> {
    let not_found = || Error::NotFound { what: "Subject", name: subject.to_string() };
    let subject = subjects::find(&house.db, subject).await?.ok_or_else(not_found)?;
    Ok(overviews::list_repos(&house.db, subject.id, access::reader(caller)).await?)
}

/// Describes the packages on a page of a repository's list, in the order of the page.
#[boxed::future]
pub async fn list_packages(
    house: &House,
    repo: &RepoAccess,
    listed: &[PackageListItem],
) -> Result<Vec<PackageOverview>> {
    let (Some(first), Some(last)) = (listed.first(), listed.last()) else { return Ok(Vec::new()) };
    let found = overviews::list_packages(&house.db, repo.repo.id, &first.name, &last.name).await?;
    let mut found: HashMap<(String, bool), PackageOverview> =
        found.into_iter().map(|package| ((package.name.clone(), package.is_linked), package)).collect();
    // Links that the caller may not see are not on the page.
    Ok(listed.iter().filter_map(|item| found.remove(&(item.name.clone(), item.is_linked))).collect())
}

/// Describes the packages on a page of a repository's list in another order, in the order of the page.
#[boxed::future]
pub async fn list_ordered_packages(
    house: &House,
    repo: &RepoAccess,
    listed: &[OrderedPackage],
) -> Result<Vec<PackageOverview>> {
    let of = |is_linked| listed.iter().filter(move |item| item.is_linked == is_linked).map(|item| item.id).collect();
    let (own, linked): (Vec<PackageId>, Vec<PackageId>) = (of(false), of(true));
    let found = overviews::list_of_packages(&house.db, repo.repo.id, &own, &linked).await?;
    let mut found: HashMap<PackageId, PackageOverview> =
        found.into_iter().map(|package| (package.id, package)).collect();
    Ok(listed.iter().filter_map(|item| found.remove(&item.id)).collect())
}

/// Lists a page of the versions of a package, newest first.
#[boxed::future]
pub async fn list_versions(house: &House, access: &PackageAccess, window: PageRequest) -> Result<Vec<VersionOverview>> {
    Ok(overviews::list_versions(&house.db, access.package.id, access.repo.is_publisher(), window).await?)
}

/// Returns the latest versions of packages that the caller may see.
#[boxed::future]
pub async fn list_latest(house: &House, ids: &[PackageId]) -> Result<HashMap<PackageId, VersionOverview>> {
    Ok(overviews::list_latest(&house.db, ids).await?.into_iter().collect())
}

/// Returns these versions, which the caller may see.
#[boxed::future]
pub async fn list_of_versions(house: &House, ids: &[VersionId]) -> Result<HashMap<VersionId, VersionOverview>> {
    let found = overviews::list_of_versions(&house.db, ids).await?;
    Ok(found.into_iter().map(|version| (version.id, version)).collect())
}

/// Returns the downloads of those of a repository's packages whose statistics the caller may see.
#[boxed::future]
pub async fn list_trends(house: &House, repo: &RepoAccess, packages: &[PackageOverview]) -> Result<Trends> {
    let may_see = |package: &&PackageOverview| {
        repo.repo.plan >= Plan::Premium && (repo.is_publisher() || package.has_public_numbers) && !package.is_linked
    };
    trends(house, packages.iter().filter(may_see).map(|package| package.id).collect()).await
}

/// Returns the downloads of those of these packages whose statistics the caller may see.
#[boxed::future]
pub async fn list_trends_of(house: &House, packages: &[&PackageAccess]) -> Result<Trends> {
    let may_see = |access: &&&PackageAccess| {
        access.repo.repo.plan >= Plan::Premium
            && (access.repo.is_publisher() || access.package.profile.public_download_numbers)
    };
    trends(house, packages.iter().filter(may_see).map(|access| access.package.id).collect()).await
}

/// Returns the downloads of packages whose statistics everybody may see.
#[boxed::future]
pub async fn list_popular_trends(house: &House, packages: &[PopularPackage]) -> Result<Trends> {
    trends(house, packages.iter().map(|package| package.id).collect()).await
}

async fn trends(house: &House, ids: Vec<PackageId>) -> Result<Trends> {
    let days = Days::until(Day::of(house.clock.now()), TREND_DAYS);
    let (first, last) = (days.first.number(), days.last.number());
    let counts = overviews::list_downloads(&house.db, &ids, first, last).await?;
    Ok(by_day(ids, days, counts.into_iter().map(|found| (found.package_id, found.day, found.count))))
}

/// The counts of each id on each of the days, where ids and days without any have zeros.
pub(super) fn by_day<K: Copy + Eq + Hash>(
    ids: Vec<K>,
    days: Days,
    counts: impl Iterator<Item = (K, i64, i64)>,
) -> HashMap<K, Vec<i64>> {
    let first = days.first.number();
    let length = usize::try_from(days.last.number() - first + 1).unwrap_or_default();
    let mut trends: HashMap<K, Vec<i64>> = ids.into_iter().map(|id| (id, vec![0; length])).collect();
    for (id, day, count) in counts {
        let place = usize::try_from(day - first).ok();
        if let Some(sum) = trends.get_mut(&id).zip(place).and_then(|(days, place)| days.get_mut(place)) {
            *sum += count;
        }
    }
    trends
}
