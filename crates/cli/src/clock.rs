//! The clock of this machine, which the client has to trust.

use std::time::{SystemTime, UNIX_EPOCH};

/// The current time.
#[expect(clippy::disallowed_methods, reason = "a client has no house; this is its one look at the clock")]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}

/// The current time in milliseconds since 1970.
pub(crate) fn now_ms() -> i64 {
    let since = now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Formats milliseconds since 1970 as a time in UTC, such as `2026-01-15T12:00:00Z`.
pub(crate) fn utc(milliseconds: i64) -> String {
    let seconds = milliseconds.div_euclid(1_000);
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Years that begin in March end with the leap day; 400 of them have 146,097 days.
    let day = days + 719_468;
    let (era, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, from_january) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = year + era * 400 + i64::from(from_january <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{from_january:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Parses a duration such as `90s`, `30m`, `24h` or `7d` to seconds.
pub(crate) fn parse_span(text: &str) -> Result<i64, String> {
    let wrong = || format!("`{text}` is not a duration such as 90s, 30m, 24h or 7d");
    let (number, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or_else(wrong)?;
    let unit = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => return Err(wrong()),
    };
    let number: i64 = number.parse().ok().filter(|number| *number > 0).ok_or_else(wrong)?;
    number.checked_mul(unit).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (milliseconds, time) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400_999, "2000-02-29T00:00:00Z"),
            (1_797_626_323_982, "2026-12-18T20:38:43Z"),
            (-1, "1969-12-31T23:59:59Z"),
        ] {
            assert_eq!(utc(milliseconds), time);
        }
    }

    #[test]
    fn spans_are_a_number_and_a_unit() {
        assert_eq!(parse_span("90s"), Ok(90));
        assert_eq!(parse_span("2d"), Ok(172_800));
        for wrong in ["", "d", "-1h", "0s", "5", "1w", "99999999999999999d", "1é"] {
            assert!(parse_span(wrong).is_err(), "{wrong}");
        }
    }
}
