//! Package ids.

use model::names::PackageName;
use serde::{Deserialize, Serialize};

use crate::readers::quoted;

/// The maximum length of an id.
const ID_BYTES: usize = 100;

/// A package id. Ids that differ only in case are the same package.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NugetId(String);

impl NugetId {
    /// Parses an id: words of letters, digits and `_`, with one `.` or `-` between them.
    pub fn parse(text: &str) -> Result<Self, String> {
        let is_word =
            |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if text.len() > ID_BYTES {
            return Err(format!("package id '{}' is longer than {ID_BYTES} characters", quoted(text)));
        }
        if !text.split(['.', '-']).all(is_word) {
            return Err(format!(
                "package id '{}' is not valid: it holds words of letters, digits and '_', with one '.' or '-' between \
                 them",
                quoted(text)
            ));
        }
        Ok(Self(text.to_owned()))
    }

    /// The id as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id in lower case, as it appears in URLs.
    pub fn lower(&self) -> String {
        self.0.to_ascii_lowercase()
    }

    /// The package of the id.
    pub fn package(&self) -> Result<PackageName, String> {
        PackageName::parse(&self.0).map_err(|error| error.to_string())
    }
}

impl PartialEq for NugetId {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for NugetId {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_words() {
        for good in ["Acme.Hello", "a", "_x", "A-b.c_d", "7zip", &"x".repeat(100)] {
            let id = NugetId::parse(good).expect(good);
            assert_eq!((id.as_str(), id.package().expect("a name").as_str()), (good, good));
        }
        assert_eq!(NugetId::parse("Acme.Hello"), NugetId::parse("ACME.hello"));
        assert_eq!(NugetId::parse("Acme.Hello").expect("valid").lower(), "acme.hello");
        for bad in ["", ".", "a..b", "-a", "a-", "a.-b", "a b", "a/b", "..\\x", "\u{e9}", &"x".repeat(101)] {
            assert!(NugetId::parse(bad).is_err(), "{bad}");
        }
    }
}
