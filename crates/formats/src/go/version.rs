//! Canonical versions: semver with a `v`, pseudo-versions and `+incompatible`.

use std::cmp::Ordering;

use crate::readers::quoted;

/// The maximum length of a version.
const VERSION_BYTES: usize = 150;

/// The only build metadata of a canonical version.
const INCOMPATIBLE: &str = "+incompatible";

/// A canonical version.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GoVersion(String);

/// The parts of a version.
struct Parts<'a> {
    numbers: [&'a str; 3],
    prerelease: &'a str,
}

impl GoVersion {
    /// Parses a canonical version: `v1.2.3`, with a prerelease and `+incompatible` if needed.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.len() <= VERSION_BYTES && parts(text).is_some() {
            return Ok(Self(text.to_owned()));
        }
        Err(format!("version '{}' is not valid: it must be like v1.2.3 or v1.2.3-pre", quoted(text)))
    }

    /// The version as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The major number.
    pub fn major(&self) -> &str {
        self.parts().numbers[0]
    }

    /// Returns whether the version is a prerelease. Pseudo-versions are prereleases.
    pub fn is_prerelease(&self) -> bool {
        !self.parts().prerelease.is_empty()
    }

    /// Returns whether the version ends with `+incompatible`: v2 or later, without a suffix in the module path.
    pub fn is_incompatible(&self) -> bool {
        self.0.ends_with(INCOMPATIBLE)
    }

    /// Returns whether the version names a commit: `v0.0.0-20260102150405-abcdefabcdef`.
    pub fn is_pseudo(&self) -> bool {
        let parts = self.parts();
        let Some((rest, commit)) = parts.prerelease.rsplit_once('-') else { return false };
        let Some(split) = rest.len().checked_sub(14).filter(|split| rest.is_char_boundary(*split)) else {
            return false;
        };
        let (before, time) = rest.split_at(split);
        let is_start = match before {
            "" => parts.numbers[1..] == ["0", "0"],
            before => before == "0." || before.ends_with(".0."),
        };
        is_start
            && !commit.is_empty()
            && time.bytes().all(|byte| byte.is_ascii_digit())
            && commit.bytes().all(|b| b.is_ascii_alphanumeric())
    }

    /// Compares as `semver.Compare` does; `+incompatible` does not count.
    pub fn order(&self, other: &Self) -> Ordering {
        let (left, right) = (self.parts(), other.parts());
        let mut numbers = left.numbers.into_iter().zip(right.numbers).map(|(left, right)| compare_numbers(left, right));
        let prerelease = match (left.prerelease, right.prerelease) {
            ("", "") => Ordering::Equal,
            ("", _) => Ordering::Greater,
            (_, "") => Ordering::Less,
            (left, right) => compare_prereleases(left, right),
        };
        numbers.find(|order| order.is_ne()).unwrap_or(prerelease)
    }

    fn parts(&self) -> Parts<'_> {
        parts(&self.0).unwrap_or(Parts { numbers: ["0"; 3], prerelease: "" })
    }
}

fn parts(text: &str) -> Option<Parts<'_>> {
    let text = text.strip_prefix('v')?;
    let text = text.strip_suffix(INCOMPATIBLE).unwrap_or(text);
    let (plain, prerelease) = text.split_once('-').map_or((text, None), |(plain, rest)| (plain, Some(rest)));
    let mut numbers = plain.split('.');
    let numbers = [numbers.next()?, numbers.next()?, numbers.next().filter(|_| numbers.next().is_none())?];
    let is_number = |text: &str| is_digits(text) && (text == "0" || !text.starts_with('0'));
    let is_identifier = |text: &str| {
        let is_word = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        is_word && (!is_digits(text) || is_number(text))
    };
    let is_valid =
        numbers.into_iter().all(is_number) && prerelease.is_none_or(|text| text.split('.').all(is_identifier));
    is_valid.then_some(Parts { numbers, prerelease: prerelease.unwrap_or_default() })
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn compare_numbers(left: &str, right: &str) -> Ordering {
    left.len().cmp(&right.len()).then_with(|| left.cmp(right))
}

fn compare_prereleases(left: &str, right: &str) -> Ordering {
    let compare = |(left, right): (&str, &str)| match (is_digits(left), is_digits(right)) {
        (true, true) => compare_numbers(left, right),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => left.cmp(right),
    };
    let mut pairs = left.split('.').zip(right.split('.')).map(compare);
    let length = || left.split('.').count().cmp(&right.split('.').count());
    pairs.find(|order| order.is_ne()).unwrap_or_else(length)
}

/// Compares two versions; texts that are not versions come before all versions.
pub fn compare(left: &str, right: &str) -> Ordering {
    match (GoVersion::parse(left), GoVersion::parse(right)) {
        (Ok(left), Ok(right)) => left.order(&right),
        (Ok(_), Err(_)) => Ordering::Greater,
        (Err(_), Ok(_)) => Ordering::Less,
        (Err(_), Err(_)) => left.cmp(right),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn versions_are_those_of_go() {
        let check = |version: &GoVersion, text: &str, columns: &[&str]| {
            assert_eq!(version.is_prerelease(), columns[0] == "1", "{text}");
            assert_eq!(version.is_pseudo(), columns[1] == "1", "{text}");
        };
        let file = include_str!("../../oracles/go-versions.tsv");
        crate::oracle::assert_order(file, |text| GoVersion::parse(text).ok(), GoVersion::order, check);
    }

    #[test]
    fn other_versions_are_refused() {
        for bad in ["v1", "v1.0", "1.0.0", "v1.0.0+meta", "v01.0.0", "v1.0.0-", "v1.0.0-01", "v1.0.0/..", "latest", ""]
        {
            assert!(GoVersion::parse(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn the_order_is_total(texts in prop::collection::vec("v[0-2]\\.[01]\\.0(-[0-2ab](\\.[0-2a])?)?", 3)) {
            let (a, b, c) = (&texts[0], &texts[1], &texts[2]);
            prop_assert_eq!(compare(a, b), compare(b, a).reverse());
            prop_assert!(compare(a, b).is_gt() || compare(b, c).is_gt() || compare(a, c).is_le());
        }
    }
}
