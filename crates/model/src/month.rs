//! Months in UTC.

use crate::{
    day::{Day, Days},
    timestamp::Timestamp,
};

/// A month, as the number of months since the start of the year 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month(i64);

impl Month {
    /// The month that contains this time.
    pub fn of(at: Timestamp) -> Self {
        let text = at.to_string();
        let mut numbers = text.split('-').map(|number| number.parse::<i64>().unwrap_or_default());
        let (year, month) = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
        Self(year * 12 + month - 1)
    }

    /// The month that contains this day.
    pub fn of_day(day: Day) -> Self {
        Self::of(day.start())
    }

    /// The month this many months later.
    pub fn plus(self, months: i64) -> Self {
        Self(self.0.saturating_add(months))
    }

    /// The number of months since another one.
    pub fn since(self, other: Self) -> i64 {
        self.0 - other.0
    }

    /// The days of the month.
    pub fn days(self) -> Days {
        Days { first: self.first_day(), last: self.plus(1).first_day().plus(-1) }
    }

    fn first_day(self) -> Day {
        let (year, month) = (self.0.div_euclid(12), self.0.rem_euclid(12) + 1);
        // Like a timestamp, a month outside the supported years is clamped to the nearest supported one.
        let edge = if year < 1 { i64::MIN } else { i64::MAX };
        let start = Timestamp::parse(&format!("{year:04}-{month:02}-01"));
        Day::of(start.unwrap_or_else(|_| Timestamp::from_millis(edge)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn month(text: &str) -> Month {
        Month::of(Timestamp::parse(text).expect(text))
    }

    fn ends(month: Month) -> (String, String) {
        (month.days().first.to_string(), month.days().last.to_string())
    }

    #[test]
    fn a_month_has_its_days_in_utc() {
        assert_eq!(ends(month("2026-01-15")), ("2026-01-01".into(), "2026-01-31".into()));
        assert_eq!(ends(month("2024-02-29T23:59:59Z")), ("2024-02-01".into(), "2024-02-29".into()));
        assert_eq!(month("2026-01-31T23:30:00-01:00"), month("2026-02-01"));
        assert_eq!(Month::of_day(month("2026-12-05").days().last), month("2026-12-05"));
    }

    #[test]
    fn months_follow_each_other_over_the_year() {
        assert_eq!(month("2025-12-31").plus(1), month("2026-01-01"));
        assert_eq!(month("2026-01-01").plus(-12), month("2025-01-31"));
        assert_eq!(month("2026-03-01").since(month("2025-12-01")), 3);
    }
}
