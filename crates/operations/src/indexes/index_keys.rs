//! The public keys of the indexes' signatures, as files of the indexes.

use std::collections::BTreeMap;

use database::indexes::index_files::IndexFile;

use crate::{
    Result,
    format::{SealedContent, SealedFile},
    signing::{self, signer::Signer},
};

/// The public keys; none if the repository does not sign its indexes.
#[derive(Default)]
pub(super) struct IndexKeys {
    /// The armored key.
    armored: Option<String>,
    /// The RSA key in PEM, if the files need it and it is one.
    pub(super) rsa: Option<String>,
}

impl IndexKeys {
    /// Reads the keys that these files need.
    pub(super) async fn read(signer: Option<&mut Signer<'_>>, files: &[SealedFile]) -> Result<Self> {
        let Some(signer) = signer else { return Ok(Self::default()) };
        let needs_rsa = files.iter().any(|file| file.content == SealedContent::RsaPublicKey);
        let rsa = if needs_rsa { signer.rsa_public_key().await? } else { None };
        Ok(Self { armored: signer.public_key().map(str::to_owned), rsa })
    }

    /// The content of a file with a key, if there is one.
    pub(super) fn bytes(&self, content: &SealedContent) -> Result<Option<Vec<u8>>> {
        Ok(match (content, &self.armored) {
            (SealedContent::PublicKey { is_armored: true }, Some(key)) => Some(key.as_bytes().to_vec()),
            (SealedContent::PublicKey { is_armored: false }, Some(key)) => Some(signing::binary_key(key)?),
            (SealedContent::RsaPublicKey, _) => self.rsa.as_ref().map(|key| key.as_bytes().to_vec()),
            _ => None,
        })
    }

    /// Whether the keys are others than those of the signatures so far.
    pub(super) fn are_other(&self, files: &[SealedFile], before: &BTreeMap<String, IndexFile>) -> Result<bool> {
        for file in files {
            let Some(bytes) = self.bytes(&file.content)? else { continue };
            if before.get(&file.path).is_none_or(|row| row.head != bytes) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
