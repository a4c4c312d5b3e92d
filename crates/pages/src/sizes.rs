//! Formats numbers for people.

use model::timestamp::Timestamp;

const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];

/// Formats a number of bytes with about three significant digits.
pub(crate) fn bytes(count: u64) -> String {
    if count < 1_024 {
        return format!("{count} B");
    }
    // In tenths, so that no fraction is lost in the calculation.
    let mut tenths = u128::from(count) * 10 / 1_024;
    let mut unit = 0;
    while tenths >= 10_240 && unit + 1 < UNITS.len() {
        tenths /= 1_024;
        unit += 1;
    }
    match tenths {
        0..1_000 => format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit]),
        _ => format!("{} {}", tenths / 10, UNITS[unit]),
    }
}

/// The day of a time, in UTC.
pub(crate) fn day(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}

/// A number with its noun, in the plural unless the number is one.
pub(crate) fn counted(count: u64, thing: &str) -> String {
    match count {
        1 => format!("1 {thing}"),
        _ => format!("{count} {thing}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_few_digits() {
        let shown = [0, 1_023, 1_024, 1_536, 102_400, 1_048_575, 1_048_576, 5 << 30, u64::MAX].map(bytes);
        let expected =
            ["0 B", "1023 B", "1.0 KiB", "1.5 KiB", "100 KiB", "1023 KiB", "1.0 MiB", "5.0 GiB", "16383 PiB"];
        assert_eq!(shown, expected.map(str::to_owned));
    }
}
