//! Compares with node's `semver` and `validate-npm-package-name`: `oracles/npm.js` writes their answers to
//! `oracles/npm-*.tsv`.

use std::cmp::Ordering;

use super::{name::NpmName, tag, version};

/// Versions in ascending order: a sign that compares with the line before, a spelling, and its clean form.
const VERSIONS: &str = include_str!("../../oracles/npm-versions.tsv");

/// Names with 1 if they are valid.
const NAMES: &str = include_str!("../../oracles/npm-names.tsv");

/// Tags with 1 if they are not a range of versions.
const TAGS: &str = include_str!("../../oracles/npm-tags.tsv");

#[test]
fn versions_are_those_of_node() {
    let mut sorted: Vec<(semver::Version, usize)> = Vec::new();
    let mut invalid = 0;
    for line in VERSIONS.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [sign, spelling, clean] = fields[..] else { panic!("{line}") };
        if sign == "!" {
            assert!(version::parse(spelling).is_err(), "{spelling}");
            invalid += 1;
            continue;
        }
        let parsed = version::parse(spelling).expect(spelling);
        assert_eq!(version::unique(&parsed), clean, "{spelling}");
        let class = sorted.last().map_or(0, |(_, class)| class + usize::from(sign == "<"));
        sorted.push((parsed, class));
    }
    assert!(sorted.len() > 1_000 && invalid > 100);
    for (index, (left, left_class)) in sorted.iter().enumerate() {
        // Every pair would take seconds; these are some thousand, near and far.
        for (right, right_class) in sorted[index..].iter().take(8).chain(sorted[index..].iter().step_by(97)) {
            assert_eq!(left.cmp_precedence(right), left_class.cmp(right_class), "{left} {right}");
            if left_class != right_class {
                assert_eq!(
                    version::compare(&right.to_string(), &left.to_string()),
                    Ordering::Greater,
                    "{left} {right}"
                );
            }
        }
    }
}

#[test]
fn names_are_those_of_node() {
    for line in NAMES.lines() {
        let (name, is_valid) = line.split_once('\t').expect("two fields");
        // npm takes more scopes and scoped names than its own documentation allows.
        let is_odd = |part: &str| part.starts_with(['.', '_', '-']) || part.contains(['!', '\'', '(', '*']);
        let is_reserved = |part: &str| matches!(part, "node_modules" | "favicon.ico");
        let is_stricter = name.starts_with('@') && name[1..].split('/').any(|part| is_odd(part) || is_reserved(part));
        match is_valid {
            "1" if is_stricter => {}
            _ => assert_eq!(NpmName::parse(name).is_ok(), is_valid == "1", "{name}"),
        }
    }
}

#[test]
fn tags_are_no_ranges() {
    for line in TAGS.lines() {
        let (tag, is_valid) = line.split_once('\t').expect("two fields");
        // Tags that begin like a version are refused even if they are none.
        let is_stricter = tag.trim_start_matches(['v', 'V']).starts_with(|c: char| c.is_ascii_digit()) || tag == "v";
        assert_eq!(tag::check(tag).is_ok(), is_valid == "1" && !is_stricter, "{tag}");
    }
}
