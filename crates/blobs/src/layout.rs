//! Names of blobs and temporaries.
//!
//! A bucket and an old folder have two levels of folders, a new folder has one.

use std::sync::atomic::{AtomicU64, Ordering};

use model::digest::Digest;

/// The folder of blobs, below the store's root.
pub(crate) const CONTENT: &str = "sha256";

/// The folder of temporaries, below the store's root.
pub(crate) const TEMPORARY: &str = "tmp";

/// The number of folders between [`CONTENT`] and a blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Levels {
    One,
    Two,
}

impl Levels {
    /// Returns a blob's name below the store's root: `sha256/ab/abcd…` or `sha256/ab/cd/abcd…`.
    pub(crate) fn content_name(self, digest: Digest) -> String {
        let hex = digest.to_string();
        match self {
            Self::One => format!("{CONTENT}/{}/{hex}", &hex[..2]),
            Self::Two => format!("{CONTENT}/{}/{}/{hex}", &hex[..2], &hex[2..4]),
        }
    }

    /// Returns the digest of the blob with this name below the store's root; `None` if it is not a blob.
    pub(crate) fn digest_of(self, name: &str) -> Option<Digest> {
        let digest = name.rsplit('/').next()?.parse().ok()?;
        (self.content_name(digest) == name).then_some(digest)
    }
}

/// Generates names of temporaries that are unique across uploads and processes.
#[derive(Debug)]
pub(crate) struct TemporaryNames {
    instance: u64,
}

impl TemporaryNames {
    pub(crate) fn new(instance: u64) -> Self {
        Self { instance }
    }

    /// The next name, without the folder.
    pub(crate) fn next(&self) -> String {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        format!("{:016x}-{:x}", self.instance, COUNT.fetch_add(1, Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_a_digest_belong_together() {
        let digest = Digest::from_bytes([0xab; 32]);
        for levels in [Levels::One, Levels::Two] {
            assert_eq!(levels.digest_of(&levels.content_name(digest)), Some(digest));
        }
        assert_eq!(Levels::One.digest_of(&Levels::Two.content_name(digest)), None);
        assert_eq!(Levels::Two.digest_of(&Levels::One.content_name(digest)), None);
    }

    #[test]
    fn what_is_not_where_a_blob_would_be_is_no_blob() {
        let hex = "ab".repeat(32);
        assert_eq!(Levels::Two.digest_of(&format!("sha256/ab/cd/{hex}")), None);
        assert_eq!(Levels::Two.digest_of(&format!("sha256/AB/AB/{}", hex.to_uppercase())), None);
        assert_eq!(Levels::Two.digest_of("sha256/ab/ab/notes.txt"), None);
        assert_eq!(Levels::One.digest_of(&format!("sha256/cd/{hex}")), None);
        assert_eq!(Levels::One.digest_of("sha256/ab/notes.txt"), None);
        assert_eq!(Levels::One.digest_of(""), None);
    }
}
