//! Checksums that a client sends with its bytes.

use blobs::{Checksums, ReceiveOptions};
use model::{
    blob::Blob,
    digest::{Digest, hex},
};

use crate::{Error, House, Result, storage::checksums};

/// The checksums that the received bytes must have, if the client sends them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpectedChecksums {
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

impl ExpectedChecksums {
    /// Returns whether the client has sent a checksum.
    pub(crate) fn has_sums(&self) -> bool {
        self.sha256.is_some() || self.sha1.is_some() || self.md5.is_some() || self.sha512.is_some()
    }

    /// Returns the checksums to compute of bytes that are not stored.
    pub(crate) fn to_compute(&self) -> ReceiveOptions {
        let (sha1, md5, sha512) = (self.sha1.is_some(), self.md5.is_some(), self.sha512.is_some());
        ReceiveOptions { sha1, md5, sha512, ..ReceiveOptions::SHA256 }
    }

    /// Rejects bytes that do not match.
    pub(crate) fn check(&self, sums: &Checksums) -> Result<()> {
        if let Some(expected) = self.sha256 {
            same("SHA-256", Some(&expected.to_string()), || Some(sums.sha256.to_string()))?;
        }
        same("SHA-1", self.sha1.as_deref(), || sums.sha1.map(|sum| hex(&sum)))?;
        same("MD5", self.md5.as_deref(), || sums.md5.map(|sum| hex(&sum)))?;
        same("SHA-512", self.sha512.as_deref(), || sums.sha512.map(|sum| hex(&sum)))
    }

    /// Does the same for content that is already stored.
    pub(crate) async fn check_stored(&self, house: &House, blob: &Blob) -> Result<()> {
        if let Some(expected) = &self.sha1 {
            let found = checksums::sha1(house, blob).await?;
            same("SHA-1", Some(expected), || Some(found))?;
        }
        if self.md5.is_some() || self.sha512.is_some() {
            let extra = checksums::extra(house, blob).await?;
            same("MD5", self.md5.as_deref(), || Some(extra.md5))?;
            same("SHA-512", self.sha512.as_deref(), || Some(extra.sha512))?;
        }
        Ok(())
    }
}

fn same(name: &str, expected: Option<&str>, found: impl FnOnce() -> Option<String>) -> Result<()> {
    let Some(expected) = expected else { return Ok(()) };
    match found() {
        Some(found) if expected != found => {
            Err(Error::Conflict(format!("The {name} of the content is {found}, not {expected}")))
        }
        _ => Ok(()),
    }
}
