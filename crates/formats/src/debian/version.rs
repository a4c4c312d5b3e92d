//! The order of Debian versions, as dpkg has it.

use std::cmp::Ordering;

/// Compares two versions. The order is total: texts that are not valid versions have a position, too.
pub fn compare(left: &str, right: &str) -> Ordering {
    let (left, right) = (Version::split(left), Version::split(right));
    compare_numbers(left.epoch, right.epoch)
        .then_with(|| compare_parts(left.upstream, right.upstream))
        .then_with(|| compare_parts(left.revision, right.revision))
}

/// Returns whether a version comes before a release: `1.0~rc1` sorts before `1.0`.
pub fn is_prerelease(version: &str) -> bool {
    version.contains('~')
}

/// The version without its epoch, as in file names.
pub fn without_epoch(version: &str) -> &str {
    Version::split(version).rest
}

/// The parts of a version.
struct Version<'a> {
    epoch: &'a str,
    /// Everything after the epoch.
    rest: &'a str,
    upstream: &'a str,
    revision: &'a str,
}

impl<'a> Version<'a> {
    fn split(text: &'a str) -> Self {
        let is_number = |epoch: &str| !epoch.is_empty() && epoch.bytes().all(|byte| byte.is_ascii_digit());
        let (epoch, rest) = text.split_once(':').filter(|(epoch, _)| is_number(epoch)).unwrap_or(("", text));
        let (upstream, revision) = rest.rsplit_once('-').unwrap_or((rest, ""));
        Self { epoch, rest, upstream, revision }
    }
}

/// Compares texts and numbers in turn, as dpkg's `verrevcmp` does.
fn compare_parts(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (left.as_bytes(), right.as_bytes());
    while !left.is_empty() || !right.is_empty() {
        let (left_text, right_text);
        (left_text, left) = split_while(left, |byte| !byte.is_ascii_digit());
        (right_text, right) = split_while(right, |byte| !byte.is_ascii_digit());
        let (left_number, right_number);
        (left_number, left) = split_while(left, |byte| byte.is_ascii_digit());
        (right_number, right) = split_while(right, |byte| byte.is_ascii_digit());
        let order = compare_texts(left_text, right_text).then_with(|| compare_digits(left_number, right_number));
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

/// Compares texts without digits: `~` sorts before the end, letters before all others.
fn compare_texts(left: &[u8], right: &[u8]) -> Ordering {
    let length = left.len().max(right.len());
    let mut orders = (0..length).map(|at| weight(left.get(at)).cmp(&weight(right.get(at))));
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

fn weight(byte: Option<&u8>) -> i32 {
    match byte {
        Some(b'~') => -1,
        None => 0,
        Some(byte) if byte.is_ascii_alphabetic() => i32::from(*byte),
        Some(byte) => i32::from(*byte) + 256,
    }
}

/// Compares numbers of any length.
pub(crate) fn compare_numbers(left: &str, right: &str) -> Ordering {
    compare_digits(left.as_bytes(), right.as_bytes())
}

/// Compares digits as numbers of any length; no digits are zero.
pub(crate) fn compare_digits(left: &[u8], right: &[u8]) -> Ordering {
    let (_, left) = split_while(left, |byte| byte == b'0');
    let (_, right) = split_while(right, |byte| byte == b'0');
    left.len().cmp(&right.len()).then_with(|| left.cmp(right))
}

/// Splits at the first byte that is not in the class.
pub(crate) fn split_while(bytes: &[u8], is_in: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    bytes.split_at(bytes.iter().position(|byte| !is_in(*byte)).unwrap_or(bytes.len()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::indexed::tests::check_order;

    #[test]
    fn pairs_have_the_order_of_dpkg() {
        check_order(include_str!("../../oracles/debian-versions.txt"), compare);
    }

    #[test]
    fn parts_are_split() {
        assert_eq!(without_epoch("1:2.10-3"), "2.10-3");
        assert_eq!(without_epoch("2.10:3"), "2.10:3");
        assert_eq!(compare("0:1-0", "1"), Ordering::Equal);
        assert!(is_prerelease("1.0~rc1-1"));
        assert!(!is_prerelease("1.0-1"));
    }

    proptest! {
        #[test]
        fn the_order_is_total(versions in prop::array::uniform3("[0-9a-b~.:+-]{0,8}")) {
            let [a, b, c] = &versions;
            prop_assert_eq!(compare(a, a), Ordering::Equal);
            prop_assert_eq!(compare(a, b), compare(b, a).reverse());
            if compare(a, b).is_le() && compare(b, c).is_le() {
                prop_assert!(compare(a, c).is_le(), "{} {} {}", a, b, c);
            }
        }

        #[test]
        fn any_texts_have_an_order(left in "\\PC{0,12}", right in "\\PC{0,12}") {
            prop_assert_eq!(compare(&left, &right), compare(&right, &left).reverse());
        }
    }
}
