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
    fn spans_are_a_number_and_a_unit() {
        assert_eq!(parse_span("90s"), Ok(90));
        assert_eq!(parse_span("2d"), Ok(172_800));
        for wrong in ["", "d", "-1h", "0s", "5", "1w", "99999999999999999d", "1é"] {
            assert!(parse_span(wrong).is_err(), "{wrong}");
        }
    }
}
