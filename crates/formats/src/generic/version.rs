//! An order for versions of any notation: numbers count as numbers, and `alpha`, `beta`, `rc` and their like come before
//! the release that they announce.

use std::cmp::Ordering;

/// Words that announce a release.
const ANNOUNCEMENTS: &[&str] =
    &["dev", "nightly", "snapshot", "a", "alpha", "b", "beta", "m", "milestone", "pre", "preview", "c", "cr", "rc"];

/// A part of a version, in the order in which parts compare at the same place.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part<'a> {
    /// A word that announces a release, by its place in the list.
    Announcement(usize),
    /// The end of the version.
    End,
    /// Another word.
    Word(String),
    /// A number: how many digits it has without leading zeros, and the digits.
    Number(usize, &'a str),
}

/// Compares two versions. The order is total.
pub(super) fn compare(left: &str, right: &str) -> Ordering {
    parts(left).cmp(&parts(right)).then_with(|| left.cmp(right))
}

/// Returns whether a version announces a release.
pub(super) fn is_prerelease(version: &str) -> bool {
    parts(version).iter().any(|part| matches!(part, Part::Announcement(_)))
}

fn parts(version: &str) -> Vec<Part<'_>> {
    let version = version
        .strip_prefix(['v', 'V'])
        .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        .unwrap_or(version);
    let words = version.split(|c: char| !c.is_alphanumeric()).flat_map(split_digits).filter(|word| !word.is_empty());
    words.map(part).chain([Part::End]).collect()
}

fn part(word: &str) -> Part<'_> {
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        let digits = word.trim_start_matches('0');
        return Part::Number(digits.len(), digits);
    }
    let word = word.to_lowercase();
    match ANNOUNCEMENTS.iter().position(|known| *known == word) {
        Some(place) => Part::Announcement(place),
        None => Part::Word(word),
    }
}

/// Splits a word where digits begin or end.
fn split_digits(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let is_digits = rest.starts_with(|c: char| c.is_ascii_digit());
        let end = rest.find(|c: char| c.is_ascii_digit() != is_digits).unwrap_or(rest.len());
        let (first, others) = rest.split_at(end);
        rest = others;
        (!first.is_empty()).then_some(first)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn versions_of_many_notations_are_ordered() {
        for ordered in [
            ["1.9", "1.10", "1.10.1", "2"].as_slice(),
            &["1.0-dev", "1.0-alpha", "1.0-beta1", "1.0-beta2", "1.0-beta11", "1.0-rc1", "1.0", "1.0-1", "1.0.1"],
            &["v0.9", "1.0", "v1.1", "1.2"],
            &["2024-01-02", "2024-01-10", "2024-02-01"],
            &["9", "10", "100000000000000000000000000"],
            &["1.0", "1.0-final", "1.0.0"],
            &["r9", "r10"],
        ] {
            for pair in ordered.windows(2) {
                assert_eq!(compare(pair[0], pair[1]), Ordering::Less, "{pair:?}");
                assert_eq!(compare(pair[1], pair[0]), Ordering::Greater, "{pair:?}");
            }
        }
        assert_eq!(compare("1.0", "1.0"), Ordering::Equal);
    }

    #[test]
    fn announcements_are_prereleases() {
        for version in ["1.0-rc1", "2.0b3", "1-SNAPSHOT", "3.0.0-beta.2", "1.0dev"] {
            assert!(is_prerelease(version), "{version}");
        }
        for version in ["1.0", "v2", "2024-01-02", "1.0-final", "1.0-1", "abc", "1.0+build"] {
            assert!(!is_prerelease(version), "{version}");
        }
    }

    proptest! {
        #[test]
        fn the_order_is_total(mut versions in proptest::collection::vec("[v]?[0-9a-c.-]{0,6}(rc|beta)?[0-9]?", 3)) {
            versions.sort_by(|left, right| compare(left, right));
            prop_assert!(compare(&versions[0], &versions[2]).is_le());
        }
    }
}
