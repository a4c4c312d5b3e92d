//! The packages with the most downloads lately. A periodic job counts them, so that no page has to.

use database::{
    ScopedFutureExt, Tx,
    usage::{
        popular_packages as rows,
        recent_downloads::{self, Correction},
    },
};
use model::{
    day::{Day, Days},
    overview::{PackageFilter, PopularPackage},
};

use crate::{Caller, Error, House, Result, access};

/// The number of packages that are counted together.
const TOGETHER: i64 = 100;

/// The number of packages in the list, for all callers and formats.
const LISTED: i64 = 500;

/// The number of days that count.
const DAYS: i64 = 30;

/// Lists the packages with the most downloads that the caller may see and the filter allows.
#[boxed::future]
pub async fn list_popular(
    house: &House,
    caller: &Caller,
    filter: PackageFilter<'_>,
    limit: i64,
) -> Result<Vec<PopularPackage>> {
    Ok(rows::list(&house.db, access::reader(caller), filter, limit).await?)
}

/// Counts numbers of downloads that include days which are too long ago, and lists the packages with the most.
pub(crate) async fn count_popular(house: &House) -> Result<()> {
    let days = Days::until(Day::of(house.clock.now()), DAYS);
    loop {
        let outdated = &recent_downloads::list_outdated(&house.db, days, TOGETHER).await?;
        if outdated.is_empty() {
            break;
        }
        house.db.write(|tx| correct(tx, outdated, days).scope_boxed()).await?;
    }
    let most = &recent_downloads::list_most(&house.db, LISTED).await?;
    house.db.write(|tx| async move { rows::replace(tx, most).await.map_err(Error::from) }.scope_boxed()).await
}

async fn correct(tx: &mut Tx, outdated: &[Correction], days: Days) -> Result<()> {
    for correction in outdated {
        recent_downloads::correct(tx, correction, days).await?;
    }
    Ok(())
}
