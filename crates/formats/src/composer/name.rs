//! Names of packages: `vendor/name`.

use model::names::PackageName;
use serde::{Deserialize, Serialize};

use crate::readers::quoted;

/// The maximum length of a name.
const NAME_BYTES: usize = 150;

/// The name of a package.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ComposerName(String);

impl ComposerName {
    /// Parses `[a-z0-9]([_.-]?[a-z0-9]+)*/[a-z0-9](([_.]|-{1,2})?[a-z0-9]+)*`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let is_valid = text.len() <= NAME_BYTES
            && text.split_once('/').is_some_and(|(vendor, name)| {
                is_part(vendor, &["_", ".", "-"]) && is_part(name, &["_", ".", "-", "--"])
            });
        if is_valid {
            return Ok(Self(text.to_owned()));
        }
        Err(format!(
            "package name '{}' is not valid: it must be vendor/name in lower-case letters and digits, with single '.', \
             '_' or '-' between them",
            quoted(text)
        ))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The package: `acme/hello` is `acme:hello`.
    pub fn package(&self) -> Result<PackageName, String> {
        PackageName::parse(&self.0.replace('/', ":")).map_err(|error| error.to_string())
    }

    /// The name of a package, if it can be one.
    pub fn of_package(package: &PackageName) -> Option<Self> {
        Self::parse(&package.as_str().replacen(':', "/", 1)).ok()
    }
}

/// Returns whether a part consists of words with one of the separators between them.
fn is_part(part: &str, separators: &[&str]) -> bool {
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let mut rest = part;
    loop {
        let after = rest.trim_start_matches(is_word);
        if after.len() == rest.len() {
            return false;
        }
        if after.is_empty() {
            return true;
        }
        rest = after.trim_start_matches(|c| !is_word(c));
        if !separators.contains(&&after[..after.len() - rest.len()]) {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_have_a_vendor() {
        for good in ["acme/hello", "a/b", "a.b/c--d", "a_b-c/d_e.f", "0/1"] {
            assert!(ComposerName::parse(good).is_ok(), "{good}");
        }
        for bad in
            ["", "acme", "../x/y", "acme/", "/x", "a/b/c", "Acme/hello", "a--b/c", "a/b---c", "a/-b", "a/b-", "a/b c"]
        {
            assert!(ComposerName::parse(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn names_and_packages_map_both_ways(text in "[a-z0-9]{1,4}([._-][a-z0-9]{1,3}){0,2}/[a-z0-9]{1,4}(--[a-z]{1,3})?") {
            let name = ComposerName::parse(&text).expect("valid");
            prop_assert_eq!(ComposerName::of_package(&name.package().expect("a name")), Some(name));
        }
    }
}
