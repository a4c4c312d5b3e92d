//! The order of normal forms: that of PHP's `version_compare`.

use std::cmp::Ordering;

/// Compares two normal forms.
pub(super) fn version_compare(left: &str, right: &str) -> Ordering {
    let (left, right) = (runs(left), runs(right));
    let pairs = (0..left.len().max(right.len())).map(|at| match (left.get(at), right.get(at)) {
        (Some(left), Some(right)) => compare_runs(left, right),
        (Some(left), None) => compare_with_end(left),
        (None, Some(right)) => compare_with_end(right).reverse(),
        (None, None) => Ordering::Equal,
    });
    pairs.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// Splits a version into runs of digits and of other characters.
fn runs(text: &str) -> Vec<&str> {
    let mut runs = Vec::new();
    for part in text.split(['.', '-', '_', '+']).filter(|part| !part.is_empty()) {
        let mut rest = part;
        while let Some(first) = rest.chars().next() {
            let is_digit = first.is_ascii_digit();
            let length = rest.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(rest.len());
            let (run, after) = rest.split_at(length);
            runs.push(run);
            rest = after;
        }
    }
    runs
}

fn is_number(run: &str) -> bool {
    run.starts_with(|c: char| c.is_ascii_digit())
}

fn compare_runs(left: &str, right: &str) -> Ordering {
    if is_number(left) && is_number(right) {
        let (left, right) = (left.trim_start_matches('0'), right.trim_start_matches('0'));
        return left.len().cmp(&right.len()).then_with(|| left.cmp(right));
    }
    rank(left).cmp(&rank(right))
}

/// A release is before its numbers and patches, and after its prereleases.
fn compare_with_end(run: &str) -> Ordering {
    if is_number(run) { Ordering::Greater } else { rank(run).cmp(&NUMBER) }
}

/// The rank of a number among words.
const NUMBER: i8 = 4;

fn rank(run: &str) -> i8 {
    if is_number(run) {
        return NUMBER;
    }
    let words = [("dev", 0), ("a", 1), ("b", 2), ("RC", 3), ("rc", 3), ("#", NUMBER), ("p", 5)];
    words.into_iter().find(|(word, _)| run.starts_with(word)).map_or(-1, |(_, rank)| rank)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The pairs are those of PHP's documentation.
    #[test]
    fn words_have_ranks() {
        let rising = ["1.0x", "1.0dev", "1.0alpha", "1.0beta", "1.0RC1", "1.0", "1.0.1", "1.0pl1"];
        for (at, low) in rising.iter().enumerate() {
            for high in &rising[at + 1..] {
                assert_eq!(version_compare(low, high), Ordering::Less, "{low} {high}");
            }
        }
    }

    proptest! {
        #[test]
        fn the_order_is_total(texts in prop::collection::vec("[0-2](\\.[0-2]|-dev|-RC|pl|x){0,3}", 3)) {
            let (a, b, c) = (&texts[0], &texts[1], &texts[2]);
            prop_assert_eq!(version_compare(a, b), version_compare(b, a).reverse());
            let holds = version_compare(a, b).is_gt() || version_compare(b, c).is_gt() || version_compare(a, c).is_le();
            prop_assert!(holds, "{} {} {}", a, b, c);
        }
    }
}
