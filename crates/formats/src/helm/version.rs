//! The order of chart versions: semantic versioning, with or without a `v` in front.

use std::cmp::Ordering;

use semver::Version;

/// Parses a version.
fn parse(text: &str) -> Option<Version> {
    Version::parse(text.strip_prefix('v').unwrap_or(text)).ok()
}

/// Returns whether a text is a version: all three numbers must be there.
pub fn is_valid(text: &str) -> bool {
    text.len() <= 200 && parse(text).is_some()
}

/// Compares two versions; build metadata makes no difference. Texts that are not versions sort first, by their bytes.
pub fn compare(left: &str, right: &str) -> Ordering {
    match (parse(left), parse(right)) {
        (Some(left), Some(right)) => left.cmp_precedence(&right),
        (None, None) => left.cmp(right),
        (left, right) => left.is_some().cmp(&right.is_some()),
    }
}

/// Returns whether a version comes before a release: `1.0.0-rc.1`.
pub fn is_prerelease(version: &str) -> bool {
    parse(version).is_some_and(|version| !version.pre.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::indexed::tests::check_order;

    #[test]
    fn pairs_have_the_order_of_semantic_versioning() {
        check_order(include_str!("../../oracles/helm-versions.txt"), compare);
    }

    #[test]
    fn versions_have_three_numbers() {
        for good in ["1.0.0", "v1.0.0", "1.0.0-rc.1+build"] {
            assert!(is_valid(good), "{good}");
        }
        for bad in ["", "1", "1.0", "1.0.0.0", "01.0.0", "1.0.0-", "x", "../1.0.0"] {
            assert!(!is_valid(bad), "{bad}");
        }
        assert!(is_prerelease("v1.0.0-rc"));
        assert!(!is_prerelease("1.0.0+x"));
    }

    proptest! {
        #[test]
        fn the_order_is_total(versions in prop::array::uniform3("v?[0-2]\\.[0-2]\\.[0-2]?(-[0-2a.]{1,3})?")) {
            let [a, b, c] = &versions;
            prop_assert_eq!(compare(a, b), compare(b, a).reverse());
            if compare(a, b).is_le() && compare(b, c).is_le() {
                prop_assert!(compare(a, c).is_le(), "{} {} {}", a, b, c);
            }
        }
    }
}
