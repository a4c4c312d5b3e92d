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
        if labels.iter().any(|label| has_leading_zero(label)) {
            return refuse("a number in its prerelease begins with 0");
        }
        Ok(Self { numbers, labels, has_build: build.is_some() })
    }

    /// The normal form in lower case, as it appears in URLs.
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

fn has_leading_zero(label: &str) -> bool {
    label.len() > 1 && label.starts_with('0') && label.bytes().all(|byte| byte.is_ascii_digit())
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

/// Compares two versions; texts that are not versions come before all versions.
pub fn compare(left: &str, right: &str) -> Ordering {
    match (NugetVersion::parse(left), NugetVersion::parse(right)) {
        (Ok(left), Ok(right)) => left.cmp(&right),
        (Ok(_), Err(_)) => Ordering::Greater,
        (Err(_), Ok(_)) => Ordering::Less,
        (Err(_), Err(_)) => left.cmp(right),
    }
}

#[cfg(test)]
#[path = "version_tests.rs"]
mod tests;
