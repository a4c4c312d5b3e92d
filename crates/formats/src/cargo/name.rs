//! Names of crates.

use std::fmt;

use crate::readers::quoted;

/// The maximum length of a name.
const NAME_BYTES: usize = 64;

/// Names of Rust's own crates, and of devices that no file on Windows may have.
const RESERVED: &[&str] = &[
    "alloc",
    "core",
    "proc_macro",
    "std",
    "test",
    "aux",
    "con",
    "nul",
    "prn",
    "com0",
    "com1",
    "com2",
    "com3",
    "com4",
    "com5",
    "com6",
    "com7",
    "com8",
    "com9",
    "lpt0",
    "lpt1",
    "lpt2",
    "lpt3",
    "lpt4",
    "lpt5",
    "lpt6",
    "lpt7",
    "lpt8",
    "lpt9",
];

/// A valid name of a crate, as it is spelled.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CrateName(String);

impl CrateName {
    /// Checks the name of a crate to publish.
    pub fn parse(text: &str) -> Result<Self, String> {
        let refused = |reason: &str| format!("crate name '{}' is not valid: {reason}", quoted(text));
        check_characters(text).map_err(refused)?;
        let name = Self(text.to_owned());
        if RESERVED.contains(&name.canonical().as_str()) {
            return Err(refused("it is reserved"));
        }
        Ok(name)
    }

    /// The name as it is spelled.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form that is unique in a repository: without letter case, and with `_` for `-`.
    pub fn canonical(&self) -> String {
        self.0.to_ascii_lowercase().replace('-', "_")
    }

    /// The path of the crate's index file.
    pub fn index_path(&self) -> String {
        let name = self.0.to_ascii_lowercase();
        match name.len() {
            length @ (1 | 2) => format!("{length}/{name}"),
            3 => format!("3/{}/{name}", &name[..1]),
            _ => format!("{}/{}/{name}", &name[..2], &name[2..4]),
        }
    }
}

impl fmt::Display for CrateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Checks the name of a dependency: the crates of other registries may have names that are reserved here.
pub(super) fn check_characters(text: &str) -> Result<(), &'static str> {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    match text.as_bytes() {
        [] => Err("it is empty"),
        bytes if bytes.len() > NAME_BYTES => Err("it is longer than 64 characters"),
        [first, ..] if !first.is_ascii_alphabetic() => Err("it must begin with a letter"),
        bytes if !bytes.iter().copied().all(is_inner) => Err("it may hold letters, digits, '_' and '-' only"),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name(text: &str) -> CrateName {
        CrateName::parse(text).expect(text)
    }

    #[test]
    fn index_paths_are_in_lower_case() {
        for (text, path) in
            [("a", "1/a"), ("Ab", "2/ab"), ("aBc", "3/a/abc"), ("My-Lib", "my/-l/my-lib"), ("abcd", "ab/cd/abcd")]
        {
            assert_eq!(name(text).index_path(), path);
        }
    }

    #[test]
    fn names_differ_by_more_than_case_and_dashes() {
        assert_eq!(name("My-Lib").canonical(), name("my_lib").canonical());
        assert_ne!(name("mylib").canonical(), name("my_lib").canonical());
    }

    #[test]
    fn other_texts_are_refused() {
        let long = "x".repeat(65);
        for bad in [
            "",
            "1",
            "config.json",
            "_a",
            "-a",
            "a b",
            "a/b",
            "ä",
            "std",
            "Proc-Macro",
            "NUL",
            "com1",
            "a\n",
            "..",
            &long,
        ] {
            assert!(CrateName::parse(bad).is_err(), "{bad}");
        }
        assert_eq!(CrateName::parse("1"), Err("crate name '1' is not valid: it must begin with a letter".to_owned()));
        assert_eq!(CrateName::parse("core"), Err("crate name 'core' is not valid: it is reserved".to_owned()));
    }

    proptest! {
        #[test]
        fn index_paths_end_with_the_name(text in "[a-zA-Z][a-zA-Z0-9_-]{0,30}") {
            if let Ok(name) = CrateName::parse(&text) {
                let path = name.index_path();
                let lower = text.to_lowercase();
                prop_assert_eq!(path.rsplit('/').next(), Some(lower.as_str()));
                prop_assert!(path.split('/').rev().skip(1).all(|folder| matches!(folder.len(), 1 | 2)));
            }
        }

        #[test]
        fn any_text_is_a_name_or_refused(text in "\\PC{0,20}") {
            let _ = CrateName::parse(&text);
        }
    }
}
