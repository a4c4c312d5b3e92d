//! A point in time in milliseconds, and its text formats.

use std::fmt;

use jiff::{civil, tz};

/// A point in time: milliseconds since the start of 1970, UTC. Covers the years 1 to 9999.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// A text that is not a point in time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not an ISO 8601 date or time with an offset")]
pub struct InvalidTimestamp(String);

const YEAR_1_MS: i64 = -62_135_596_800_000;
/// Twenty-six hours before the end of the year 9999: the last time that has a date in every offset.
const YEAR_9999_END_MS: i64 = 253_402_207_200_000;

impl Timestamp {
    /// The start of 1970. It sorts before all recorded times, and means that something has no date yet.
    pub const EPOCH: Self = Self(0);
    /// The latest supported time.
    pub const MAX: Self = Self(YEAR_9999_END_MS);

    /// Creates a time from milliseconds since the start of 1970. Times outside the years 1 to 9999 are clamped.
    pub fn from_millis(milliseconds: i64) -> Self {
        Self(milliseconds.clamp(YEAR_1_MS, YEAR_9999_END_MS))
    }

    /// Milliseconds since the start of 1970.
    pub fn millis(self) -> i64 {
        self.0
    }

    /// Formats the time as in web server logs: `15/Jan/2026:12:00:00 +0000`.
    pub fn to_log_time(self) -> String {
        let moment = jiff::Timestamp::from_millisecond(self.0).unwrap_or_default();
        moment.strftime("%d/%b/%Y:%H:%M:%S +0000").to_string()
    }

    /// Formats the time with seconds: `2026-01-15T12:00:00+0000`.
    pub fn to_second_text(self) -> String {
        let moment = jiff::Timestamp::from_millisecond(self.0).unwrap_or_default();
        moment.strftime("%Y-%m-%dT%H:%M:%S+0000").to_string()
    }

    /// Parses ISO 8601: a date alone (midnight UTC), or a date and time with `Z`, `z`, `+01:00` or `+0100`.
    pub fn parse(text: &str) -> Result<Self, InvalidTimestamp> {
        let invalid = || InvalidTimestamp(text.chars().take(60).collect());
        if text.len() == 10 {
            let date: civil::Date = text.parse().map_err(|_| invalid())?;
            let start = date.to_zoned(tz::TimeZone::UTC).map_err(|_| invalid())?;
            return Self::in_range(start.timestamp().as_millisecond()).ok_or_else(invalid);
        }
        // RFC 9557 annotations name a zone that could contradict the offset.
        if !text.is_ascii() || text.contains('[') || text.as_bytes().get(10).is_none_or(|c| !matches!(c, b'T' | b't')) {
            return Err(invalid());
        }
        let moment: jiff::Timestamp = text.parse().map_err(|_| invalid())?;
        Self::in_range(moment.as_millisecond()).ok_or_else(invalid)
    }

    fn in_range(milliseconds: i64) -> Option<Self> {
        (YEAR_1_MS..=YEAR_9999_END_MS).contains(&milliseconds).then_some(Self(milliseconds))
    }
}

impl fmt::Display for Timestamp {
    /// Formats the time in UTC with milliseconds and `Z`, as the contract requires.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moment = jiff::Timestamp::from_millisecond(self.0).map_err(|_| fmt::Error)?;
        let at = tz::Offset::UTC.to_datetime(moment);
        let (date, time) = (at.date(), at.time());
        write!(f, "{:04}-{:02}-{:02}T", date.year(), date.month(), date.day())?;
        write!(f, "{:02}:{:02}:{:02}.{:03}Z", time.hour(), time.minute(), time.second(), time.millisecond())
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> String {
        Timestamp::parse(text).expect(text).to_string()
    }

    #[test]
    fn every_accepted_spelling_reads_as_one_moment() {
        for text in [
            "2026-01-02T02:04:05.6Z",
            "2026-01-02T02:04:05.600z",
            "2026-01-02T03:04:05.6+01:00",
            "2026-01-02T03:04:05.6+0100",
        ] {
            assert_eq!(read(text), "2026-01-02T02:04:05.600Z", "{text}");
        }
        assert_eq!(read("2026-01-02"), "2026-01-02T00:00:00.000Z");
        assert_eq!(read("2026-01-02T03:04:05Z"), "2026-01-02T03:04:05.000Z");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "now",
            "2026-13-01",
            "2026-01-02T03:04:05",
            "2026-01-02 03:04:05Z",
            "20260102T030405Z",
            "2026-02-30",
            "1",
            "+010000-01-01T00:00:00Z",
            "2026-01-02T03:04:05+01:00[Europe/Rome]",
        ] {
            assert!(Timestamp::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_first_and_the_last_moment_can_be_written() {
        assert_eq!(Timestamp::from_millis(i64::MIN).to_string(), "0001-01-01T00:00:00.000Z");
        assert_eq!(Timestamp::from_millis(i64::MAX).to_string(), "9999-12-30T22:00:00.000Z");
        assert_eq!(Timestamp::from_millis(i64::MAX), Timestamp::MAX);
        assert_eq!(Timestamp::EPOCH.to_string(), "1970-01-01T00:00:00.000Z");
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(milliseconds in YEAR_1_MS..=YEAR_9999_END_MS) {
            let moment = Timestamp::from_millis(milliseconds);
            prop_assert_eq!(Timestamp::parse(&moment.to_string()), Ok(moment));
        }
    }
}
