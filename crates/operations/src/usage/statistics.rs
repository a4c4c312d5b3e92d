//! Download statistics of packages and versions, for their publishers or for everyone.

use database::usage::statistics as rows;
use model::{
    access::Right,
    address::PackageAddress,
    day::{Day, Days, InvalidDays},
    names::VersionName,
    plan::Plan,
    statistics::{DailyDownloads, Dimension, DimensionDownloads, StatisticsScope},
    timestamp::Timestamp,
};

use crate::{
    Caller, Error, House, Result,
    access::{self, PackageScope},
};

/// The default number of days.
const USUAL_DAYS: i64 = 30;

/// The scope of statistics: a package or one of its versions, and a range of days.
#[derive(Debug, Clone)]
pub struct StatisticsQuery {
    /// The package.
    pub package: PackageAddress,
    /// The version; all versions if absent.
    pub version: Option<VersionName>,
    /// A time in the first day; if absent, the default number of days is listed.
    pub from: Option<Timestamp>,
    /// A time in the last day; today if absent.
    pub to: Option<Timestamp>,
}

/// Statistics, with the days that they cover.
#[derive(Debug, Clone)]
pub struct Statistics<T> {
    /// The days, both ends included.
    pub days: Days,
    /// The records; entries without downloads are left out.
    pub records: Vec<T>,
}

/// Downloads by day and version.
#[boxed::future]
pub async fn list_by_day(
    house: &House,
    caller: &Caller,
    wanted: &StatisticsQuery,
) -> Result<Statistics<DailyDownloads>> {
    let (scope, days) = wanted.find(house, caller).await?;
    Ok(Statistics { days, records: rows::list_by_day(&house.db, scope, days).await? })
}

/// Downloads by the values of a dimension.
#[boxed::future]
pub async fn list_by(
    house: &House,
    caller: &Caller,
    dimension: Dimension,
    wanted: &StatisticsQuery,
) -> Result<Statistics<DimensionDownloads>> {
    let (scope, days) = wanted.find(house, caller).await?;
    Ok(Statistics { days, records: rows::list_by(&house.db, dimension, scope, days).await? })
}

impl StatisticsQuery {
    async fn find(&self, house: &House, caller: &Caller) -> Result<(StatisticsScope, Days)> {
        let scope = PackageScope::of_package(&self.package, self.version.as_ref());
        let access = access::package(&house.db, caller, scope, Right::Read).await?;
        if !access.package.profile.public_download_numbers {
            access.repo.check(caller, Right::Publish)?;
        }
        access::check_plan(access.repo.repo.plan, Plan::Premium)?;
        let days = self.days(house.clock.now())?;
        let package_id = access.package.id;
        let ordinal = match &self.version {
            None => None,
            Some(name) => {
                let not_found = || Error::NotFound { what: "Version", name: name.to_string() };
                Some(access.version(&house.db, name).await?.ok_or_else(not_found)?.ordinal)
            }
        };
        Ok((StatisticsScope { package_id, ordinal }, days))
    }

    fn days(&self, now: Timestamp) -> Result<Days> {
        let to = self.to.unwrap_or(now);
        let from = self.from.unwrap_or_else(|| Days::until(Day::of(to), USUAL_DAYS).first.start());
        Days::between(from, to).map_err(|error| {
            let field = if error == InvalidDays::Backwards { "to" } else { "from" };
            Error::Invalid { field, reason: error.to_string() }
        })
    }
}
