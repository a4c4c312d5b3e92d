//! The order of Maven versions, as in its `ComparableVersion` since 3.9.

use std::cmp::Ordering;

/// Sorts versions from the oldest to the newest. Equal versions, such as `1` and `1.0`, stay in their order.
///
/// Maven's order is circular for odd texts (`1-alpha` < `1` < `1.sp.1` < `1-alpha`). The standard library's sort may
/// panic on that, so each version is inserted at the position that a binary search finds.
pub(super) fn sorted<'a>(versions: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut sorted: Vec<(Version, &str)> = Vec::new();
    for text in versions {
        let version = Version::parse(text);
        let position = sorted.partition_point(|(earlier, _)| earlier.compare(&version).is_le());
        sorted.insert(position, (version, text));
    }
    sorted.into_iter().map(|(_, text)| text).collect()
}

/// Compares two versions.
pub(super) fn compare(left: &str, right: &str) -> Ordering {
    Version::parse(left).compare(&Version::parse(right))
}

/// Returns whether a version comes before the release that it begins with.
pub(super) fn is_prerelease(version: &str) -> bool {
    Version::parse(version).has_prerelease()
}

/// A version, parsed for comparison.
#[derive(Debug, PartialEq, Eq)]
struct Version(Vec<Item>);

#[derive(Debug, PartialEq, Eq)]
enum Item {
    /// Digits without leading zeros, of any length; zero has none.
    Number(String),
    Qualifier(Qualifier),
    /// The part after a `-`, or after a change between letters and digits. It is always the last item of its list.
    List(Vec<Item>),
}

/// The known qualifiers in order, followed by all others in alphabetical order.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Qualifier {
    Alpha,
    Beta,
    Milestone,
    Candidate,
    Snapshot,
    Release,
    ServicePack,
    Other(String),
}

fn has_prerelease(items: &[Item]) -> bool {
    items.iter().any(|item| match item {
        Item::Number(_) => false,
        Item::Qualifier(qualifier) => *qualifier < Qualifier::Release,
        Item::List(items) => has_prerelease(items),
    })
}

impl Version {
    fn has_prerelease(&self) -> bool {
        has_prerelease(&self.0)
    }

    fn parse(text: &str) -> Self {
        let text = text.to_lowercase();
        let mut lists = Lists(vec![Vec::new()]);
        let mut start = 0;
        let mut in_digits = false;
        for (at, character) in text.char_indices() {
            let word = &text[start..at];
            match character {
                '.' | '-' => {
                    lists.add(Item::parse(word));
                    start = at + 1;
                    if character == '-' {
                        lists.nest();
                    }
                }
                '0'..='9' => {
                    if !in_digits && !word.is_empty() {
                        lists.nest_after_something();
                        lists.add(Item::Qualifier(Qualifier::before_digits(word)));
                        lists.nest();
                        start = at;
                    }
                    in_digits = true;
                }
                _ => {
                    if in_digits && !word.is_empty() {
                        lists.add(Item::parse(word));
                        lists.nest();
                        start = at;
                    }
                    in_digits = false;
                }
            }
        }
        if start < text.len() {
            // `1.0.x` means the same as `1.0-x`.
            if !in_digits {
                lists.nest_after_something();
            }
            lists.add(Item::parse(&text[start..]));
        }
        Self(lists.joined())
    }

    fn compare(&self, other: &Self) -> Ordering {
        compare_lists(&self.0, &other.0)
    }
}

/// The open lists while a text is parsed: each becomes the last item of the one before.
struct Lists(Vec<Vec<Item>>);

impl Lists {
    fn add(&mut self, item: Item) {
        if let Some(list) = self.0.last_mut() {
            list.push(item);
        }
    }

    fn nest(&mut self) {
        self.0.push(Vec::new());
    }

    fn nest_after_something(&mut self) {
        if self.0.last().is_some_and(|list| !list.is_empty()) {
            self.nest();
        }
    }

    fn joined(self) -> Vec<Item> {
        let lists = self.0.into_iter().rev();
        let joined = lists.reduce(|inner, mut outer| {
            outer.push(Item::List(trimmed(inner)));
            outer
        });
        trimmed(joined.unwrap_or_default())
    }
}

/// Removes null items at the end of a list, and before a nested list at its end.
fn trimmed(mut list: Vec<Item>) -> Vec<Item> {
    let mut kept = list.len();
    while kept > 0 {
        kept -= 1;
        match &list[kept] {
            item if item.is_nothing() => drop(list.remove(kept)),
            Item::List(_) => {}
            _ => break,
        }
    }
    list
}

impl Item {
    /// Parses the word between two separators; an empty word is a zero.
    fn parse(word: &str) -> Self {
        if word.bytes().all(|digit| digit.is_ascii_digit()) {
            Item::Number(word.trim_start_matches('0').to_owned())
        } else {
            Item::Qualifier(Qualifier::parse(word))
        }
    }

    fn is_nothing(&self) -> bool {
        match self {
            Item::Number(digits) => digits.is_empty(),
            Item::Qualifier(qualifier) => *qualifier == Qualifier::Release,
            Item::List(items) => items.is_empty(),
        }
    }

    /// Compares the item with a missing one: `1-rc` is before `1`, `1-sp` and `1.1` are after it.
    fn compare_to_nothing(&self) -> Ordering {
        match self {
            Item::Number(digits) => digits.len().cmp(&0),
            Item::Qualifier(qualifier) => qualifier.cmp(&Qualifier::Release),
            Item::List(items) => {
                items.iter().map(Item::compare_to_nothing).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
            }
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Item::Number(left), Item::Number(right)) => left.len().cmp(&right.len()).then_with(|| left.cmp(right)),
            (Item::Qualifier(left), Item::Qualifier(right)) => left.cmp(right),
            (Item::List(left), Item::List(right)) => compare_lists(left, right),
            _ => self.kind().cmp(&other.kind()),
        }
    }

    fn kind(&self) -> u8 {
        match self {
            Item::Qualifier(_) => 0,
            Item::List(_) => 1,
            Item::Number(_) => 2,
        }
    }
}

impl Qualifier {
    fn parse(word: &str) -> Self {
        match word {
            "alpha" => Self::Alpha,
            "beta" => Self::Beta,
            "milestone" => Self::Milestone,
            "rc" | "cr" => Self::Candidate,
            "snapshot" => Self::Snapshot,
            "ga" | "final" | "release" => Self::Release,
            "sp" => Self::ServicePack,
            _ => Self::Other(word.to_owned()),
        }
    }

    /// Parses a word before digits, where a single letter may abbreviate a qualifier.
    fn before_digits(word: &str) -> Self {
        match word {
            "a" => Self::Alpha,
            "b" => Self::Beta,
            "m" => Self::Milestone,
            _ => Self::parse(word),
        }
    }
}

fn compare_lists(left: &[Item], right: &[Item]) -> Ordering {
    let length = left.len().max(right.len());
    let orders = (0..length).map(|at| match (left.get(at), right.get(at)) {
        (Some(left), Some(right)) => left.compare(right),
        (Some(left), None) => left.compare_to_nothing(),
        (None, Some(right)) => right.compare_to_nothing().reverse(),
        (None, None) => Ordering::Equal,
    });
    orders.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn compare(left: &str, right: &str) -> Ordering {
        Version::parse(left).compare(&Version::parse(right))
    }

    /// Asserts that each version is before every later one.
    fn assert_rising(versions: &str) {
        let versions: Vec<&str> = versions.split(' ').collect();
        for (at, low) in versions.iter().enumerate() {
            for high in &versions[at + 1..] {
                assert_eq!(compare(low, high), Ordering::Less, "{low} < {high}");
                assert_eq!(compare(high, low), Ordering::Greater, "{high} > {low}");
            }
        }
    }

    fn assert_equal(versions: &str) {
        for left in versions.split(' ') {
            for right in versions.split(' ') {
                assert_eq!(compare(left, right), Ordering::Equal, "{left} = {right}");
            }
        }
    }

    #[test]
    fn qualifiers_have_their_order() {
        assert_rising("1-alpha 1-beta 1-milestone 1-rc 1-snapshot 1 1-sp 1-abc 1-def 1-1");
        assert_rising("1-alpha9 1-beta-2 1-m3 1-cr1 1-SNAPSHOT 1-ga 1-sp 1-sp2 1-pom-1 1-2");
        assert_rising("1-rc 1-rc2 1-cr-10 1-rc123 1.final 1-sp1 1-sp-10");
    }

    #[test]
    fn numbers_behind_qualifiers_are_numbers() {
        assert_rising("1-alpha2snapshot 1-alpha2 1-alpha-11 1-alpha123 1-beta1");
        assert_rising("1-1-snapshot 1-1 1-2 1-11 1-123 1.1");
        assert_rising("11.a2 11.a11 11.b2 11.b11 11.m2 11.m11 11");
    }

    #[test]
    fn a_dot_weighs_more_than_a_hyphen_and_a_letter_less() {
        assert_rising("2.0 2.0.a 2-1 2.0.2 2.0.123 2.1.0");
        assert_rising("2.1 2.1-a 2.1b 2.1-c 2.1-1 2.1.0.1 2.2 2.123");
        assert_rising("11 11.a 11b 11c 11m 11-1");
    }

    #[test]
    fn common_histories_have_their_order() {
        assert_rising("1.0-alpha-1-SNAPSHOT 1.0-alpha-1 1.0-alpha-2 1.0-beta-1 1.0-SNAPSHOT 1.0 1.0-1");
        assert_rising("2.0-1 2.0.1 2.0.1-klm 2.0.1-lmn 2.0.1-xyz 2.0.1-123 2.1 2.9 2.10");
        assert_rising("1.0.0.RC1 1.0.0-RC2 1.0.0.RELEASE 1.0.1.Final 1.1.0.M1 1.1.0");
    }

    #[test]
    fn what_says_nothing_makes_no_difference() {
        assert_equal("1 1.0 1.0.0 1-0 1.0-0 1ga 1-GA 1.Final 1RELEASE 01 1. 1-");
        assert_equal("1x 1-x 1.0-x 1.0.0-x 1.0x 1.0.0X 1.0.x");
        assert_equal("0 00 0.0 final 0000000000000000000000");
        assert_eq!(compare("", "0"), Ordering::Equal);
    }

    #[test]
    fn short_and_long_names_of_qualifiers_are_equal() {
        assert_equal("1a1 1-alpha-1 1.alpha1 1A1");
        assert_equal("1b2 1-beta-2");
        assert_equal("1m3 1-milestone-3 1MileStone3");
        assert_equal("1cr 1rc 1-Cr");
        assert_eq!(compare("1a", "1-alpha"), Ordering::Greater);
    }

    #[test]
    fn numbers_have_any_length() {
        assert_rising("20190126.230843 1234567890.12345 123456789012345.1H.5-beta 12345678901234567890.1H.5-beta");
        assert_equal("1 0000000000000000000000000001");
    }

    #[test]
    fn odd_texts_are_ordered_too() {
        assert_rising("6.1.0rc3 6.1.0 6.1H.5-beta");
        assert_rising("1-0.alpha 1-0.beta 1");
    }

    #[test]
    fn sorting_goes_from_old_to_new() {
        let versions = ["1.10", "1.9", "2.0-SNAPSHOT", "1.9-rc1", "2.0", "1.0.0", "1.0"];
        assert_eq!(sorted(versions), ["1.0.0", "1.0", "1.9-rc1", "1.9", "1.10", "2.0-SNAPSHOT", "2.0"]);
    }

    #[test]
    fn a_circle_of_versions_can_be_sorted() {
        assert_rising("1-alpha 1");
        assert_rising("1 1.sp.1");
        assert_rising("1.sp.1 1-alpha");
        let versions = ["1-alpha", "1", "1.sp.1"].repeat(40);
        assert_eq!(sorted(versions.iter().copied()).len(), 120);
    }

    proptest! {
        #[test]
        fn the_two_directions_agree(left in "[0-9a-cm.-]{0,12}", right in "[0-9a-cm.-]{0,12}") {
            prop_assert_eq!(compare(&left, &right), compare(&right, &left).reverse());
        }

        #[test]
        fn letter_case_makes_no_difference(version in "[0-9a-zA-Z.-]{0,12}") {
            assert_equal(&[version.as_str(), &version.to_lowercase(), &version.to_uppercase()].join(" "));
        }

        #[test]
        fn plain_numbers_compare_as_numbers(left: [u16; 3], right: [u16; 3]) {
            let text = |numbers: [u16; 3]| numbers.map(|number| number.to_string()).join(".");
            prop_assert_eq!(compare(&text(left), &text(right)), left.cmp(&right));
        }

        #[test]
        fn any_texts_can_be_sorted(versions in prop::collection::vec("\\PC{0,12}", 0..40)) {
            prop_assert_eq!(sorted(versions.iter().map(String::as_str)).len(), versions.len());
        }
    }
}
