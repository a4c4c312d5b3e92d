//! Versions: up to four numbers and the prerelease rules of SemVer 2, without regard to case.

use std::{cmp::Ordering, fmt};

use crate::readers::quoted;

/// The maximum length of a version.
const VERSION_BYTES: usize = 100;

/// A version. Two spellings of one version are equal: `1.0` and `1.0.0.0`, `1.0.0-A` and `1.0.0-a+build`.
#[derive(Debug, Clone)]
pub struct NugetVersion {
    numbers: [u32; 4],
    labels: Vec<String>,
    has_build: bool,
}

impl NugetVersion {
    /// Parses a version: one to four numbers, then `-label.label` and `+build`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let refuse = |reason: &str| Err(format!("version '{}' is not valid: {reason}", quoted(text)));
        if text.len() > VERSION_BYTES {
            return refuse("it is longer than 100 characters");
        }
        let (rest, build) = text.split_once('+').map_or((text, None), |(rest, build)| (rest, Some(build)));
        let (plain, prerelease) = rest.split_once('-').map_or((rest, None), |(plain, labels)| (plain, Some(labels)));
        let mut numbers = [0; 4];
        for (at, part) in plain.split('.').enumerate() {
            let Some(slot) = numbers.get_mut(at) else { return refuse("it has more than four numbers") };
            let Some(number) = number(part) else { return refuse("its parts are numbers up to 2147483647") };
            *slot = number;
        }
        let labels: Vec<String> = prerelease.iter().flat_map(|text| text.split('.')).map(str::to_owned).collect();
        let mut identifiers = labels.iter().map(String::as_str).chain(build.iter().flat_map(|text| text.split('.')));
        if !identifiers.all(is_identifier) {
            return refuse("prerelease and build hold words of letters, digits and '-'");
        }
        Ok(Self { numbers, labels, has_build: build.is_some() })
    }

    /// The normal form in lower case, as it stands in URLs.
    pub fn lower(&self) -> String {
        self.to_string().to_ascii_lowercase()
    }

    /// Returns whether the version is a prerelease.
    pub fn is_prerelease(&self) -> bool {
        !self.labels.is_empty()
    }

    /// Returns whether only clients that know SemVer 2 read it: several labels, or build metadata.
    pub fn is_semver2(&self) -> bool {
        self.labels.len() > 1 || self.has_build
    }
}

fn number(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse::<u32>().ok().filter(|number| is_number && i32::try_from(*number).is_ok())
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

impl fmt::Display for NugetVersion {
    /// Writes the normal form: at least three numbers, the fourth unless it is 0, labels, and no build metadata.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch, revision] = self.numbers;
        write!(f, "{major}.{minor}.{patch}")?;
        if revision > 0 {
            write!(f, ".{revision}")?;
        }
        if self.is_prerelease() {
            write!(f, "-{}", self.labels.join("."))?;
        }
        Ok(())
    }
}

impl Ord for NugetVersion {
    fn cmp(&self, other: &Self) -> Ordering {
        let labels = match (self.labels.is_empty(), other.labels.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) => compare_labels(&self.labels, &other.labels),
        };
        self.numbers.cmp(&other.numbers).then(labels)
    }
}

fn compare_labels(left: &[String], right: &[String]) -> Ordering {
    let pairs = left.iter().zip(right).map(|(left, right)| compare_label(left, right));
    pairs.into_iter().find(|order| order.is_ne()).unwrap_or_else(|| left.len().cmp(&right.len()))
}

/// Compares two labels. NuGet takes a label for a number if it fits 32 bits; a number is before a word.
fn compare_label(left: &str, right: &str) -> Ordering {
    match (left.parse::<i32>(), right.parse::<i32>()) {
        (Ok(left), Ok(right)) => left.cmp(&right),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => left.to_ascii_uppercase().cmp(&right.to_ascii_uppercase()),
    }
}

impl PartialOrd for NugetVersion {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for NugetVersion {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for NugetVersion {}

/// Compares two versions; texts that are no versions are before all versions.
pub fn compare(left: &str, right: &str) -> Ordering {
    match (NugetVersion::parse(left), NugetVersion::parse(right)) {
        (Ok(left), Ok(right)) => left.cmp(&right),
        (Ok(_), Err(_)) => Ordering::Greater,
        (Err(_), Ok(_)) => Ordering::Less,
        (Err(_), Err(_)) => left.cmp(right),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn version(text: &str) -> NugetVersion {
        NugetVersion::parse(text).expect(text)
    }

    #[test]
    fn versions_have_a_normal_form() {
        for (text, normal) in [
            ("1", "1.0.0"),
            ("1.0", "1.0.0"),
            ("01.002.3", "1.2.3"),
            ("1.2.3.0", "1.2.3"),
            ("1.2.3.4", "1.2.3.4"),
            ("1.0.0-Beta.1+git.5", "1.0.0-Beta.1"),
            ("1.0-a-b", "1.0.0-a-b"),
            ("2147483647.0.0", "2147483647.0.0"),
        ] {
            assert_eq!(version(text).to_string(), normal);
        }
        assert_eq!(version("1.0-RC.1").lower(), "1.0.0-rc.1");
        assert!(version("1.0-a.b").is_semver2() && version("1.0+a").is_semver2() && !version("1.0-a").is_semver2());
        for bad in
            ["", "1.0.0.0.0", "v1", "1..0", "1.0-", "1.0-a..b", "1.0+", "1.0-a_b", "-1", "2147483648", "1.a", " 1"]
        {
            assert!(NugetVersion::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn versions_have_their_order() {
        let rising = "0.9 1.0.0-1 1.0.0-2 1.0.0-10 1.0.0-99999999999 1.0.0-ALPHA 1.0.0-alpha.1 1.0.0-alpha.beta \
                      1.0.0-beta 1.0.0-rc.2 1.0.0-RC.10 1.0.0 1.0.0.1-a 1.0.0.1 1.0.1 1.2 1.10 2.0";
        let versions: Vec<&str> = rising.split_whitespace().collect();
        for (at, low) in versions.iter().enumerate() {
            for high in &versions[at + 1..] {
                assert_eq!(compare(low, high), Ordering::Less, "{low} < {high}");
                assert_eq!(compare(high, low), Ordering::Greater, "{high} > {low}");
            }
        }
        for (left, right) in [("1.0", "1.0.0.0"), ("1.0-A", "1.0.0-a"), ("1.0+x", "1.0+y"), ("1.0-01", "1.0-1")] {
            assert_eq!(version(left), version(right));
        }
        assert_eq!(compare("x", "0.0.1"), Ordering::Less);
    }

    proptest! {
        #[test]
        fn the_normal_form_is_the_same_version(text in "[0-9]{1,3}(\\.[0-9]{1,3}){0,3}(-[0-9a-zA-Z-]{1,4}(\\.[0-9a-c]{1,3}){0,2})?(\\+[a-z0-9]{1,3})?") {
            let version = version(&text);
            prop_assert_eq!(NugetVersion::parse(&version.to_string()).expect("valid"), version.clone());
            prop_assert_eq!(NugetVersion::parse(&version.lower()).expect("valid"), version);
        }

        #[test]
        fn the_order_is_total(texts in prop::collection::vec("[0-2]\\.[01](-[0-2ab](\\.[0-2a])?)?", 3)) {
            let [a, b, c] = [version(&texts[0]), version(&texts[1]), version(&texts[2])];
            prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
            prop_assert!(a > b || b > c || a <= c);
        }
    }
}
