//! The order of conda's versions, as its `VersionOrder` has it.

use std::cmp::Ordering;

use crate::debian::version::{compare_numbers, split_while};

/// A piece of a segment. Words come before numbers, and `post` after all.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Word(String),
    /// Digits without zeros in front; zero has none.
    Number(String),
    Post,
}

impl Piece {
    /// The piece that stands for a missing one.
    const MISSING: Self = Piece::Number(String::new());

    fn compare(&self, other: &Self) -> Ordering {
        let rank = |piece: &Self| match piece {
            Piece::Word(_) => 0,
            Piece::Number(_) => 1,
            Piece::Post => 2,
        };
        match (self, other) {
            (Piece::Word(left), Piece::Word(right)) => left.cmp(right),
            (Piece::Number(left), Piece::Number(right)) => compare_numbers(left, right),
            _ => rank(self).cmp(&rank(other)),
        }
    }
}

/// A version, parsed for comparison.
#[derive(Debug)]
struct Version {
    /// The epoch and the segments of the version.
    main: Vec<Vec<Piece>>,
    /// The segments after `+`.
    local: Vec<Vec<Piece>>,
}

impl Version {
    fn parse(text: &str) -> Option<Self> {
        let mut text = text.trim().to_ascii_lowercase();
        if !text.contains('_') {
            text = text.replace('-', "_");
        }
        let is_byte = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"*.+!_".contains(&byte);
        if text.is_empty() || text.len() > 200 || !text.bytes().all(is_byte) {
            return None;
        }
        let (epoch, rest) = text.split_once('!').unwrap_or(("0", &text));
        let (main, local) = rest.split_once('+').map_or((rest, None), |(main, local)| (main, Some(local)));
        let is_number = !epoch.is_empty() && epoch.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number || rest.contains('!') || local.is_some_and(|local| local.contains('+')) {
            return None;
        }
        let mut segments = vec![segment(epoch)?];
        // A `_` at the end belongs to its segment, as in openssl's versions.
        let (body, end) = main.strip_suffix('_').map_or((main, ""), |body| (body, "_"));
        let words: Vec<&str> = body.split(['_', '.']).collect();
        for (at, word) in words.iter().enumerate() {
            let end = if at + 1 == words.len() { end } else { "" };
            segments.push(segment(&format!("{word}{end}"))?);
        }
        let local = local.map(|local| local.split(['_', '.']).map(segment).collect());
        Some(Self { main: segments, local: local.unwrap_or_else(|| Some(Vec::new()))? })
    }
}

/// Splits a segment into words and numbers. It begins with a number, so that numbers are compared with numbers.
fn segment(text: &str) -> Option<Vec<Piece>> {
    let mut rest = text.as_bytes();
    let mut pieces = if rest.first()?.is_ascii_digit() { Vec::new() } else { vec![Piece::MISSING] };
    while let Some(first) = rest.first() {
        let kind = |byte: u8| (byte.is_ascii_digit(), byte == b'*');
        let (piece, tail) = split_while(rest, |byte| kind(byte) == kind(*first));
        let piece = str::from_utf8(piece).ok()?;
        pieces.push(match piece {
            "post" => Piece::Post,
            // Upper case sorts before `_` and all other words.
            "dev" => Piece::Word("DEV".to_owned()),
            _ if first.is_ascii_digit() => Piece::Number(piece.trim_start_matches('0').to_owned()),
            _ => Piece::Word(piece.to_owned()),
        });
        rest = tail;
    }
    Some(pieces)
}

fn compare_segments(left: &[Vec<Piece>], right: &[Vec<Piece>]) -> Ordering {
    for at in 0..left.len().max(right.len()) {
        let (left, right) = (left.get(at).map_or(&[][..], |p| p), right.get(at).map_or(&[][..], |p| p));
        for piece in 0..left.len().max(right.len()) {
            let piece_of = |pieces: &[Piece]| pieces.get(piece).cloned().unwrap_or(Piece::MISSING);
            let order = piece_of(left).compare(&piece_of(right));
            if order.is_ne() {
                return order;
            }
        }
    }
    Ordering::Equal
}

/// Compares two versions. Texts that are not versions sort first, by their bytes.
pub fn compare(left: &str, right: &str) -> Ordering {
    match (Version::parse(left), Version::parse(right)) {
        (Some(left), Some(right)) => {
            compare_segments(&left.main, &right.main).then_with(|| compare_segments(&left.local, &right.local))
        }
        (None, None) => left.cmp(right),
        (left, right) => left.is_some().cmp(&right.is_some()),
    }
}

/// Returns whether a text is a version.
pub fn is_valid(text: &str) -> bool {
    !text.contains('*') && Version::parse(text).is_some()
}

/// Returns whether a version comes before a release: it has a word other than `post`, as in `1.0rc1`.
pub fn is_prerelease(text: &str) -> bool {
    let is_word = |piece: &Piece| matches!(piece, Piece::Word(word) if matches!(word.as_str(), "DEV" | "a" | "b" | "c" | "rc" | "alpha" | "beta" | "pre"));
    Version::parse(text).is_some_and(|version| version.main.iter().flatten().any(is_word))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::indexed::tests::check_order;

    #[test]
    fn pairs_have_the_order_of_conda() {
        check_order(include_str!("../../oracles/conda-versions.txt"), compare);
    }

    #[test]
    fn versions_have_a_grammar() {
        for good in ["1", "1.0.1a", "1!2.0+local.1", "1.0_", "1-0", "2024.01.01"] {
            assert!(is_valid(good), "{good}");
        }
        for bad in ["", "1..0", "1!", "!1", "1!1!1", "1+", "1+a+b", "1.*", "1/2", "1 2", "a!1", "1-0_1"] {
            assert!(!is_valid(bad), "{bad}");
        }
        assert!(is_prerelease("1.0rc1"));
        assert!(is_prerelease("1.0.dev3"));
        assert!(!is_prerelease("1.0.post1"));
        assert!(!is_prerelease("1.1.1g"));
    }

    proptest! {
        #[test]
        fn the_order_is_total(versions in prop::array::uniform3("[0-2](!?[0-9])?([._]?(a|b|rc|dev|post|[0-9])){0,3}(\\+[01])?")) {
            let [a, b, c] = &versions;
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
