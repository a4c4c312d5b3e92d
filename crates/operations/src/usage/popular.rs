//! The packages with the most downloads lately. A periodic job counts them, so that no page has to.

use database::{ScopedFutureExt, usage::popular_packages as rows};
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

/// Counts the downloads of all packages for which everybody may see them, and keeps those with the most.
pub(crate) async fn count_popular(house: &House) -> Result<()> {
    let first_day = Days::until(Day::of(house.clock.now()), DAYS).first.number();
    let (mut after, mut most): (PackageId, Vec<(PackageId, i64)>) = (PackageId::NONE, Vec::new());
    loop {
        let listed = rows::list_candidates(&house.db, after, TOGETHER).await?;
        let Some(last) = listed.last() else { break };
        after = *last;
        let counted = rows::count(&house.db, &listed, first_day).await?;
        most.extend(counted.into_iter().filter(|of| of.count > 0).map(|of| (of.package_id, of.count)));
        most.sort_by_key(|(id, count)| (std::cmp::Reverse(*count), id.get()));
        most.truncate(LISTED);
    }
    let most = &most;
    house.db.write(|tx| async move { rows::replace(tx, most).await.map_err(Error::from) }.scope_boxed()).await
}
