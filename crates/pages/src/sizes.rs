//! Formats numbers for people.

const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];

/// The units of thousands.
const THOUSANDS: [&str; 5] = ["KB", "MB", "GB", "TB", "PB"];

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

/// Formats a number of bytes so that `parse` reads the same number: with the largest unit that it is a multiple of.
pub(crate) fn exact(count: u64) -> String {
    let units = powers().filter(|(_, unit)| count > 0 && count.is_multiple_of(*unit));
    match units.max_by_key(|(_, unit)| *unit) {
        Some((name, unit)) => format!("{} {name}", count / unit),
        None => count.to_string(),
    }
}

/// Reads a number of bytes with or without a unit: `10 GB`, `1.5 GiB`, `4096`.
pub(crate) fn parse(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, name) = text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len()));
    let unit = match name.trim() {
        "" | "B" | "b" => 1,
        name => powers().find(|(known, _)| known.eq_ignore_ascii_case(name))?.1,
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let tenths = 10_u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let part = u128::from(fraction.parse::<u64>().ok()?) * u128::from(unit) / u128::from(tenths);
    whole.parse::<u64>().ok()?.checked_mul(unit)?.checked_add(u64::try_from(part).ok()?)
}

/// All units with their number of bytes.
fn powers() -> impl Iterator<Item = (&'static str, u64)> {
    let of = |base: u64| (1..=5).map(move |power| base.pow(power));
    UNITS.into_iter().zip(of(1_024)).chain(THOUSANDS.into_iter().zip(of(1_000)))
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

/// How much more one number is than another, in percent of that; `None` if that is zero.
pub(crate) fn percent(now: i64, before: i64) -> Option<i128> {
    ((i128::from(now) - i128::from(before)) * 100).checked_div(i128::from(before))
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
    fn sizes_are_read_with_their_units() {
        let read = ["10 GB", "10gib", "1.5 KiB", " 4096 ", "7 B", "0", "0.001 MB"].map(parse);
        assert_eq!(read, [10_000_000_000, 10 << 30, 1_536, 4_096, 7, 0, 1_000].map(Some));
        for wrong in ["", "GB", "10 XB", "-1", "1,5 MB", "1.2.3", ".5 GB", "1. GB", "99999999 PB", "1e3"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_size_in_a_form_is_read_as_it_was_written() {
        let written = [10_000_000_000, 10 << 30, 1_536, 4_096, 7, 0, 1_000, 1_024_000].map(exact);
        let expected = ["10 GB", "10 GiB", "1536", "4 KiB", "7", "0", "1 KB", "1000 KiB"];
        assert_eq!(written, expected.map(str::to_owned));
        for count in [0, 1, 999, 1_000, 1_024, 5 << 40, 123_456_789, u64::MAX] {
            assert_eq!(parse(&exact(count)), Some(count));
        }
    }

    #[test]
    fn bytes_have_few_digits() {
        let shown = [0, 1_023, 1_024, 1_536, 102_400, 1_048_575, 1_048_576, 5 << 30, u64::MAX].map(bytes);
        let expected =
            ["0 B", "1023 B", "1.0 KiB", "1.5 KiB", "100 KiB", "1023 KiB", "1.0 MiB", "5.0 GiB", "16383 PiB"];
        assert_eq!(shown, expected.map(str::to_owned));
    }
}
