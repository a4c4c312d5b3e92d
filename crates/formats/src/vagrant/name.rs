//! Names of boxes, providers and architectures.

use model::names::PackageName;

use crate::readers::quoted;

/// The architecture of boxes without one.
pub const UNKNOWN: &str = "unknown";

/// The name of a box in its repository.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BoxName(String);

impl BoxName {
    /// Parses `[A-Za-z0-9][A-Za-z0-9._-]*`. `api`, `authenticate` and names that end with `.json` have
    /// another meaning in URLs.
    pub fn parse(text: &str) -> Result<Self, String> {
        let refuse = |reason: &str| Err(format!("box name '{}' is not valid: {reason}", quoted(text)));
        let is_valid = text.len() <= 150
            && text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'));
        match text {
            _ if !is_valid => refuse("use letters, digits, '.', '_' and '-', and begin with a letter or digit"),
            _ if ["api", "authenticate"].contains(&text.to_ascii_lowercase().as_str()) => refuse("it is reserved"),
            _ if text.to_ascii_lowercase().ends_with(".json") => refuse("it ends with '.json'"),
            _ => Ok(Self(text.to_owned())),
        }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The package of the box.
    pub fn package(&self) -> Result<PackageName, String> {
        PackageName::parse(&self.0).map_err(|error| error.to_string())
    }
}

/// A provider, for example `virtualbox`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoxProvider(String);

impl BoxProvider {
    /// Parses `[a-z0-9_]+`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        if (1..=50).contains(&text.len()) && text.bytes().all(is_word) {
            return Ok(Self(text.to_owned()));
        }
        Err(format!("provider '{}' is not valid: use lower-case letters, digits and '_'", quoted(text)))
    }

    /// The provider as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A processor architecture, or `unknown`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoxArchitecture(String);

impl BoxArchitecture {
    /// Parses `[a-z0-9_-]+`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-');
        if (1..=50).contains(&text.len()) && text.bytes().all(is_word) {
            return Ok(Self(text.to_owned()));
        }
        Err(format!("architecture '{}' is not valid: use lower-case letters, digits, '_' and '-'", quoted(text)))
    }

    /// The architecture of boxes without one.
    pub fn unknown() -> Self {
        Self(UNKNOWN.to_owned())
    }

    /// The architecture as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        assert!(["ubuntu", "Ubuntu-24.04", "a_b", "0"].iter().all(|text| BoxName::parse(text).is_ok()));
        for (bad, reason) in [
            ("api", "reserved"),
            ("API", "reserved"),
            ("a.json", "ends with"),
            ("../x", "begin with"),
            ("", "begin with"),
        ] {
            assert!(BoxName::parse(bad).expect_err(bad).contains(reason), "{bad}");
        }
        assert!(["virtualbox", "vmware_desktop"].iter().all(|text| BoxProvider::parse(text).is_ok()));
        assert!(["../x", "", "Libvirt", "a-b"].iter().all(|text| BoxProvider::parse(text).is_err()));
        assert!(["amd64", "x86-64", "unknown"].iter().all(|text| BoxArchitecture::parse(text).is_ok()));
        assert!(["..", "a/b", "AMD64"].iter().all(|text| BoxArchitecture::parse(text).is_err()));
    }
}
