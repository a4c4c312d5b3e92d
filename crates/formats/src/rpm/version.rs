//! The order of RPM versions, as rpm has it.

use std::cmp::Ordering;

use crate::debian::version::{compare_digits, compare_numbers, split_while};

/// Compares two versions of the form `[epoch:]version[-release]`.
pub fn compare(left: &str, right: &str) -> Ordering {
    let (left, right) = (split(left), split(right));
    compare_numbers(left.0, right.0).then_with(|| compare_part(left.1, right.1)).then_with(|| match (left.2, right.2) {
        (Some(left), Some(right)) => compare_part(left, right),
        (left, right) => left.is_some().cmp(&right.is_some()),
    })
}

/// Returns whether a version comes before a release: `1.0~rc1` sorts before `1.0`.
pub fn is_prerelease(version: &str) -> bool {
    split(version).1.contains('~')
}

/// Splits a version into epoch, version and release. No epoch is the epoch 0.
pub fn split(text: &str) -> (&str, &str, Option<&str>) {
    let is_number = |epoch: &str| epoch.bytes().all(|byte| byte.is_ascii_digit());
    let (epoch, rest) = text.split_once(':').filter(|(epoch, _)| is_number(epoch)).unwrap_or(("", text));
    match rest.rsplit_once('-') {
        Some((version, release)) => (epoch, version, Some(release)),
        None => (epoch, rest, None),
    }
}

/// Compares a version or a release by segments, as `rpmvercmp` does.
pub fn compare_part(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (left.as_bytes(), right.as_bytes());
    loop {
        left = split_while(left, is_separator).1;
        right = split_while(right, is_separator).1;
        match (left.first(), right.first()) {
            (Some(b'~'), Some(b'~')) | (Some(b'^'), Some(b'^')) => {
                (left, right) = (&left[1..], &right[1..]);
                continue;
            }
            // A tilde sorts before everything, even the end.
            (Some(b'~'), _) => return Ordering::Less,
            (_, Some(b'~')) => return Ordering::Greater,
            // A caret sorts after the end and before everything else.
            (Some(b'^'), None) => return Ordering::Greater,
            (None, Some(b'^')) => return Ordering::Less,
            (Some(b'^'), _) => return Ordering::Less,
            (_, Some(b'^')) => return Ordering::Greater,
            (None, _) | (_, None) => return left.len().min(1).cmp(&right.len().min(1)),
            _ => {}
        }
        let is_number = left[0].is_ascii_digit();
        if is_number != right[0].is_ascii_digit() {
            // Numbers are newer than letters.
            return if is_number { Ordering::Greater } else { Ordering::Less };
        }
        let is_in = |byte: u8| if is_number { byte.is_ascii_digit() } else { byte.is_ascii_alphabetic() };
        let (left_segment, right_segment);
        (left_segment, left) = split_while(left, is_in);
        (right_segment, right) = split_while(right, is_in);
        let order =
            if is_number { compare_digits(left_segment, right_segment) } else { left_segment.cmp(right_segment) };
        if order.is_ne() {
            return order;
        }
    }
}

fn is_separator(byte: u8) -> bool {
    !byte.is_ascii_alphanumeric() && byte != b'~' && byte != b'^'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::indexed::tests::check_order;

    #[test]
    fn pairs_have_the_order_of_rpm() {
        check_order(include_str!("../../oracles/rpm-versions.txt"), compare);
    }

    #[test]
    fn versions_are_split() {
        assert_eq!(split("1:2.10-3"), ("1", "2.10", Some("3")));
        assert_eq!(split("2.10"), ("", "2.10", None));
        assert!(is_prerelease("1.0~rc1-1"));
        assert!(!is_prerelease("1.0^git1-1~x"));
    }

    proptest! {
        #[test]
        fn the_order_is_total(versions in prop::array::uniform3("[0-2]{0,1}:?[0-9a-b~.^+-]{0,8}")) {
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
