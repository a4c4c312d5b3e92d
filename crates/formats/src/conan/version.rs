//! The order of versions: that of Conan, made total.

use std::cmp::Ordering;

/// A parsed version. Any text is one.
#[derive(Debug, Clone)]
pub struct ConanVersion<'a> {
    items: Vec<Item<'a>>,
    prerelease: Option<Vec<Item<'a>>>,
    build: Option<Vec<Item<'a>>>,
}

/// A part between dots. Numbers are before texts.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Item<'a> {
    /// Digits without leading zeros.
    Number(&'a str),
    /// Any other text.
    Text(&'a str),
}

impl<'a> ConanVersion<'a> {
    /// Parses a version: items, `-prerelease` and `+build`. A user and channel (`@user:channel`) do not count.
    pub fn parse(text: &'a str) -> Self {
        let text = text.split('@').next().unwrap_or_default();
        let (text, build) = text.rsplit_once('+').map_or((text, None), |(text, build)| (text, Some(items(build))));
        let (text, prerelease) = text.split_once('-').map_or((text, None), |(text, rest)| (text, Some(items(rest))));
        Self { items: items(text), prerelease, build }
    }

    /// Returns whether the version is a prerelease.
    pub fn is_prerelease(&self) -> bool {
        self.prerelease.is_some()
    }

    /// Compares two versions. A prerelease is before its release; a build is after the same version without one.
    pub fn order(&self, other: &Self) -> Ordering {
        let prerelease = match (&self.prerelease, &other.prerelease) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(left), Some(right)) => compare_items(left, right),
        };
        let build = match (&self.build, &other.build) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(left), Some(right)) => compare_items(left, right),
        };
        compare_items(&self.items, &other.items).then(prerelease).then(build)
    }
}

/// Splits at dots; zeros at the end do not count.
fn items(text: &str) -> Vec<Item<'_>> {
    let item = |part: &'_ str| -> bool { !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) };
    let mut items = Vec::new();
    for part in text.split('.') {
        items.push(if item(part) { Item::Number(part.trim_start_matches('0')) } else { Item::Text(part) });
    }
    while items.last() == Some(&Item::Number("")) {
        items.pop();
    }
    items
}

fn compare_items(left: &[Item<'_>], right: &[Item<'_>]) -> Ordering {
    let compare = |(left, right): (&Item<'_>, &Item<'_>)| match (left, right) {
        (Item::Number(left), Item::Number(right)) => left.len().cmp(&right.len()).then_with(|| left.cmp(right)),
        (Item::Number(_), Item::Text(_)) => Ordering::Less,
        (Item::Text(_), Item::Number(_)) => Ordering::Greater,
        (Item::Text(left), Item::Text(right)) => left.cmp(right),
    };
    let mut pairs = left.iter().zip(right).map(compare);
    pairs.find(|order| order.is_ne()).unwrap_or_else(|| left.len().cmp(&right.len()))
}

/// Compares two versions.
pub fn compare(left: &str, right: &str) -> Ordering {
    ConanVersion::parse(left).order(&ConanVersion::parse(right))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn versions_are_those_of_conan() {
        crate::oracle::assert_order(
            include_str!("../../oracles/conan-versions.tsv"),
            |text| Some(text.to_owned()),
            |left, right| compare(left, right),
            |_, text, columns| assert_eq!(ConanVersion::parse(text).is_prerelease(), columns[0] == "1", "{text}"),
        );
    }

    #[test]
    fn users_and_channels_do_not_count() {
        assert_eq!(compare("1.0@acme:stable", "1.0"), Ordering::Equal);
    }

    proptest! {
        #[test]
        fn the_order_is_total(texts in prop::collection::vec("[0-2ab]{1,2}(\\.[0-2a]){0,2}(-[0-2a])?(\\+[0-2a])?", 3)) {
            let (a, b, c) = (&texts[0], &texts[1], &texts[2]);
            prop_assert_eq!(compare(a, b), compare(b, a).reverse());
            prop_assert!(compare(a, b).is_gt() || compare(b, c).is_gt() || compare(a, c).is_le());
        }
    }
}
