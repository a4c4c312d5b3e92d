//! Maven's timestamp format.

use model::timestamp::Timestamp;

/// Formats a time in UTC as `yyyyMMddHHmmss`, from milliseconds since the start of 1970.
pub(super) fn compact(milliseconds: i64) -> String {
    let moment = Timestamp::from_millis(milliseconds).to_string();
    moment.chars().filter(char::is_ascii_digit).take(14).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_has_fourteen_digits() {
        assert_eq!(compact(1_767_268_800_999), "20260101120000");
        assert_eq!(compact(0), "19700101000000");
        assert_eq!(compact(i64::MIN), "00010101000000");
    }
}
