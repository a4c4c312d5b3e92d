//! Names of projects.

use std::fmt;

use model::names::PackageName;

use crate::readers::quoted;

/// Names that are part of the paths of a repository.
const RESERVED: &[&str] = &["simple"];

/// A valid name of a project, as it is spelled and in its normal form. Names are equal if their normal forms are.
#[derive(Debug, Clone)]
pub struct ProjectName {
    spelled: String,
    normalized: String,
}

impl ProjectName {
    /// Checks a name by the grammar of core metadata, and by the rules for names of packages.
    pub fn parse(text: &str) -> Result<Self, String> {
        let refused = |reason: &str| format!("project name '{}' is not valid: {reason}", quoted(text));
        let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        let is_edge = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        if !text.bytes().all(is_inner) {
            return Err(refused("it may hold letters, digits, '.', '_' and '-' only"));
        }
        if !is_edge(text.as_bytes().first()) || !is_edge(text.as_bytes().last()) {
            return Err(refused("it must begin and end with a letter or a digit"));
        }
        let normalized = normalize(text);
        if RESERVED.contains(&normalized.as_str()) {
            return Err(refused("it is reserved"));
        }
        PackageName::parse(&normalized).map_err(|error| refused(error.reason))?;
        Ok(Self { spelled: text.to_owned(), normalized })
    }

    /// The name as it was spelled.
    pub fn spelled(&self) -> &str {
        &self.spelled
    }

    /// The normal form, which is the name of the package.
    pub fn normalized(&self) -> &str {
        &self.normalized
    }
}

impl PartialEq for ProjectName {
    fn eq(&self, other: &Self) -> bool {
        self.normalized == other.normalized
    }
}

impl Eq for ProjectName {}

impl fmt::Display for ProjectName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.normalized)
    }
}

/// Returns the normal form of a name (PEP 503): lower case, and one `-` for each run of `-`, `_` and `.`.
pub fn normalize(text: &str) -> String {
    let mut normalized = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '-' | '_' | '.' if normalized.ends_with('-') => {}
            '-' | '_' | '.' => normalized.push('-'),
            other => normalized.push(other.to_ascii_lowercase()),
        }
    }
    normalized
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spellings_are_one_name() {
        let name = ProjectName::parse("Hello.-_Pkg").expect("valid");
        assert_eq!((name.spelled(), name.normalized()), ("Hello.-_Pkg", "hello-pkg"));
        assert_eq!(name, ProjectName::parse("hello_pkg").expect("valid"));
    }

    #[test]
    fn other_texts_are_refused() {
        let long = "x".repeat(201);
        for bad in ["", "-a", "a-", ".", "..", "a/b", "a%2Fb", "a b", "ä", "a\n", "simple", "Simple", &long] {
            assert!(ProjectName::parse(bad).is_err(), "{bad}");
        }
        let reason = "project name 'a/b' is not valid: it may hold letters, digits, '.', '_' and '-' only";
        assert_eq!(ProjectName::parse("a/b"), Err(reason.to_owned()));
    }

    proptest! {
        #[test]
        fn normal_forms_are_stable(text in "[A-Za-z0-9]([A-Za-z0-9._-]{0,20}[A-Za-z0-9])?") {
            let normalized = normalize(&text);
            prop_assert_eq!(normalize(&normalized), normalized.clone());
            prop_assert_eq!(normalize(&text.to_uppercase()), normalized.clone());
            prop_assert!(!normalized.contains("--") && !normalized.contains(['_', '.']));
            prop_assert!(text == "simple" || ProjectName::parse(&text).is_ok());
        }
    }
}
