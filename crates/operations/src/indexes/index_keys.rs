//! The public keys of the indexes' signatures, as files of the indexes.

use std::{collections::BTreeMap, sync::Arc};

use database::indexes::index_files::IndexFile;

use crate::{
    House, Result,
    format::{IndexSigning, SealedContent, SealedFile},
    indexes::IndexedRepo,
    signing::{
        self,
        signer::Signer,
        usign::{self, UsignKey},
    },
};

/// The public keys; none if the repository does not sign its indexes.
#[derive(Default)]
pub(super) struct IndexKeys {
    /// The armored key.
    armored: Option<String>,
    /// The RSA key in PEM, if the files need it and it is one.
    pub(super) rsa: Option<String>,
    /// The key of usign signatures, if the files have them.
    pub(super) usign: Option<Arc<UsignKey>>,
}

impl IndexKeys {
    /// Reads the keys that these files need.
    pub(super) async fn read(
        house: &House,
        repo: &IndexedRepo,
        signer: Option<&mut Signer<'_>>,
        files: &[SealedFile],
    ) -> Result<Self> {
        if repo.repo.profile.gpg_sign_metadata && repo.indexes.signing() == IndexSigning::Usign {
            return Ok(Self { usign: Some(usign::of_owner(house, &repo.repo).await?), ..Self::default() });
        }
        let Some(signer) = signer else { return Ok(Self::default()) };
        let needs_rsa = files.iter().any(|file| file.content == SealedContent::RsaPublicKey);
        let rsa = if needs_rsa { signer.rsa_public_key().await? } else { None };
        Ok(Self { armored: signer.public_key().map(str::to_owned), rsa, usign: None })
    }

    /// The content of a file with a key, if there is one.
    pub(super) fn bytes(&self, content: &SealedContent) -> Result<Option<Vec<u8>>> {
        Ok(match (content, &self.armored) {
            (SealedContent::PublicKey { is_armored: true }, Some(key)) => Some(key.as_bytes().to_vec()),
            (SealedContent::PublicKey { is_armored: false }, Some(key)) => Some(signing::binary_key(key)?),
            (SealedContent::RsaPublicKey, _) => self.rsa.as_ref().map(|key| key.as_bytes().to_vec()),
            (SealedContent::UsignPublicKey, _) => self.usign.as_ref().map(|key| key.public_file()).transpose()?,
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
