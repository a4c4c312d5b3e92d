//! Versions with their normal form and stability.

use std::cmp::Ordering;

use model::names::VersionName;

use super::{modifier::Modifier, normalize::normalize, order::version_compare};
use crate::readers::quoted;

/// The maximum length of a version.
const VERSION_BYTES: usize = 150;

/// How stable a version is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stability {
    /// A branch, or a version that ends with `-dev`.
    Dev,
    /// An alpha version.
    Alpha,
    /// A beta version.
    Beta,
    /// A release candidate.
    Candidate,
    /// A release.
    Stable,
}

impl Stability {
    /// The word that Composer uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dev => "dev",
            Self::Alpha => "alpha",
            Self::Beta => "beta",
            Self::Candidate => "RC",
            Self::Stable => "stable",
        }
    }
}

/// A version. Two spellings with the same normal form are the same version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComposerVersion {
    text: String,
    normalized: String,
}

impl ComposerVersion {
    /// Parses a version: numbers, a date, or a branch.
    pub fn parse(text: &str) -> Result<Self, String> {
        let invalid = || format!("version '{}' is not valid", quoted(text));
        if text.len() > VERSION_BYTES || text.trim() != text || text.chars().any(char::is_control) {
            return Err(invalid());
        }
        Ok(Self { text: text.to_owned(), normalized: normalize(text).ok_or_else(invalid)? })
    }

    /// The version as it is written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The normal form: `1.0.0.0-beta2`, or `dev-main`.
    pub fn normalized(&self) -> &str {
        &self.normalized
    }

    /// Returns whether the version is a branch without numbers.
    pub fn is_branch(&self) -> bool {
        self.normalized.starts_with("dev-")
    }

    /// The stability.
    pub fn stability(&self) -> Stability {
        if self.is_branch() || self.normalized.ends_with("-dev") {
            return Stability::Dev;
        }
        let modifier = self.normalized.find('-').and_then(|at| Modifier::parse(&self.normalized[at..]));
        match modifier.map(Modifier::stability_word).unwrap_or_default().as_str() {
            "alpha" => Stability::Alpha,
            "beta" => Stability::Beta,
            "RC" => Stability::Candidate,
            _ => Stability::Stable,
        }
    }

    /// Returns whether the version is not a release.
    pub fn is_prerelease(&self) -> bool {
        self.stability() < Stability::Stable
    }

    /// The name of our version; `/` in a branch becomes `:`.
    pub fn version_name(&self) -> Result<VersionName, String> {
        VersionName::parse(&self.text.replace('/', ":")).map_err(|error| error.to_string())
    }

    /// The version of one of ours, if it can be one.
    pub fn of_version_name(name: &VersionName) -> Option<Self> {
        Self::parse(&name.as_str().replace(':', "/")).ok()
    }

    /// Compares the normal forms. Branches without numbers are before all others, by name.
    pub fn order(&self, other: &Self) -> Ordering {
        match (self.is_branch(), other.is_branch()) {
            (false, false) => version_compare(&self.normalized, &other.normalized),
            (true, true) => self.normalized.cmp(&other.normalized),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

/// Compares two versions; texts that are not versions come before all versions.
pub fn compare(left: &str, right: &str) -> Ordering {
    match (ComposerVersion::parse(left), ComposerVersion::parse(right)) {
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
    fn versions_are_those_of_composer() {
        let check = |version: &ComposerVersion, text: &str, columns: &[&str]| {
            assert_eq!((version.normalized(), version.stability().name()), (columns[0], columns[1]), "{text}");
        };
        let file = include_str!("../../oracles/composer-versions.tsv");
        crate::oracle::assert_order(file, |text| ComposerVersion::parse(text).ok(), ComposerVersion::order, check);
    }

    #[test]
    fn branches_map_to_versions() {
        let branch = ComposerVersion::parse("dev-feature/x").expect("a branch");
        let name = branch.version_name().expect("a name");
        assert_eq!(name.as_str(), "dev-feature:x");
        assert_eq!(ComposerVersion::of_version_name(&name), Some(branch));
        assert!(ComposerVersion::parse("dev-a#b").expect("a branch").version_name().is_err());
    }

    #[test]
    fn other_versions_are_refused() {
        for bad in ["", "latest", "1.0\n", " 1.0", "^1.0", "1.0 as 2.0", "dev-\u{2}", "../1.0", &"1".repeat(200)] {
            assert!(ComposerVersion::parse(bad).is_err(), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn the_normal_form_is_normal(text in "v?[0-9]{1,3}(\\.[0-9]{1,2}){0,3}(-(beta|RC|alpha|p)[0-9]?)?(-dev)?") {
            let version = ComposerVersion::parse(&text).expect("valid");
            let again = ComposerVersion::parse(version.normalized()).expect("valid");
            prop_assert_eq!(again.normalized(), version.normalized());
        }

        #[test]
        fn any_text_is_parsed_or_refused(text in "\\PC{0,16}") {
            let _ = ComposerVersion::parse(&text);
        }
    }
}
