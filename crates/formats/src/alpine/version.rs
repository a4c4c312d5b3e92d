//! The order of Alpine versions, as apk has it.

use std::cmp::Ordering;

use crate::debian::version::{compare_digits, split_while};

/// The words that may follow `_`. Those before the empty one are pre-releases.
const SUFFIXES: [&str; 10] = ["alpha", "beta", "pre", "rc", "", "cvs", "svn", "git", "hg", "p"];
const NO_SUFFIX: usize = 4;

/// A part of a version. The parts come in the order of their kinds, but numbers and suffixes may repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum VersionPart<'a> {
    FirstNumber(&'a [u8]),
    Number(&'a [u8]),
    Letter(u8),
    Suffix(usize),
    SuffixNumber(&'a [u8]),
    Hash(&'a [u8]),
    Revision(&'a [u8]),
    End,
    Invalid,
}

impl VersionPart<'_> {
    fn kind(self) -> u8 {
        match self {
            VersionPart::FirstNumber(_) => 0,
            VersionPart::Number(_) => 1,
            VersionPart::Letter(_) => 2,
            VersionPart::Suffix(_) => 3,
            VersionPart::SuffixNumber(_) => 4,
            VersionPart::Hash(_) => 5,
            VersionPart::Revision(_) => 6,
            VersionPart::End => 7,
            VersionPart::Invalid => 8,
        }
    }

    fn is_prerelease(self) -> bool {
        matches!(self, VersionPart::Suffix(word) if word < NO_SUFFIX)
    }

    /// Compares with a part of the same kind.
    fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            // A number with a zero in front is compared as text, like the digits after a decimal point.
            (VersionPart::Number(left), VersionPart::Number(right))
                if left.first() == Some(&b'0') || right.first() == Some(&b'0') =>
            {
                left.cmp(right)
            }
            (VersionPart::FirstNumber(left), VersionPart::FirstNumber(right))
            | (VersionPart::Number(left), VersionPart::Number(right))
            | (VersionPart::SuffixNumber(left), VersionPart::SuffixNumber(right))
            | (VersionPart::Revision(left), VersionPart::Revision(right)) => compare_digits(left, right),
            (VersionPart::Letter(left), VersionPart::Letter(right)) => left.cmp(&right),
            (VersionPart::Suffix(left), VersionPart::Suffix(right)) => left.cmp(&right),
            (VersionPart::Hash(left), VersionPart::Hash(right)) => left.cmp(right),
            _ => Ordering::Equal,
        }
    }
}

/// Splits off the part after `before`, which is `None` at the start.
fn next_part<'a>(before: Option<VersionPart<'_>>, rest: &'a [u8]) -> (VersionPart<'a>, &'a [u8]) {
    let digits = |rest: &'a [u8], part: fn(&'a [u8]) -> VersionPart<'a>| {
        let (digits, rest) = split_while(rest, |byte| byte.is_ascii_digit());
        if digits.is_empty() { (VersionPart::Invalid, rest) } else { (part(digits), rest) }
    };
    let Some(before) = before else { return digits(rest, VersionPart::FirstNumber) };
    let kind = before.kind();
    match rest {
        [] => (VersionPart::End, rest),
        [letter @ b'a'..=b'z', rest @ ..] if kind <= 1 => (VersionPart::Letter(*letter), rest),
        [b'.', rest @ ..] if kind <= 1 => digits(rest, VersionPart::Number),
        [b'0'..=b'9', ..] if kind == 3 => digits(rest, VersionPart::SuffixNumber),
        [b'_', rest @ ..] if kind <= 4 => {
            let (word, rest) = split_while(rest, |byte| byte.is_ascii_lowercase());
            let word = SUFFIXES.iter().position(|suffix| !word.is_empty() && suffix.as_bytes() == word);
            (word.map_or(VersionPart::Invalid, VersionPart::Suffix), rest)
        }
        [b'~', rest @ ..] if kind < 5 => {
            let (hash, rest) = split_while(rest, |byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'));
            (if hash.is_empty() { VersionPart::Invalid } else { VersionPart::Hash(hash) }, rest)
        }
        [b'-', b'r', rest @ ..] if kind < 6 => digits(rest, VersionPart::Revision),
        _ => (VersionPart::Invalid, rest),
    }
}

/// The parts of a version; the last one is `End` or `Invalid`.
fn parts(text: &str) -> Vec<VersionPart<'_>> {
    let (mut parts, mut rest) = (Vec::new(), text.as_bytes());
    loop {
        let part;
        (part, rest) = next_part(parts.last().copied(), rest);
        parts.push(part);
        if part.kind() >= 7 {
            return parts;
        }
    }
}

/// Returns whether a text is a version.
pub fn is_valid(text: &str) -> bool {
    text.len() <= 200 && parts(text).last() == Some(&VersionPart::End)
}

/// Compares two versions.
pub fn compare(left: &str, right: &str) -> Ordering {
    let (left, right) = (parts(left), parts(right));
    for (left, right) in left.iter().zip(&right) {
        if left.kind() != right.kind() {
            return match (left.is_prerelease(), right.is_prerelease()) {
                (true, _) => Ordering::Less,
                (_, true) => Ordering::Greater,
                _ => right.kind().cmp(&left.kind()),
            };
        }
        let order = left.compare(*right);
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

/// Returns whether a version comes before a release: `1.0_rc1` sorts before `1.0`.
pub fn is_prerelease(version: &str) -> bool {
    parts(version).into_iter().any(VersionPart::is_prerelease)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::indexed::tests::check_order;

    #[test]
    fn pairs_have_the_order_of_apk() {
        check_order(include_str!("../../oracles/alpine-versions.txt"), compare);
    }

    #[test]
    fn versions_have_a_grammar() {
        for good in ["1", "0.1_pre2~1234abcd", "0.1_p1_pre2", "1.2.3b_git20240101-r3", "0.1-r0"] {
            assert!(is_valid(good), "{good}");
        }
        for bad in
            ["", "0.1bc", "0.1a1", "0.1a.1", "0.1_pre2~", "0.1_foobar", "0.1-r", "0.1-r2_pre1", ".1", "a", "0.1_"]
        {
            assert!(!is_valid(bad), "{bad}");
        }
        assert!(is_prerelease("1_rc1-r0"));
        assert!(!is_prerelease("1_p1-r0"));
    }

    const VERSION: &str = "[0-2](\\.(0|1|01|10)){0,2}[ab]?(_(alpha|rc|p|git)[01]?){0,2}(-r[01])?";

    proptest! {
        #[test]
        fn the_order_is_total(versions in prop::array::uniform3(VERSION)) {
            let [a, b, c] = &versions;
            prop_assert!(is_valid(a));
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
