//! Formats numbers for people.

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

/// Formats a number with groups of three digits.
pub(crate) fn number(count: i64) -> String {
    let digits = count.unsigned_abs().to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    if count < 0 { format!("-{shown}") } else { shown }
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
    fn numbers_have_groups() {
        let shown = [0, 999, 1_000, 1_234_567, -12_345].map(number);
        assert_eq!(shown, ["0", "999", "1,000", "1,234,567", "-12,345"].map(str::to_owned));
    }

    #[test]
    fn bytes_have_few_digits() {
        let shown = [0, 1_023, 1_024, 1_536, 102_400, 1_048_575, 1_048_576, 5 << 30, u64::MAX].map(bytes);
        let expected =
            ["0 B", "1023 B", "1.0 KiB", "1.5 KiB", "100 KiB", "1023 KiB", "1.0 MiB", "5.0 GiB", "16383 PiB"];
        assert_eq!(shown, expected.map(str::to_owned));
    }
}
