//! Days in UTC.

use std::fmt;

use crate::timestamp::Timestamp;

/// A day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i64);

const DAY_MS: i64 = 86_400_000;

impl Day {
    /// The day that contains this time.
    pub fn of(at: Timestamp) -> Self {
        Self(at.millis().div_euclid(DAY_MS))
    }

    /// The day with this number, counted from 1 January 1970, which is 0.
    pub const fn from_number(number: i64) -> Self {
        Self(number)
    }

    /// The number of days since 1 January 1970.
    pub fn number(self) -> i64 {
        self.0
    }

    /// The day this many days later.
    pub fn plus(self, days: i64) -> Self {
        Self(self.0.saturating_add(days))
    }

    /// The start of the day.
    pub fn start(self) -> Timestamp {
        Timestamp::from_millis(self.0.saturating_mul(DAY_MS))
    }

    /// The last millisecond of the day.
    pub fn end(self) -> Timestamp {
        Timestamp::from_millis(self.0.saturating_add(1).saturating_mul(DAY_MS).saturating_sub(1))
    }
}

impl fmt::Display for Day {
    /// Formats the day as `2026-01-15`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.start().to_string();
        f.write_str(start.split('T').next().unwrap_or(&start))
    }
}

/// A range of whole days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Days {
    /// The first day.
    pub first: Day,
    /// The last day, not before the first.
    pub last: Day,
}

/// The reason why two times do not make a range of days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDays {
    /// The end is before the start.
    #[error("it is before the start")]
    Backwards,
    /// The range has too many days.
    #[error("more than {} days lie between it and the end", Days::MOST)]
    TooMany,
}

impl Days {
    /// Maximum number of days in one range.
    pub const MOST: i64 = 366;

    /// The days from one time to another, both included.
    pub fn between(from: Timestamp, to: Timestamp) -> Result<Self, InvalidDays> {
        let days = Self { first: Day::of(from), last: Day::of(to) };
        match () {
            () if from > to => Err(InvalidDays::Backwards),
            () if days.count() > Self::MOST => Err(InvalidDays::TooMany),
            () => Ok(days),
        }
    }

    /// The range of this many days that ends with the given day.
    pub fn until(last: Day, count: i64) -> Self {
        Self { first: last.plus(1 - count), last }
    }

    fn count(self) -> i64 {
        self.last.0 - self.first.0 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).expect(text)
    }

    #[test]
    fn days_are_those_of_utc() {
        let days = Days::between(at("2026-01-01T23:30:00-01:00"), at("2026-01-03T00:30:00+01:00")).expect("a range");
        assert_eq!((days.first.to_string(), days.last.to_string()), ("2026-01-02".into(), "2026-01-02".into()));
        assert_eq!(days.first.start().to_string(), "2026-01-02T00:00:00.000Z");
        assert_eq!(days.last.end().to_string(), "2026-01-02T23:59:59.999Z");
        assert_eq!(Day::of(at("1969-12-31T23:59:59Z")).number(), -1);
    }

    #[test]
    fn a_range_has_a_direction_and_an_end() {
        let between = |from, to| Days::between(at(from), at(to));
        assert_eq!(between("2026-01-02", "2026-01-01"), Err(InvalidDays::Backwards));
        assert_eq!(between("2026-01-01T12:00:00Z", "2026-01-01T11:00:00Z"), Err(InvalidDays::Backwards));
        assert!(between("2024-01-01", "2024-12-31").is_ok());
        assert_eq!(between("2024-01-01", "2025-01-01"), Err(InvalidDays::TooMany));
        assert_eq!(Days::until(Day::from_number(30), 30).first.number(), 1);
    }
}
