//! Versions in the order of `Gem::Version`. Vagrant compares its versions in the same way.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::readers::quoted;

/// The maximum length of a version.
const VERSION_BYTES: usize = 100;

/// A version. Two spellings of one version (`1` and `1.0`) are different texts of the same order.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GemVersion(String);

/// A run of digits or of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Segment<'a> {
    /// Letters, which are before all numbers.
    Word(&'a str),
    /// Digits without leading zeros.
    Number(&'a str),
}

impl GemVersion {
    /// Parses `[0-9]+(\.[0-9a-zA-Z]+)*(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (plain, prerelease) = text.split_once('-').map_or((text, None), |(plain, rest)| (plain, Some(rest)));
        let first = plain.split('.').next().unwrap_or_default();
        let is_number = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
        let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_label =
            |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let is_valid = text.len() <= VERSION_BYTES
            && is_number
            && plain.split('.').all(is_word)
            && prerelease.is_none_or(|rest| rest.split('.').all(is_label));
        if is_valid { Ok(Self(text.to_owned())) } else { Err(format!("version '{}' is not valid", quoted(text))) }
    }

    /// The version as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether the version is a prerelease: it holds a letter, or a `-`, which means `.pre.`.
    pub fn is_prerelease(&self) -> bool {
        self.0.bytes().any(|byte| byte.is_ascii_alphabetic() || byte == b'-')
    }

    /// Compares as `Gem::Version` does.
    pub fn order(&self, other: &Self) -> Ordering {
        let (left, right) = (canonical(&self.0), canonical(&other.0));
        let zero = Segment::Number("");
        let pairs = (0..left.len().max(right.len()))
            .map(|at| compare_segments(left.get(at).unwrap_or(&zero), right.get(at).unwrap_or(&zero)));
        pairs.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}

/// Splits a version into segments, without zeros at the end of the numbers before the first word and at the end of the
/// rest.
fn canonical(text: &str) -> Vec<Segment<'_>> {
    let mut segments = Vec::new();
    let mut first_word = None;
    let mut add = |segment| {
        if matches!(segment, Segment::Word(_)) && first_word.is_none() {
            drop_zeros(&mut segments, 0);
            first_word = Some(segments.len());
        }
        segments.push(segment);
    };
    let mut rest = text;
    while let Some(first) = rest.bytes().next() {
        let length = match first {
            b'0'..=b'9' => rest.bytes().take_while(u8::is_ascii_digit).count(),
            b'-' | b'.' => 1,
            _ => rest.bytes().take_while(u8::is_ascii_alphabetic).count().max(1),
        };
        let (run, after) = rest.split_at(length);
        match first {
            b'0'..=b'9' => add(Segment::Number(run.trim_start_matches('0'))),
            b'-' => add(Segment::Word("pre")),
            b'.' => {}
            _ => add(Segment::Word(run)),
        }
        rest = after;
    }
    let from = first_word.unwrap_or(0);
    drop_zeros(&mut segments, from);
    segments
}

fn drop_zeros(segments: &mut Vec<Segment<'_>>, from: usize) {
    while segments.len() > from && segments.last() == Some(&Segment::Number("")) {
        segments.pop();
    }
}

fn compare_segments(left: &Segment<'_>, right: &Segment<'_>) -> Ordering {
    match (left, right) {
        (Segment::Word(left), Segment::Word(right)) => left.cmp(right),
        (Segment::Word(_), Segment::Number(_)) => Ordering::Less,
        (Segment::Number(_), Segment::Word(_)) => Ordering::Greater,
        (Segment::Number(left), Segment::Number(right)) => left.len().cmp(&right.len()).then_with(|| left.cmp(right)),
    }
}

/// Compares two versions; texts that are not versions come before all versions.
pub fn compare(left: &str, right: &str) -> Ordering {
    match (GemVersion::parse(left), GemVersion::parse(right)) {
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
    fn versions_are_those_of_rubygems() {
        crate::oracle::assert_order(
            include_str!("../../oracles/rubygems-versions.tsv"),
            |text| GemVersion::parse(text).ok(),
            GemVersion::order,
            |version, text, columns| assert_eq!(version.is_prerelease(), columns[0] == "1", "{text}"),
        );
    }

    #[test]
    fn forged_versions_are_refused() {
        for bad in ["", "1\n2", "1|2", "1,2", "1&2", "1 2", "a", "1.", "1.-", "1-", &"1".repeat(101)] {
            assert!(GemVersion::parse(bad).is_err(), "{}", quoted(bad));
        }
        assert_eq!(compare("latest", "0"), Ordering::Less);
    }

    proptest! {
        #[test]
        fn the_order_is_total(texts in prop::collection::vec("[0-2](\\.[0-2ab]){0,3}", 3)) {
            let (a, b, c) = (&texts[0], &texts[1], &texts[2]);
            prop_assert_eq!(compare(a, b), compare(b, a).reverse());
            prop_assert!(compare(a, b).is_gt() || compare(b, c).is_gt() || compare(a, c).is_le());
        }

        #[test]
        fn any_text_is_parsed_or_refused(text in "\\PC{0,12}") {
            if let Ok(version) = GemVersion::parse(&text) {
                prop_assert_eq!(version.order(&version), Ordering::Equal);
            }
        }
    }
}
