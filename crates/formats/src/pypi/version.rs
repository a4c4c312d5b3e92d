//! Versions by PEP 440.

use std::{cmp::Ordering, fmt};

use model::names::VersionName;
use pep440_rs::Version;

use crate::readers::quoted;

/// A valid version. `1.0` and `1.0.0` are equal although they are spelled differently.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PypiVersion(Version);

impl PypiVersion {
    /// Parses any spelling of a version.
    pub fn parse(text: &str) -> Result<Self, String> {
        let refused = |reason: &str| format!("version '{}' is not valid: {reason}", quoted(text));
        if text.trim() != text {
            return Err(refused("it begins or ends with a blank"));
        }
        let version: Version = text.parse().map_err(|_| refused("it does not follow PEP 440"))?;
        VersionName::parse(&version.to_string()).map_err(|error| refused(error.reason))?;
        Ok(Self(version))
    }

    /// The spelling that all equal versions share: the normal form without zeros at the end of the release.
    pub fn unique(&self) -> String {
        let normal = self.0.to_string();
        let (epoch, rest) = normal.split_once('!').map_or(("", normal.as_str()), |(epoch, rest)| (epoch, rest));
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let release = rest[..end].trim_end_matches('.');
        let suffix = &rest[release.len()..];
        let mut short = release;
        while let Some(shorter) = short.strip_suffix(".0") {
            short = shorter;
        }
        let separator = if epoch.is_empty() { "" } else { "!" };
        format!("{epoch}{separator}{short}{suffix}")
    }

    /// Returns whether installers ignore it unless asked: an alpha, a beta, a candidate or a development release.
    pub fn is_prerelease(&self) -> bool {
        self.0.any_prerelease()
    }
}

impl fmt::Display for PypiVersion {
    /// Formats the normal form, which is the name of the version. Trailing zeros stay.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Orders versions by PEP 440. Texts that are not versions come first, by their characters; so do equal versions among
/// themselves.
pub fn compare(left: &str, right: &str) -> Ordering {
    sort_key(left).cmp(&sort_key(right))
}

/// The value by which [`compare`] orders, for lists that are long.
pub(super) fn sort_key(text: &str) -> impl Ord + use<> {
    (text.parse::<Version>().ok(), text.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn normal(text: &str) -> String {
        PypiVersion::parse(text).expect(text).to_string()
    }

    #[test]
    fn spellings_are_normalized() {
        for (text, expected) in [
            ("1.0.0-RC1", "1.0.0rc1"),
            ("v1.0", "1.0"),
            ("1.0-1", "1.0.post1"),
            ("1!2.0", "1!2.0"),
            ("1.0+Ubuntu-1", "1.0+ubuntu.1"),
            ("01.00", "1.0"),
            ("1.0.DEV", "1.0.dev0"),
        ] {
            assert_eq!(normal(text), expected);
        }
    }

    #[test]
    fn zeros_at_the_end_do_not_make_another_version() {
        assert_eq!(PypiVersion::parse("1.0"), PypiVersion::parse("1.0.0"));
        assert_eq!((normal("1.0"), normal("1.0.0")), ("1.0".to_owned(), "1.0.0".to_owned()));
        let unique = |text: &str| PypiVersion::parse(text).expect(text).unique();
        assert_eq!((unique("1.0"), unique("10.0.0")), ("1".to_owned(), "10".to_owned()));
        assert_eq!((unique("1!0.0.post1"), unique("1.0.0rc1+a.0")), ("1!0.post1".to_owned(), "1rc1+a.0".to_owned()));
    }

    #[test]
    fn other_texts_are_refused() {
        let long = format!("1.{}", "9".repeat(300));
        for bad in ["", "1.0/../..", "1.0 ", " 1.0", "a", "1.0.x", "1.0%2F", "..", "1..0", "1.0+a/b", "1.0\n", &long] {
            assert!(PypiVersion::parse(bad).is_err(), "{bad}");
        }
        let reason = "version '1.0/../..' is not valid: it does not follow PEP 440";
        assert_eq!(PypiVersion::parse("1.0/../.."), Err(reason.to_owned()));
    }

    proptest! {
        #[test]
        fn the_normal_form_is_the_same_version(text in spelling()) {
            let version = PypiVersion::parse(&text).expect("valid");
            let again = PypiVersion::parse(&version.to_string()).expect("valid");
            prop_assert_eq!(&again, &version);
            prop_assert_eq!(again.to_string(), version.to_string());
            prop_assert_eq!(again.is_prerelease(), version.is_prerelease());
        }

        #[test]
        fn equal_versions_share_one_spelling(left in spelling(), right in spelling()) {
            let [left, right] = [left, right].map(|text| PypiVersion::parse(&text).expect("valid"));
            prop_assert_eq!(left == right, left.unique() == right.unique(), "{} {}", left, right);
            prop_assert_eq!(PypiVersion::parse(&left.unique()), Ok(left));
        }

        #[test]
        fn the_order_is_total(a in text(), b in text(), c in text()) {
            prop_assert_eq!(compare(&a, &b), compare(&b, &a).reverse());
            prop_assert_eq!(compare(&a, &b) == Ordering::Equal, a == b);
            if compare(&a, &b).is_le() && compare(&b, &c).is_le() {
                prop_assert!(compare(&a, &c).is_le());
            }
        }

        #[test]
        fn any_text_is_a_version_or_refused(text in "\\PC{0,20}") {
            let _ = PypiVersion::parse(&text);
        }
    }

    fn spelling() -> impl Strategy<Value = String> {
        let parts = ("v?", "([0-2]!)?", "[0-3](\\.[0-3]){0,3}", "([-_.]?(a|b|rc|alpha|BETA|pre)[-_.]?[0-9]?)?");
        let more = (
            "([-_.]?(post|rev|r)[-_.]?[0-9]?|-[0-9])?",
            "([-_.]?dev[0-9]?)?",
            "(\\+[a-z0-9]{1,3}([-_.][a-z0-9]{1,2})?)?",
        );
        (parts, more).prop_map(|((v, epoch, release, pre), (post, dev, local))| {
            format!("{v}{epoch}{release}{pre}{post}{dev}{local}")
        })
    }

    fn text() -> impl Strategy<Value = String> {
        prop_oneof![4 => spelling(), 1 => "[a-z0-9.]{0,4}"]
    }
}
