//! Names of packages, with or without a scope.

use std::fmt;

use model::names::PackageName;

use crate::readers::quoted;

/// The maximum length of a name with its scope in bytes.
const NAME_BYTES: usize = 214;

/// Names that mean something else in a registry or in a project.
const RESERVED: &[&str] =
    &["node_modules", "favicon.ico", "-", "package.json", "npm-shrinkwrap.json", "__proto__", "constructor"];

/// A valid name of a package.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NpmName {
    scope: Option<String>,
    base: String,
}

impl NpmName {
    /// Parses a name: `name`, `@scope/name`, or `@scope%2fname` as clients write it in URLs.
    pub fn parse(text: &str) -> Result<Self, String> {
        let decoded = text.replace("%2f", "/").replace("%2F", "/");
        Self::parse_with(&decoded, '/')
            .map_err(|reason| format!("package name '{}' is not valid: {reason}", quoted(text)))
    }

    /// Parses the name of a stored package, which has `:` for the `/`.
    pub fn from_package(text: &str) -> Result<Self, String> {
        Self::parse_with(text, ':').map_err(|reason| format!("package name '{}' is not valid: {reason}", quoted(text)))
    }

    fn parse_with(text: &str, separator: char) -> Result<Self, &'static str> {
        if text.len() > NAME_BYTES {
            return Err("it is longer than 214 bytes");
        }
        let name = match text.strip_prefix('@') {
            Some(rest) => {
                let (scope, base) = rest.split_once(separator).ok_or("it has a scope but no name")?;
                check_scope(scope)?;
                Self { scope: Some(scope.to_owned()), base: base.to_owned() }
            }
            None => Self { scope: None, base: text.to_owned() },
        };
        check_base(&name.base)?;
        PackageName::parse(&name.package()).map_err(|error| error.reason)?;
        Ok(name)
    }

    /// The name of the stored package: `@scope:name`.
    pub fn package(&self) -> String {
        self.with(':')
    }

    /// The scope without `@`.
    pub fn scope(&self) -> Option<&str> {
        self.scope.as_deref()
    }

    /// The name without its scope.
    pub fn base(&self) -> &str {
        &self.base
    }

    fn with(&self, separator: char) -> String {
        let base = &self.base;
        self.scope.as_ref().map_or_else(|| base.clone(), |scope| format!("@{scope}{separator}{base}"))
    }
}

impl fmt::Display for NpmName {
    /// Formats the name as npm does: `@scope/name`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with('/'))
    }
}

/// Checks a name without its scope.
fn check_base(base: &str) -> Result<(), &'static str> {
    match base {
        "" => Err("it is empty"),
        _ if base.starts_with(['.', '_', '-']) => Err("it begins with '.', '_' or '-'"),
        _ if !base.bytes().all(is_allowed) => Err("it may hold lower-case letters, digits, '-', '.' and '_' only"),
        _ if RESERVED.contains(&base) => Err("it is reserved"),
        _ => Ok(()),
    }
}

fn check_scope(scope: &str) -> Result<(), &'static str> {
    match scope {
        "" => Err("its scope is empty"),
        _ if scope.starts_with(['.', '_']) => Err("its scope begins with '.' or '_'"),
        _ if !scope.bytes().all(|byte| is_allowed(byte) || byte == b'~') => {
            Err("its scope may hold lower-case letters, digits, '-', '.', '_' and '~' only")
        }
        _ if RESERVED.contains(&scope) => Err("its scope is reserved"),
        _ => Ok(()),
    }
}

fn is_allowed(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.' | b'_')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn all_spellings_are_one_name() {
        let name = NpmName::parse("@acme/hello").expect("valid");
        for spelling in ["@acme%2fhello", "@acme%2Fhello"] {
            assert_eq!(NpmName::parse(spelling), Ok(name.clone()));
        }
        assert_eq!((name.package().as_str(), name.to_string().as_str()), ("@acme:hello", "@acme/hello"));
        assert_eq!((name.scope(), name.base()), (Some("acme"), "hello"));
        assert_eq!(NpmName::from_package("@acme:hello"), Ok(name));
        assert_eq!(NpmName::parse("hello").expect("valid").package(), "hello");
    }

    #[test]
    fn other_texts_are_refused() {
        let long = "x".repeat(215);
        for bad in [
            "",
            "Hello",
            "@Acme/hello",
            ".a",
            "_a",
            "@acme",
            "@/a",
            "@acme/",
            "@acme/_a",
            "a/b",
            "a b",
            "ä",
            "node_modules",
            "favicon.ico",
            "-",
            "a~",
            "a!",
            "a%2fb",
            "@a/b/c",
            "@a:b",
            "..",
            "@../a",
            "@a/..",
            "__proto__",
            "constructor",
            &long,
        ] {
            assert!(NpmName::parse(bad).is_err(), "{bad}");
        }
        assert!(NpmName::from_package("@acme/hello").is_err());
        let reason = "package name 'Hello' is not valid: it may hold lower-case letters, digits, '-', '.' and '_' only";
        assert_eq!(NpmName::parse("Hello"), Err(reason.to_owned()));
    }

    proptest! {
        #[test]
        fn names_go_both_ways(text in "(@[a-z0-9][a-z0-9._-]{0,9}/)?[a-z0-9][a-z0-9._-]{0,20}") {
            if let Ok(name) = NpmName::parse(&text) {
                prop_assert_eq!(NpmName::from_package(&name.package()), Ok(name.clone()));
                prop_assert_eq!(name.to_string(), text);
            }
        }

        #[test]
        fn any_text_is_a_name_or_refused(text in "\\PC{0,20}") {
            let _ = NpmName::parse(&text);
        }
    }
}
