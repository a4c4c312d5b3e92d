//! The order of R's package versions, as `compareVersion` has it.

use std::cmp::Ordering;

use crate::debian::version::compare_numbers;

/// Compares two versions by their numbers; `.` and `-` make no difference, and of equal beginnings the longer one is
/// newer. Other texts compare by bytes where a number is missing.
pub fn compare(left: &str, right: &str) -> Ordering {
    let mut left = left.split(['.', '-']);
    let mut right = right.split(['.', '-']);
    loop {
        let order = match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (Some(left), Some(right)) => compare_words(left, right),
            (left, right) => left.is_some().cmp(&right.is_some()),
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Numbers come after other words.
fn compare_words(left: &str, right: &str) -> Ordering {
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    match (is_number(left), is_number(right)) {
        (true, true) => compare_numbers(left, right),
        (false, false) => left.cmp(right),
        (left, right) => left.cmp(&right),
    }
}

/// Returns whether a text is a version: at least two numbers.
pub fn is_valid(text: &str) -> bool {
    let mut words = text.split(['.', '-']);
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    text.len() <= 200 && words.all(is_number) && text.contains(['.', '-'])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::indexed::tests::check_order;

    #[test]
    fn pairs_have_the_order_of_r() {
        check_order(include_str!("../../oracles/cran-versions.txt"), compare);
    }

    #[test]
    fn versions_have_two_numbers() {
        for good in ["1.0", "1-0", "0.0.0.9000", "2024.01-1"] {
            assert!(is_valid(good), "{good}");
        }
        for bad in ["", "1", "1.", ".1", "1.a", "1..2", "1.0 "] {
            assert!(!is_valid(bad), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn the_order_is_total(versions in prop::array::uniform3("[0-9a.-]{0,6}")) {
            let [a, b, c] = &versions;
            prop_assert_eq!(compare(a, b), compare(b, a).reverse());
            if compare(a, b).is_le() && compare(b, c).is_le() {
                prop_assert!(compare(a, c).is_le(), "{} {} {}", a, b, c);
            }
        }
    }
}
