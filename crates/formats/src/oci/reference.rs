//! Tags and digests.

use serde::{Deserialize, Serialize};

use super::error::{OciError, OciErrorCode};
use crate::readers::quoted;

/// The maximum length of a tag.
const TAG_BYTES: usize = 128;

/// A digest `sha256:<64 hex digits in lower case>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OciDigest(String);

impl OciDigest {
    /// Parses a digest. SHA-512 is registered, too, but not supported here.
    pub fn parse(text: &str) -> Result<Self, OciError> {
        let refuse = |reason: &str| {
            let message = format!("digest '{}' is not valid: {reason}", quoted(text));
            Err(OciError::new(OciErrorCode::DigestInvalid, message).about(quoted(text)))
        };
        match text.split_once(':') {
            Some(("sha256", hex)) if is_sha256(hex) => Ok(Self(text.to_owned())),
            Some(("sha256", _)) => refuse("sha256 needs 64 hex digits in lower case"),
            Some(("sha512", _)) => refuse("sha512 is not supported; use sha256"),
            _ => refuse("it must begin with 'sha256:'"),
        }
    }

    /// The digest of content whose SHA-256 is known in hex.
    pub fn from_sha256_hex(hex: &str) -> Option<Self> {
        is_sha256(hex).then(|| Self(format!("sha256:{hex}")))
    }

    /// The whole digest.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The hex digits.
    pub fn hex(&self) -> &str {
        &self.0["sha256:".len()..]
    }
}

fn is_sha256(hex: &str) -> bool {
    hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'))
}

/// A tag.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OciTag(String);

impl OciTag {
    /// Parses a tag, `[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}`.
    pub fn parse(text: &str) -> Result<Self, OciError> {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let is_valid = text.len() <= TAG_BYTES
            && text.bytes().next().is_some_and(is_word)
            && text.bytes().all(|byte| is_word(byte) || matches!(byte, b'.' | b'-'));
        if is_valid && text != model::names::LATEST {
            return Ok(Self(text.to_owned()));
        }
        let message = format!(
            "tag '{}' is not valid: tags hold letters, digits, '_', '.' and '-', do not begin with '.' or '-', and \
             have at most 128 characters",
            quoted(text)
        );
        Err(OciError::new(OciErrorCode::ManifestInvalid, message))
    }

    /// The tag as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The last segment of a manifest's URL.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum OciReference {
    /// A tag, which is a version.
    Tag(OciTag),
    /// A digest; a manifest without a tag is a version with this name.
    Digest(OciDigest),
}

impl OciReference {
    /// Parses a reference. Tags cannot hold `:`, so a text with one is a digest.
    pub fn parse(text: &str) -> Result<Self, OciError> {
        if text.contains(':') { OciDigest::parse(text).map(Self::Digest) } else { OciTag::parse(text).map(Self::Tag) }
    }

    /// The reference as text, which is also the name of its version.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Tag(tag) => tag.as_str(),
            Self::Digest(digest) => digest.as_str(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn digests_are_sha256_in_lower_case() {
        let text = format!("sha256:{}", "0f".repeat(32));
        let digest = OciDigest::parse(&text).expect("valid");
        assert_eq!((digest.as_str(), digest.hex()), (text.as_str(), "0f".repeat(32).as_str()));
        assert_eq!(OciDigest::from_sha256_hex(&"0f".repeat(32)), Some(digest));
        for (bad, reason) in [
            ("sha256:0f".to_owned(), "64 hex digits"),
            (format!("sha256:{}", "0F".repeat(32)), "64 hex digits"),
            (format!("sha512:{}", "0f".repeat(64)), "sha512 is not supported"),
            (format!("md5:{}", "0f".repeat(16)), "must begin with"),
            ("sha256".to_owned(), "must begin with"),
            ("sha256:../../x".to_owned(), "64 hex digits"),
        ] {
            let error = OciDigest::parse(&bad).expect_err(&bad);
            assert!(error.message.contains(reason), "{}", error.message);
            assert_eq!(error.code, OciErrorCode::DigestInvalid);
        }
    }

    #[test]
    fn a_reference_with_a_colon_is_never_a_tag() {
        assert!(matches!(OciReference::parse("v1.0_a-b"), Ok(OciReference::Tag(_))));
        assert!(matches!(OciReference::parse(&format!("sha256:{}", "a".repeat(64))), Ok(OciReference::Digest(_))));
        assert_eq!(OciReference::parse("sha256:short").expect_err("no tag").code, OciErrorCode::DigestInvalid);
        for bad in ["", ".a", "-a", "a/b", "a b", "_latest", "\u{e9}", &"a".repeat(129)] {
            assert!(OciReference::parse(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn parsed_references_keep_their_text(text in "[a-z0-9_][a-zA-Z0-9._-]{0,20}") {
            prop_assume!(text != "_latest");
            let reference = OciReference::parse(&text).expect("a tag");
            prop_assert_eq!(reference.as_str(), text.as_str());
            prop_assert!(model::names::VersionName::parse(&text).is_ok());
        }
    }
}
