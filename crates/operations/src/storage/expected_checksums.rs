//! Checksums that a client sends with its bytes.

use blobs::{Checksums, ReceiveOptions};
use model::{
    blob::Blob,
    checksum::Algorithm,
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
            same(Algorithm::Sha256, Some(&expected.to_string()), || Some(sums.sha256.to_string()))?;
        }
        same(Algorithm::Sha1, self.sha1.as_deref(), || sums.sha1.map(|sum| hex(&sum)))?;
        same(Algorithm::Md5, self.md5.as_deref(), || sums.md5.map(|sum| hex(&sum)))?;
        same(Algorithm::Sha512, self.sha512.as_deref(), || sums.sha512.map(|sum| hex(&sum)))
    }

    /// Does the same for content that is already stored.
    pub(crate) async fn check_stored(&self, house: &House, blob: &Blob) -> Result<()> {
        let others = [(Algorithm::Sha1, &self.sha1), (Algorithm::Md5, &self.md5), (Algorithm::Sha512, &self.sha512)];
        for (algorithm, expected) in others {
            let Some(expected) = expected else { continue };
            let found = checksums::of(house, blob, algorithm).await?;
            same(algorithm, Some(expected), || Some(found))?;
        }
        Ok(())
    }
}

fn same(algorithm: Algorithm, expected: Option<&str>, found: impl FnOnce() -> Option<String>) -> Result<()> {
    let Some(expected) = expected else { return Ok(()) };
    match found() {
        Some(found) if expected != found => {
            let name = algorithm.name();
            Err(Error::Conflict(format!("The {name} of the content is {found}, not {expected}")))
        }
        _ => Ok(()),
    }
}
