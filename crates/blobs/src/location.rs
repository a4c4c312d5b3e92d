//! The location of the content store.

use std::{fmt, path::PathBuf};

/// The location of the content store, with one variant for each kind of store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A folder of the local file system.
    Folder(PathBuf),
    /// A bucket of an S3-compatible object store.
    S3(S3Settings),
}

/// The settings of a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct S3Settings {
    /// The bucket's name; the bucket must exist.
    pub bucket: String,
    /// The prefix of all object names, without slashes at its ends; may be empty.
    pub prefix: String,
    /// The server's URL; `None` means Amazon's endpoint for the region.
    pub endpoint: Option<String>,
    /// The region that requests are signed for.
    pub region: String,
    /// The key that signs requests; `None` means the key of the environment or of the machine's role.
    pub key: Option<S3Key>,
    /// Whether an endpoint without TLS is accepted.
    pub allow_http: bool,
    /// How much the store copies in one request.
    pub copy_limits: CopyLimits,
}

/// How much a store copies in one request; smaller in tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyLimits {
    /// An object of more bytes is copied part by part; the protocol allows 5 GiB.
    pub single_bytes: u64,
    /// The bytes of such a part; the protocol allows 5 MiB to 5 GiB.
    pub part_bytes: u64,
}

impl Default for CopyLimits {
    fn default() -> Self {
        Self { single_bytes: 5 << 30, part_bytes: 512 << 20 }
    }
}

/// A key of an object store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct S3Key {
    /// Its id.
    pub id: String,
    /// Its secret.
    pub secret: SecretKey,
}

/// A secret that debug output does not show.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretKey(String);

/// The text is not a location for content.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a location for content: {reason}; write a folder's path or `s3://bucket/prefix`")]
pub struct InvalidLocation {
    text: String,
    reason: &'static str,
}

impl Location {
    /// Parses `s3://bucket/prefix` or the path of a folder.
    ///
    /// A bucket has no key, Amazon's endpoint and the region `us-east-1` at first: the caller fills these in.
    pub fn parse(text: &str) -> Result<Self, InvalidLocation> {
        let invalid = |reason| InvalidLocation { text: text.to_owned(), reason };
        let Some(place) = text.strip_prefix("s3://") else {
            return match text {
                "" => Err(invalid("it is empty")),
                _ if text.contains("://") => Err(invalid("its scheme is not known")),
                _ => Ok(Self::Folder(PathBuf::from(text))),
            };
        };
        let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
        if bucket.is_empty() {
            return Err(invalid("the bucket's name is missing"));
        }
        let prefix = prefix.trim_matches('/');
        if object_store::path::Path::parse(prefix).is_err() {
            return Err(invalid(
                "the prefix has a part that is empty, `.` or `..`, or a character that object names lack",
            ));
        }
        Ok(Self::S3(S3Settings {
            bucket: bucket.to_owned(),
            prefix: prefix.to_owned(),
            endpoint: None,
            region: "us-east-1".to_owned(),
            key: None,
            allow_http: false,
            copy_limits: CopyLimits::default(),
        }))
    }
}

impl SecretKey {
    /// Wraps a secret.
    pub fn new(secret: impl Into<String>) -> Self {
        Self(secret.into())
    }

    /// The secret itself, for signing.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket_and_prefix(text: &str) -> (String, String) {
        match Location::parse(text) {
            Ok(Location::S3(settings)) => (settings.bucket, settings.prefix),
            other => panic!("{text} is read as {other:?}"),
        }
    }

    #[test]
    fn a_path_is_a_folder() {
        assert_eq!(Location::parse("/srv/house"), Ok(Location::Folder("/srv/house".into())));
        assert_eq!(Location::parse("data/blobs"), Ok(Location::Folder("data/blobs".into())));
    }

    #[test]
    fn a_bucket_may_have_a_prefix() {
        assert_eq!(bucket_and_prefix("s3://crates"), ("crates".into(), "".into()));
        assert_eq!(bucket_and_prefix("s3://crates/a/b/"), ("crates".into(), "a/b".into()));
    }

    #[test]
    fn other_texts_are_refused() {
        assert!(Location::parse("").is_err());
        assert!(Location::parse("s3://").is_err());
        assert!(Location::parse("s3://b/a/../c").is_err());
        assert!(Location::parse("gs://bucket").is_err());
    }

    #[test]
    fn a_secret_is_not_printed() {
        assert_eq!(format!("{:?}", SecretKey::new("hush")), "SecretKey(hidden)");
    }
}
