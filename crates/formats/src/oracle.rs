//! Compares version orders with files that an ecosystem's own tool wrote (`oracles/`).

use std::{cmp::Ordering, fmt::Debug};

/// Checks a file of versions in ascending order. Each line has a sign that compares it with the line before (`<` or
/// `=`), or `!` for a text that is not a version, then the text and further columns for `check`.
pub(crate) fn assert_order<T: Debug>(
    file: &str,
    parse: impl Fn(&str) -> Option<T>,
    compare: impl Fn(&T, &T) -> Ordering,
    check: impl Fn(&T, &str, &[&str]),
) {
    let mut sorted: Vec<(T, usize)> = Vec::new();
    for line in file.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let (sign, text) = (fields[0], fields[1]);
        let version = parse(text);
        if sign == "!" {
            assert!(version.is_none(), "{text} is no version: {version:?}");
            continue;
        }
        let version = version.unwrap_or_else(|| panic!("{text} is a version"));
        check(&version, text, &fields[2..]);
        let class = sorted.last().map_or(0, |(_, class)| class + usize::from(sign == "<"));
        sorted.push((version, class));
    }
    assert!(sorted.len() > 500, "only {} versions", sorted.len());
    for (at, (left, left_class)) in sorted.iter().enumerate() {
        // Neighbours and distant ones: some ten thousand pairs.
        for (right, right_class) in sorted[at..].iter().take(8).chain(sorted[at..].iter().step_by(97)) {
            assert_eq!(compare(left, right), left_class.cmp(right_class), "{left:?} {right:?}");
            assert_eq!(compare(right, left), right_class.cmp(left_class), "{right:?} {left:?}");
        }
    }
}
