//! Revisions and package ids.

use crate::readers::quoted;

/// A revision of a recipe or a package.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RevisionId(String);

impl RevisionId {
    /// Parses a revision: 32 or 40 hex digits in lower case.
    pub fn parse(text: &str) -> Result<Self, String> {
        if matches!(text.len(), 32 | 40) && is_hex(text) {
            return Ok(Self(text.to_owned()));
        }
        Err(format!("revision '{}' is not valid: it has 32 or 40 hex digits", quoted(text)))
    }

    /// The revision as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The id of a binary package.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConanPackageId(String);

impl ConanPackageId {
    /// Parses an id: 40 or 64 hex digits in lower case.
    pub fn parse(text: &str) -> Result<Self, String> {
        if matches!(text.len(), 40 | 64) && is_hex(text) {
            return Ok(Self(text.to_owned()));
        }
        Err(format!("package id '{}' is not valid: it has 40 or 64 hex digits", quoted(text)))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_hex_digits() {
        assert!(RevisionId::parse(&"0f".repeat(16)).is_ok() && RevisionId::parse(&"0f".repeat(20)).is_ok());
        assert!(ConanPackageId::parse(&"0f".repeat(20)).is_ok() && ConanPackageId::parse(&"0f".repeat(32)).is_ok());
        for bad in ["..", "", "0", &"0F".repeat(16), &"0g".repeat(16), &"0".repeat(33)] {
            assert!(RevisionId::parse(bad).is_err() && ConanPackageId::parse(bad).is_err(), "{bad}");
        }
    }
}
