//! The names of subjects, repositories, packages, versions and licences. Values of these types are always valid.

use std::fmt;

use crate::unicode::{alike, composed, decomposed, is_hidden};

/// A name that is not valid for its kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} name '{name}' is not valid: {reason}")]
pub struct InvalidName {
    /// The kind of thing that has the name.
    pub what: &'static str,
    /// The name as it was given, truncated if very long.
    pub name: String,
    /// The rule that it breaks.
    pub reason: &'static str,
}

/// Names of subjects that would collide with a page or another route of the server.
const RESERVED_SUBJECTS: &[&str] = &[
    "about",
    "account",
    "admin",
    "api",
    "assets",
    "dl",
    "docs",
    "eula",
    "favicon.ico",
    "health",
    "help",
    "livez",
    "login",
    "logout",
    "metrics",
    "new",
    "readyz",
    "robots.txt",
    "search",
    "settings",
    "signup",
    "static",
    "v1",
    "v2",
];

/// The version name that means "the newest one" in paths.
pub const LATEST: &str = "_latest";

/// Maximum length of a subject's or a repository's name in characters.
const SHORT_NAME_CHARACTERS: usize = 100;

/// Maximum length of a package's or a version's name in bytes.
const LONG_NAME_BYTES: usize = 200;

macro_rules! name {
    ($(#[$meta:meta])* $type:ident, $what:literal, $rule:path) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $type(String);

        impl $type {
            /// Validates the text by the rules for this kind of name, and normalizes its characters.
            pub fn parse(text: &str) -> Result<Self, InvalidName> {
                Self::stored(&composed(text))
            }

            /// Validates the name of something new, which may not contain invisible characters either.
            pub fn parse_new(text: &str) -> Result<Self, InvalidName> {
                let name = Self::parse(text)?;
                if text.chars().any(is_hidden) {
                    return Err(Self::invalid(text, "it holds an invisible character"));
                }
                Ok(name)
            }

            /// Validates a stored name, without normalizing it.
            pub fn stored(text: &str) -> Result<Self, InvalidName> {
                match $rule(text) {
                    Ok(()) => Ok(Self(text.to_owned())),
                    Err(reason) => Err(Self::invalid(text, reason)),
                }
            }

            fn invalid(text: &str, reason: &'static str) -> InvalidName {
                InvalidName { what: $what, name: text.chars().take(220).collect(), reason }
            }

            /// The same name in the other Unicode normalization form, which names from before normalization may have.
            pub fn other_form(&self) -> Option<Self> {
                decomposed(&self.0).map(Self)
            }

            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The form that must be unique within a parent: the name without differences of letter case or Unicode
            /// form.
            pub fn folded(&self) -> String {
                alike(&self.0)
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }
    };
}

name!(
    /// The name of a user or an organization.
    SubjectName, "subject", subject_rule
);
name!(
    /// The name of a repository.
    RepoName, "repository", short_rule
);
name!(
    /// The name of a package.
    PackageName, "package", long_rule
);
name!(
    /// The name of a version.
    VersionName, "version", version_rule
);
name!(
    /// The name of a licence that a subject defines itself.
    LicenseName, "license", long_rule
);

name!(
    /// The name of a team of an organization.
    TeamName, "team", short_rule
);
name!(
    /// The name of an access key.
    AccessKeyName, "access key", short_rule
);
name!(
    /// The name of a product.
    ProductName, "product", short_rule
);
name!(
    /// The name of a EULA.
    EulaName, "EULA", long_rule
);

impl SubjectName {
    /// Returns whether this name is reserved, so that new subjects cannot have it.
    pub fn is_reserved(&self) -> bool {
        RESERVED_SUBJECTS.contains(&self.folded().as_str())
    }
}

fn subject_rule(text: &str) -> Result<(), &'static str> {
    short_rule(text)
}

fn short_rule(text: &str) -> Result<(), &'static str> {
    let mut characters = text.chars();
    match characters.next() {
        None => return Err("it is empty"),
        Some(first) if !first.is_ascii_alphanumeric() => return Err("it must begin with a letter or a digit"),
        Some(_) => {}
    }
    if !characters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')) {
        return Err("it may hold letters, digits, '.', '_' and '-' only");
    }
    if text.len() > SHORT_NAME_CHARACTERS {
        return Err("it is longer than 100 characters");
    }
    Ok(())
}

fn version_rule(text: &str) -> Result<(), &'static str> {
    if text == LATEST {
        return Err("it is reserved");
    }
    long_rule(text)
}

fn long_rule(text: &str) -> Result<(), &'static str> {
    if text.is_empty() {
        return Err("it is empty");
    }
    if text.len() > LONG_NAME_BYTES {
        return Err("it is longer than 200 bytes");
    }
    if matches!(text, "." | "..") {
        return Err("it is a relative path");
    }
    if text.trim() != text {
        return Err("it begins or ends with a blank");
    }
    if text.chars().any(|c| matches!(c, '/' | '\\' | ';' | '?' | '#' | '%')) {
        return Err("it holds one of / \\ ; ? # %");
    }
    if text.chars().any(is_unprintable) {
        return Err("it holds an unprintable character");
    }
    Ok(())
}

/// Returns whether a character could make two names look alike or break a line: control characters and invisible
/// characters of Unicode.
pub(crate) fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        || matches!(c, '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_follow_the_pattern() {
        for good in ["a", "A9._-", "0", &"x".repeat(100)] {
            assert!(RepoName::parse(good).is_ok(), "{good}");
        }
        for bad in ["", ".a", "-a", "_a", "a b", "a/b", "é", "a%41", "a\0", &"x".repeat(101)] {
            assert!(RepoName::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn long_names_hold_printable_text() {
        for good in ["a:b", "1.0+build~2", "@scope", "two words", "ünï", &"x".repeat(200)] {
            assert!(PackageName::parse(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            ".",
            "..",
            " a",
            "a ",
            "a/b",
            "a\\b",
            "a;b",
            "a?b",
            "a#b",
            "a%b",
            "a\nb",
            "a\u{200b}b",
            &"é".repeat(101),
        ] {
            assert!(PackageName::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_latest_version_is_a_reserved_name() {
        assert!(VersionName::parse("_latest").is_err());
        assert!(VersionName::parse("latest").is_ok());
    }

    #[test]
    fn subjects_do_not_shadow_the_servers_own_pages() {
        assert!(SubjectName::parse("API").expect("well formed").is_reserved());
        assert!(!SubjectName::parse("acme").expect("well formed").is_reserved());
    }

    #[test]
    fn an_error_names_the_thing_and_the_rule() {
        let error = RepoName::parse("a b").expect_err("a blank is not allowed");
        assert_eq!(
            error.to_string(),
            "repository name 'a b' is not valid: it may hold letters, digits, '.', '_' and '-' only"
        );
    }

    #[test]
    fn both_forms_of_a_name_are_one() {
        let (together, apart) = (PackageName::parse("gr\u{fc}n").unwrap(), PackageName::parse("gru\u{308}n").unwrap());
        assert_eq!(together, apart);
        assert_eq!(together.other_form().map(|name| name.to_string()), Some("gru\u{308}n".to_owned()));
        assert_eq!(PackageName::stored("gru\u{308}n").unwrap().as_str(), "gru\u{308}n");
        assert_eq!(PackageName::parse("cat").unwrap().other_form(), None);
        // Characters that grow when composed are measured after composition.
        assert!(PackageName::parse(&"u\u{308}".repeat(100)).is_ok());
    }

    #[test]
    fn new_names_hold_nothing_invisible() {
        for hidden in ["a\u{202e}b", "a\u{34f}b", "a\u{fe0f}", "\u{3164}", "a\u{61c}", "a\u{2066}b"] {
            assert!(PackageName::parse_new(hidden).is_err() && VersionName::parse_new(hidden).is_err(), "{hidden:?}");
        }
        assert!(PackageName::parse("a\u{fe0f}").is_ok(), "what is there already is still found");
        assert!(VersionName::parse_new("1.0-größer").is_ok());
    }
}
