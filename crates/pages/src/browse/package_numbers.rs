//! The downloads of a package, compared to the days before.

use model::{
    address::PackageAddress,
    day::{Day, Days},
    statistics::DailyDownloads,
    timestamp::Timestamp,
};
use operations::usage::statistics::{self, Statistics, StatisticsQuery};
use web::{App, error::Result};

use crate::{errors::allowed, sizes, visitor::Visitor};

/// The number of days on the page.
const DAYS: i64 = 30;

const DAY_MS: i64 = 24 * 60 * 60_000;

/// The downloads of thirty days, and their number in the thirty days before.
pub(super) struct Compared {
    pub(super) now: Statistics<DailyDownloads>,
    before: i64,
}

impl Compared {
    /// The downloads of a package until today; `None` if the visitor may not see them.
    pub(super) async fn find(app: &App, visitor: &Visitor, at: &PackageAddress) -> Result<Option<Self>> {
        let now = app.house().clock.now();
        let from = Timestamp::from_millis(now.millis() - (2 * DAYS - 1) * DAY_MS);
        let wanted = StatisticsQuery { package: at.clone(), version: None, from: Some(from), to: Some(now) };
        let found = allowed(statistics::list_by_day(app.house(), &visitor.caller, &wanted).await)?;
        Ok(found.map(|found| Self::split(found.records, Day::of(now))))
    }

    fn split(records: Vec<DailyDownloads>, today: Day) -> Self {
        let days = Days::until(today, DAYS);
        let (before, records): (Vec<_>, Vec<_>) =
            records.into_iter().partition(|record| record.day < days.first.number());
        Self { now: Statistics { days, records }, before: before.iter().map(|record| record.count).sum() }
    }

    /// The change in percent, if there is something to compare to.
    pub(super) fn change(&self) -> Option<String> {
        change(self.now.records.iter().map(|record| record.count).sum(), self.before)
    }
}

/// The change of a number of downloads in percent, if there is something to compare to.
pub(super) fn change(now: i64, before: i64) -> Option<String> {
    let percent = sizes::percent(now, before)?;
    Some(match percent {
        0 => "as in the 30 days before".to_owned(),
        _ => format!("{percent:+} % on the 30 days before"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn downloads_are_compared_to_the_thirty_days_before() {
        let today = Day::of(Timestamp::from_millis(1_768_478_400_000));
        let of = |age: i64, count| DailyDownloads { day: today.plus(-age).number(), version: "1.0".into(), count };
        let change = |records| Compared::split(records, today).change();
        assert_eq!(change(vec![of(0, 6), of(29, 6), of(30, 10)]).as_deref(), Some("+20 % on the 30 days before"));
        assert_eq!(change(vec![of(0, 5), of(59, 10)]).as_deref(), Some("-50 % on the 30 days before"));
        assert_eq!(change(vec![of(0, 1000), of(31, 999)]).as_deref(), Some("as in the 30 days before"));
        assert_eq!(change(vec![of(0, 5)]), None);
        assert_eq!(Compared::split(vec![of(0, 5), of(30, 7)], today).now.records.len(), 1);
    }
}
