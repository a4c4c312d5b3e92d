//! Versions as node's `semver` reads them.

use std::cmp::Ordering;

use model::names::VersionName;
use semver::Version;

use crate::readers::quoted;

/// The largest number that JavaScript represents exactly.
const LARGEST: u64 = (1 << 53) - 1;

/// Parses a version after cutting blanks, `v` and `=` at its start.
pub fn parse(text: &str) -> Result<Version, String> {
    let refused = |reason: &str| format!("version '{}' is not valid: {reason}", quoted(text));
    let clean = text.trim().trim_start_matches(['=', 'v']).trim_start();
    let clean = clean.strip_prefix('v').unwrap_or(clean);
    let version = Version::parse(clean).map_err(|error| refused(&error.to_string()))?;
    if version.major.max(version.minor).max(version.patch) > LARGEST {
        return Err(refused("a number in it is too large"));
    }
    VersionName::parse(clean).map_err(|error| refused(error.reason))?;
    Ok(version)
}

/// The form that is unique for a package: without build metadata.
pub fn unique(version: &Version) -> String {
    crate::cargo::version::unique(version)
}

/// Orders versions by precedence. Texts that are not versions come first, by their characters; so do versions of the
/// same precedence among themselves.
pub fn compare(left: &str, right: &str) -> Ordering {
    crate::cargo::version::compare(left, right)
}

/// The highest version for the tag `latest`: releases come before prereleases.
pub fn highest<'a>(versions: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let is_release = |text: &str| Version::parse(text).is_ok_and(|version| version.pre.is_empty());
    versions
        .into_iter()
        .max_by(|left, right| is_release(left).cmp(&is_release(right)).then_with(|| compare(left, right)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_cut() {
        for text in ["1.2.3", "v1.2.3", "=1.2.3", " =v1.2.3 ", "= v1.2.3"] {
            assert_eq!(parse(text).map(|version| version.to_string()), Ok("1.2.3".to_owned()), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let long = format!("1.0.0-{}", "a".repeat(300));
        for bad in [
            "",
            "1",
            "1.0",
            "1.0.x",
            "__proto__",
            "constructor",
            "1.0.0/..",
            "01.0.0",
            "9007199254740992.0.0",
            "latest",
            &long,
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_highest_is_a_release_if_there_is_one() {
        assert_eq!(highest(["1.2.0", "1.10.0", "2.0.0-rc.1"]), Some("1.10.0"));
        assert_eq!(highest(["2.0.0-rc.1", "2.0.0-rc.2"]), Some("2.0.0-rc.2"));
        assert_eq!(highest([]), None);
    }
}
