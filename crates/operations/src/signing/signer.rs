//! The key of one call, which is unlocked when the call signs something, and the signatures that it has made.

use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};
use model::{blob::Blob, id::BlobId, repo::Repo, timestamp::Timestamp};

use crate::{
    Caller, Error, House, Result,
    format::IndexSigning,
    signing::{
        SigningOptions,
        choice::{KeyChoice, KeySource, choose},
        rsa, sign,
        signatures::{Signatures, ToSign},
        signing_key::{SigningKey, binary_signature},
        unlock::{part, unlock},
    },
};

/// The number of signatures that one call makes at the same time.
const AT_ONCE: usize = 4;

/// Signs for one call.
pub(crate) struct Signer<'h> {
    pub(crate) house: &'h House,
    options: SigningOptions,
    /// `None` if nothing is signed.
    choice: Option<KeyChoice>,
    key: Option<Arc<SigningKey>>,
    signatures: Signatures,
}

impl<'h> Signer<'h> {
    /// Signs the content published in this repository, if its settings require it.
    pub(crate) async fn of_repo(house: &'h House, caller: &Caller, repo: &Repo, with: &SigningOptions) -> Result<Self> {
        let format = house.format(&repo.kind);
        let signing = format.repo_indexes().filter(|_| repo.profile.gpg_sign_metadata).map(|indexes| indexes.signing());
        if let Some(signing) = signing.filter(|signing| signing.needs_gpg_key()) {
            let choice = choose(house, caller, repo, with).await?;
            choice.check_passphrase(with)?;
            if signing == IndexSigning::Rsa {
                rsa::check(&part(house, &choice)?)?;
            }
        }
        let signs_indexes = repo.profile.gpg_sign_metadata && format.folder_indexes().is_some();
        if repo.profile.gpg_sign_files || signs_indexes {
            Self::with_key(house, caller, repo, with).await
        } else {
            Ok(Self::none(house))
        }
    }

    /// Signs the indexes that a deletion changes, if that needs no passphrase: a lost passphrase must not prevent
    /// deletions.
    pub(crate) async fn of_deletion(house: &'h House, caller: &Caller, repo: &Repo) -> Result<Self> {
        if !repo.profile.gpg_sign_metadata || house.format(&repo.kind).folder_indexes().is_none() {
            return Ok(Self::none(house));
        }
        match Self::with_key(house, caller, repo, &SigningOptions::default()).await {
            Ok(signer) if signer.choice.as_ref().is_none_or(|choice| !choice.needs_passphrase) => Ok(signer),
            Ok(_) | Err(Error::Invalid { .. }) => Ok(Self::none(house)),
            Err(other) => Err(other),
        }
    }

    /// Signs regardless of the repository's settings.
    pub(crate) async fn with_key(
        house: &'h House,
        caller: &Caller,
        repo: &Repo,
        with: &SigningOptions,
    ) -> Result<Self> {
        let choice = choose(house, caller, repo, with).await?;
        Ok(Self::new(house, with, Some(choice)))
    }

    /// Signs nothing.
    pub(crate) fn none(house: &'h House) -> Self {
        Self::new(house, &SigningOptions::default(), None)
    }

    fn new(house: &'h House, with: &SigningOptions, choice: Option<KeyChoice>) -> Self {
        let fingerprint = choice.as_ref().map(|choice| choice.fingerprint.clone());
        let signatures = Signatures { fingerprint, ..Signatures::default() };
        Self { house, options: with.clone(), choice, key: None, signatures }
    }

    /// The fingerprint of the key; `None` if nothing is signed.
    pub(crate) fn fingerprint(&self) -> Option<&str> {
        self.signatures.fingerprint.as_deref()
    }

    /// The signatures made so far.
    pub(crate) fn signatures(&self) -> &Signatures {
        &self.signatures
    }

    /// Signs everything in this set that is not signed yet. No transaction is open meanwhile. The key is unlocked once,
    /// and only if something has to be signed.
    pub(crate) async fn sign(&mut self, what: ToSign) -> Result<()> {
        let what = self.signatures.missing(what);
        if what.is_empty() {
            return Ok(());
        }
        let (house, key) = (self.house, self.key().await?);
        let _permits = house.signing.enter_signing().await?;
        let signed = stream::iter(what.contents).map(|id| sign_content(house, &key, id)).buffer_unordered(AT_ONCE);
        self.signatures.contents.extend(signed.try_collect::<Vec<_>>().await?);
        let signed = stream::iter(what.texts).map(|text| sign_text(house, &key, text)).buffer_unordered(AT_ONCE);
        self.signatures.texts.extend(signed.try_collect::<Vec<_>>().await?);
        Ok(())
    }

    async fn key(&mut self) -> Result<Arc<SigningKey>> {
        if let Some(key) = &self.key {
            return Ok(Arc::clone(key));
        }
        let choice = self.choice.as_ref().ok_or_else(|| Error::Internal("there is no key to sign with".into()))?;
        let key = unlock(self.house, choice, &self.options).await?;
        Ok(Arc::clone(self.key.insert(key)))
    }
}

/// The form of a document's signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignatureForm {
    /// An armored signature.
    Detached,
    /// The document itself with the signature around it.
    Cleartext,
}

impl Signer<'_> {
    /// Fails if the key needs a passphrase that the call does not have.
    pub(crate) fn check_passphrase(&self) -> Result<()> {
        self.choice.as_ref().map_or(Ok(()), |choice| choice.check_passphrase(&self.options))
    }

    /// The armored public key.
    pub(crate) fn public_key(&self) -> Option<&str> {
        Some(match &self.choice.as_ref()?.source {
            KeySource::Stored(key) => &key.public_key,
            KeySource::Supplied(sent) => &sent.public_key,
        })
    }

    /// Signs a document, with this time in the signature.
    pub(crate) async fn sign_document(&mut self, text: &[u8], form: SignatureForm, at: Timestamp) -> Result<String> {
        let (house, key) = (self.house, self.key().await?);
        let _permits = house.signing.enter_signing().await?;
        match form {
            SignatureForm::Detached => sign::sign_bytes(house, &key, text, at).await,
            SignatureForm::Cleartext => sign::sign_cleartext(house, &key, text, at).await,
        }
    }

    /// Signs bytes, with this time in the signature, which is not armored.
    pub(crate) async fn sign_binary(&mut self, bytes: &[u8], at: Timestamp) -> Result<Vec<u8>> {
        binary_signature(&self.sign_document(bytes, SignatureForm::Detached, at).await?)
    }

    /// Signs bytes with an RSA key, without OpenPGP.
    pub(crate) async fn sign_rsa(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>> {
        let (house, key) = (self.house, self.key().await?);
        let _permits = house.signing.enter_signing().await?;
        sign::sign_rsa(house, &key, bytes).await
    }

    /// The public key in PEM; `None` if it is not an RSA key.
    pub(crate) async fn rsa_public_key(&mut self) -> Result<Option<String>> {
        Ok(self.key().await?.rsa_public_key())
    }
}

async fn sign_content(house: &House, key: &Arc<SigningKey>, blob_id: BlobId) -> Result<(BlobId, Blob)> {
    Ok((blob_id, sign::sign_content(house, key, blob_id).await?))
}

async fn sign_text(house: &House, key: &Arc<SigningKey>, text: String) -> Result<(String, String)> {
    let signed = sign::sign_text(house, key, &text).await?;
    Ok((text, signed))
}
