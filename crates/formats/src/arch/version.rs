//! The order of pacman's versions, as `vercmp` has it.

use std::cmp::Ordering;

use crate::debian::version::{compare_digits, split_while};

/// Compares two versions of the form `[epoch:]version[-release]`. Releases count only if both have one. The order is
/// that of `vercmp`, which is circular for odd texts: do not sort by it, but use [`newest`].
pub fn compare(left: &str, right: &str) -> Ordering {
    let (left, right) = (split(left), split(right));
    compare_part(left.0, right.0).then_with(|| compare_part(left.1, right.1)).then_with(|| match (left.2, right.2) {
        (Some(left), Some(right)) => compare_part(left, right),
        _ => Ordering::Equal,
    })
}

/// The position of the newest version; of equal ones, the last.
pub fn newest<'a>(versions: impl IntoIterator<Item = &'a str>) -> Option<usize> {
    let all = versions.into_iter().enumerate();
    all.reduce(|best, next| if compare(best.1, next.1).is_gt() { best } else { next }).map(|(at, _)| at)
}

fn split(text: &str) -> (&str, &str, Option<&str>) {
    let is_number = |epoch: &str| epoch.bytes().all(|byte| byte.is_ascii_digit());
    let (epoch, rest) = text.split_once(':').filter(|(epoch, _)| is_number(epoch)).unwrap_or(("0", text));
    let epoch = if epoch.is_empty() { "0" } else { epoch };
    match rest.rsplit_once('-') {
        Some((version, release)) => (epoch, version, Some(release)),
        None => (epoch, rest, None),
    }
}

/// Compares by segments of digits or letters; more separators before a segment make it newer.
fn compare_part(left: &str, right: &str) -> Ordering {
    if left == right {
        return Ordering::Equal;
    }
    let (mut left, mut right) = (left.as_bytes(), right.as_bytes());
    while !left.is_empty() && !right.is_empty() {
        let (left_separators, right_separators);
        (left_separators, left) = split_while(left, |byte| !byte.is_ascii_alphanumeric());
        (right_separators, right) = split_while(right, |byte| !byte.is_ascii_alphanumeric());
        if left.is_empty() || right.is_empty() {
            break;
        }
        if left_separators.len() != right_separators.len() {
            return left_separators.len().cmp(&right_separators.len());
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
    // The rest is newer, unless it begins with a letter: `1.0` is newer than `1.0rc1`.
    match (left.first(), right.first()) {
        (None, None) => Ordering::Equal,
        (Some(first), _) if first.is_ascii_alphabetic() => Ordering::Less,
        (None, Some(first)) if !first.is_ascii_alphabetic() => Ordering::Less,
        _ => Ordering::Greater,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::indexed::tests::check_order;

    #[test]
    fn pairs_have_the_order_of_vercmp() {
        check_order(include_str!("../../oracles/arch-versions.txt"), compare);
    }

    #[test]
    fn the_newest_is_found() {
        assert_eq!(newest(["1.0-1", "1:0.1-1", "1.0-2", "1.0rc1-9"]), Some(1));
        assert_eq!(newest(["1.0-1", "1.0-1"]), Some(1));
        assert_eq!(newest([]), None);
    }

    proptest! {
        #[test]
        fn common_versions_have_a_total_order(
            versions in prop::array::uniform3("([12]:)?[0-9]{1,2}(\\.[0-9]{1,2}){2}(rc[0-9]|[ab])?-[0-9]{1,2}")
        ) {
            let [a, b, c] = &versions;
            prop_assert_eq!(compare(a, b), compare(b, a).reverse());
            if compare(a, b).is_le() && compare(b, c).is_le() {
                prop_assert!(compare(a, c).is_le(), "{} {} {}", a, b, c);
            }
        }

        #[test]
        fn any_texts_have_a_newest(versions in prop::collection::vec("\\PC{0,12}", 1..9)) {
            prop_assert!(newest(versions.iter().map(String::as_str)).is_some());
        }
    }
}
