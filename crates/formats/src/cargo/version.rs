//! Versions of crates.

use std::cmp::Ordering;

use model::names::VersionName;
use semver::Version;

use crate::readers::quoted;

/// Parses a version by the rules of semantic versioning.
pub fn parse(text: &str) -> Result<Version, String> {
    let refused = |reason: &str| format!("version '{}' is not valid: {reason}", quoted(text));
    let version = Version::parse(text).map_err(|error| refused(&error.to_string()))?;
    VersionName::parse(text).map_err(|error| refused(error.reason))?;
    Ok(version)
}

/// The form that is unique for a crate: without build metadata.
pub fn unique(version: &Version) -> String {
    let Version { major, minor, patch, pre, .. } = version;
    if pre.is_empty() { format!("{major}.{minor}.{patch}") } else { format!("{major}.{minor}.{patch}-{pre}") }
}

/// Orders versions by precedence. Texts that are not versions come first, by their characters; so do versions of the
/// same precedence among themselves.
pub fn compare(left: &str, right: &str) -> Ordering {
    match (Version::parse(left), Version::parse(right)) {
        (Ok(first), Ok(second)) => first.cmp_precedence(&second).then_with(|| left.cmp(right)),
        (first, second) => first.is_ok().cmp(&second.is_ok()).then_with(|| left.cmp(right)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn build_metadata_does_not_make_another_version() {
        let unique = |text: &str| unique(&parse(text).expect(text));
        assert_eq!(unique("1.0.0-rc.1+a"), "1.0.0-rc.1");
        assert_eq!(unique("1.0.0+a"), unique("1.0.0+b"));
    }

    #[test]
    fn other_texts_are_refused() {
        let long = format!("1.0.0-{}", "a".repeat(300));
        for bad in [
            "",
            "1",
            "1.0",
            "1.0.0 ",
            " 1.0.0",
            "1.0 .0",
            "v1.0.0",
            "01.0.0",
            "1.0.0-",
            "1.0.0/../..",
            "1.0.0-ä",
            &long,
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn versions_are_ordered_by_precedence() {
        let order = [
            "x",
            "0.9.0",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0",
            "1.0.0+a",
            "1.10.0",
        ];
        for pair in order.windows(2) {
            assert_eq!(compare(pair[0], pair[1]), Ordering::Less, "{pair:?}");
        }
    }

    proptest! {
        #[test]
        fn the_order_is_total(a in text(), b in text(), c in text()) {
            prop_assert_eq!(compare(&a, &b), compare(&b, &a).reverse());
            prop_assert_eq!(compare(&a, &b) == Ordering::Equal, a == b);
            if compare(&a, &b).is_le() && compare(&b, &c).is_le() {
                prop_assert!(compare(&a, &c).is_le());
            }
        }
    }

    fn text() -> impl Strategy<Value = String> {
        "[0-2]\\.[0-2]\\.(10|2)(-(a|b|1|10)(\\.(1|c))?)?(\\+(a|1))?|[a-z0-9.]{0,4}"
    }
}
