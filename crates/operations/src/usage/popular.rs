//! The packages with the most downloads lately. A periodic job counts them, so that no page has to.

use std::collections::HashMap;

use database::{
    ScopedFutureExt,
    usage::popular_packages::{self as rows, Candidate},
};
use model::{
    day::{Day, Days},
    id::PackageId,
    overview::{PackageFilter, PopularPackage},
};

use crate::{Caller, Error, House, Result, access};

/// The number of packages per statement.
const TOGETHER: i64 = 500;

/// The number of packages in the list, for all callers and formats.
const LISTED: usize = 500;

/// The number of days that count.
const DAYS: i64 = 30;

/// Lists the packages with the most downloads that the caller may see and the filter allows.
pub async fn list_popular(
    house: &House,
    caller: &Caller,
    filter: PackageFilter<'_>,
    limit: i64,
) -> Result<Vec<PopularPackage>> {
    Ok(rows::list(&house.db, access::reader(caller), filter, limit).await?)
}

/// Counts the downloads of all packages, by which lists of repositories are sorted, and keeps the packages with the most
/// among those for which everybody may see them.
pub(crate) async fn count_popular(house: &House) -> Result<()> {
    let first_day = Days::until(Day::of(house.clock.now()), DAYS).first.number();
    let (mut after, mut most): (PackageId, Vec<(PackageId, i64)>) = (PackageId::NONE, Vec::new());
    loop {
        let listed = rows::list_candidates(&house.db, after, TOGETHER).await?;
        let Some(last) = listed.last() else { break };
        after = last.id;
        let counts = count(house, &listed, first_day).await?;
        let public = listed.iter().zip(&counts).filter(|(package, (_, count))| package.is_public && *count > 0);
        most.extend(public.map(|(_, counted)| *counted));
        most.sort_by_key(|(id, count)| (std::cmp::Reverse(*count), id.get()));
        most.truncate(LISTED);
        set_changed(house, &listed, &counts).await?;
    }
    let most = &most;
    house.db.write(|tx| async move { rows::replace(tx, most).await.map_err(Error::from) }.scope_boxed()).await
}

/// Returns the number of downloads of each package.
async fn count(house: &House, listed: &[Candidate], first_day: i64) -> Result<Vec<(PackageId, i64)>> {
    let ids: Vec<PackageId> = listed.iter().map(|package| package.id).collect();
    let counted = rows::count(&house.db, &ids, first_day).await?;
    let counted: HashMap<PackageId, i64> = counted.into_iter().map(|of| (of.package_id, of.count)).collect();
    Ok(ids.into_iter().map(|id| (id, counted.get(&id).copied().unwrap_or_default())).collect())
}

/// Records the numbers that have changed.
async fn set_changed(house: &House, listed: &[Candidate], counts: &[(PackageId, i64)]) -> Result<()> {
    let changed = listed.iter().zip(counts).filter(|(package, (_, count))| package.downloads != *count);
    let changed: Vec<(PackageId, i64)> = changed.map(|(_, counted)| *counted).collect();
    if changed.is_empty() {
        return Ok(());
    }
    let changed = &changed;
    house.db.write(|tx| async move { rows::set_downloads(tx, changed).await.map_err(Error::from) }.scope_boxed()).await
}
