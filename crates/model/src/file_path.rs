//! The path of a file inside a repository.

use std::fmt;

use crate::{
    names::is_unprintable,
    unicode::{composed, decomposed, is_hidden},
};

/// Maximum length of a file path in bytes.
const PATH_BYTES: usize = 2_000;

/// Maximum length of one segment in bytes, as in file systems and archives.
const SEGMENT_BYTES: usize = 255;

/// A relative path without empty, `.` or `..` segments.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FilePath(String);

/// A path that could escape its folder, or that no file can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("file path '{path}' is not valid: {reason}")]
pub struct InvalidPath {
    /// The path as it was given, truncated if very long.
    pub path: String,
    /// The rule that it breaks.
    pub reason: &'static str,
}

/// The file extension of signatures.
const SIGNATURE: &str = ".asc";

impl FilePath {
    /// Validates a decoded path.
    pub fn parse(text: &str) -> Result<Self, InvalidPath> {
        Self::stored(&composed(text))
    }

    /// Validates the path of a new file, which may not contain invisible characters either.
    pub fn parse_new(text: &str) -> Result<Self, InvalidPath> {
        let path = Self::parse(text)?;
        if text.chars().any(is_hidden) {
            return Err(Self::invalid(text, "it holds an invisible character"));
        }
        Ok(path)
    }

    /// Validates a stored path, without normalizing it.
    pub fn stored(text: &str) -> Result<Self, InvalidPath> {
        match text.split('/').try_for_each(check_segment).and_then(|()| check_length(text)) {
            Ok(()) => Ok(Self(text.to_owned())),
            Err(reason) => Err(Self::invalid(text, reason)),
        }
    }

    fn invalid(text: &str, reason: &'static str) -> InvalidPath {
        InvalidPath { path: text.chars().take(220).collect(), reason }
    }

    /// The same path in the other Unicode normalization form, which paths from before normalization may have.
    pub fn other_form(&self) -> Option<Self> {
        decomposed(&self.0).map(Self)
    }

    /// The path as text, with `/` between its segments.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path up to its last segment, with the `/`; empty at the top.
    pub fn folder_prefix(&self) -> &str {
        self.0.rfind('/').map_or("", |slash| &self.0[..=slash])
    }

    /// The last segment of the path.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The path of the file's signature; `None` if that path would be too long.
    pub fn signature(&self) -> Option<Self> {
        Self::stored(&format!("{self}{SIGNATURE}")).ok()
    }

    /// The path of the file that this one signs, if its name is that of a signature.
    pub fn signed(&self) -> Option<&str> {
        self.0.strip_suffix(SIGNATURE)
    }

    /// Returns whether its name is that of a signature.
    pub fn is_signature(&self) -> bool {
        self.signed().is_some()
    }
}

fn check_length(text: &str) -> Result<(), &'static str> {
    if text.len() > PATH_BYTES { Err("it is longer than 2,000 bytes") } else { Ok(()) }
}

/// Checks that a path may contain this decoded segment.
pub(crate) fn check_segment(segment: &str) -> Result<(), &'static str> {
    match segment {
        "" => Err("it has an empty segment"),
        "." | ".." => Err("it has a relative segment"),
        _ if segment.len() > SEGMENT_BYTES => Err("it has a segment longer than 255 bytes"),
        _ if segment.contains('\\') => Err("it holds a backslash"),
        _ if segment.chars().any(is_unprintable) => Err("it holds an unprintable character"),
        _ => Ok(()),
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_paths_are_kept_as_they_are() {
        let path = FilePath::parse("org/x/lib;1/lib%2e-1.jar").expect("allowed");
        assert_eq!(path.as_str(), "org/x/lib;1/lib%2e-1.jar");
        assert_eq!(path.file_name(), "lib%2e-1.jar");
    }

    #[test]
    fn paths_that_lead_elsewhere_are_refused() {
        let long = format!("{}x", "x/".repeat(1_000));
        for bad in [
            "",
            "/",
            "/a",
            "a/",
            "a//b",
            ".",
            "a/..",
            "../a",
            "a/./b",
            "a\\b",
            "a\0b",
            "a\u{7f}",
            &"x".repeat(256),
            &long,
        ] {
            assert!(FilePath::parse(bad).is_err(), "{bad}");
        }
    }
}
