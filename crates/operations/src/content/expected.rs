//! Checksums that a client sends along with its bytes.

use blobs::Sums;
use model::digest::{Digest, hex};

use crate::{Error, Result};

/// What the sent bytes must have as checksums, as far as the client says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expected {
    /// Their number.
    pub size: Option<u64>,
    /// Their SHA-256.
    pub sha256: Option<Digest>,
    /// Their SHA-1, in lower-case hexadecimal digits.
    pub sha1: Option<String>,
    /// Their MD5, in lower-case hexadecimal digits.
    pub md5: Option<String>,
    /// Their SHA-512, in lower-case hexadecimal digits.
    pub sha512: Option<String>,
}

impl Expected {
    /// Refuses bytes that are not the ones that were meant.
    pub(super) fn check(&self, sums: &Sums) -> Result<()> {
        let sha256 = sums.sha256.to_string();
        let pairs = [
            ("SHA-256", self.sha256.map(|digest| digest.to_string()), Some(sha256)),
            ("SHA-1", self.sha1.clone(), Some(hex(&sums.sha1))),
            ("MD5", self.md5.clone(), sums.md5.map(|sum| hex(&sum))),
            ("SHA-512", self.sha512.clone(), sums.sha512.map(|sum| hex(&sum))),
        ];
        for (name, expected, found) in pairs {
            if let (Some(expected), Some(found)) = (expected, found)
                && expected != found
            {
                return Err(Error::Conflict(format!("The {name} of the content is {found}, not {expected}")));
            }
        }
        Ok(())
    }
}
