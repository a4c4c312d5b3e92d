//! usign signatures, for clients that know no OpenPGP: an Ed25519 pair of each subject, made when it is first needed.
//!
//! Keys and signatures are files of two lines: a comment, and in base64 the letters `Ed`, the number of the key, and the
//! public key or the signature.

use std::{fmt, sync::Arc};

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::{Engine, prelude::BASE64_STANDARD};
use database::{
    ScopedFutureExt,
    signing::usign_keys::{self, NewUsignKey, UsignKeyRow},
};
use model::{digest::hex, repo::Repo};
use zeroize::Zeroizing;

use crate::{
    Caller, Error, House, Result,
    audit::{entry, record},
    sealing::SealContext,
};

/// The name of the algorithm in keys and signatures.
const ALGORITHM: &[u8] = b"Ed";

/// The key of a subject, unlocked.
pub(crate) struct UsignKey {
    pair: Ed25519KeyPair,
    /// The number that clients find the key by, in hexadecimal digits.
    number: String,
}

impl fmt::Debug for UsignKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UsignKey").field("number", &self.number).finish_non_exhaustive()
    }
}

/// Returns the key of a repository's owner, which is made on first use.
pub(crate) async fn of_owner(house: &House, repo: &Repo) -> Result<Arc<UsignKey>> {
    let row = match usign_keys::find(&house.db, repo.owner_id).await? {
        Some(row) => row,
        None => make(house, repo).await?,
    };
    let seed = house.secrets.unseal(place(row.id), &row.sealed_seed)?;
    UsignKey::new(&seed, row.number).map(Arc::new)
}

async fn make(house: &House, repo: &Repo) -> Result<UsignKeyRow> {
    let (id, seed) = (house.next_id(), Zeroizing::new(house.entropy.bytes()));
    let sealed_seed = house.secrets.seal(place(id), &*seed, &house.entropy)?;
    let number = hex(&house.entropy.number().to_be_bytes());
    let log = &entry(house, &Caller::job(), "usign_key.generate", &repo.owner, &number);
    let key = &NewUsignKey { id, subject_id: repo.owner_id, sealed_seed, number, created: house.clock.now() };
    house
        .db
        .write(|tx| {
            async move {
                // Another node may have been first; then its key is used.
                let is_own = usign_keys::insert(tx, key).await?;
                let lost = || Error::Internal("the key of a feed was not stored".into());
                let row = usign_keys::find(tx, key.subject_id).await?.ok_or_else(lost)?;
                if is_own {
                    record(tx, log).await?;
                }
                Ok(row)
            }
            .scope_boxed()
        })
        .await
}

/// Signs a text and returns the file of the signature.
pub(crate) async fn sign(house: &House, key: &Arc<UsignKey>, text: Vec<u8>) -> Result<Vec<u8>> {
    let _permits = house.signing.enter_signing().await?;
    let key = Arc::clone(key);
    house.signing.run(move || key.sign(&text)).await?
}

/// The context in which the seed of a key is sealed.
pub(crate) fn place(id: i64) -> SealContext {
    SealContext { table: "usign_keys", column: "sealed_seed", row: id }
}

impl UsignKey {
    fn new(seed: &[u8], number: String) -> Result<Self> {
        let damaged = |_| Error::Internal(format!("the usign key {number} is damaged"));
        Ok(Self { pair: Ed25519KeyPair::from_seed_unchecked(seed).map_err(damaged)?, number })
    }

    /// The file of the public key.
    pub(crate) fn public_file(&self) -> Result<Vec<u8>> {
        self.file("public key", self.pair.public_key().as_ref())
    }

    /// The file of the signature of these bytes.
    fn sign(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        self.file("signed by key", self.pair.sign(bytes).as_ref())
    }

    fn file(&self, comment: &str, bytes: &[u8]) -> Result<Vec<u8>> {
        let damaged = |_| Error::Internal(format!("'{}' is not the number of a key", self.number));
        let number = u64::from_str_radix(&self.number, 16).map_err(damaged)?.to_be_bytes();
        let text = BASE64_STANDARD.encode([ALGORITHM, &number, bytes].concat());
        Ok(format!("untrusted comment: {comment} {}\n{text}\n", self.number).into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::signature::{ED25519, UnparsedPublicKey};

    use super::*;

    fn bytes(file: &[u8]) -> Vec<u8> {
        let text = std::str::from_utf8(file).expect("a text");
        let (_, line) = text.strip_suffix('\n').and_then(|text| text.split_once('\n')).expect("two lines");
        BASE64_STANDARD.decode(line).expect("base64")
    }

    #[test]
    fn files_name_their_key() {
        let key = UsignKey::new(&[7; 32], "00f1e2d3c4b5a697".to_owned()).expect("a key");
        let (public, signature) = (key.public_file().expect("a file"), key.sign(b"text").expect("a file"));
        assert!(public.starts_with(b"untrusted comment: public key 00f1e2d3c4b5a697\n"));
        assert!(signature.starts_with(b"untrusted comment: signed by key 00f1e2d3c4b5a697\n"));
        let (public, signature) = (bytes(&public), bytes(&signature));
        assert_eq!((public.len(), signature.len()), (42, 74));
        assert_eq!(public[..10], *b"Ed\x00\xf1\xe2\xd3\xc4\xb5\xa6\x97");
        assert_eq!(public[..10], signature[..10]);
        let verifier = UnparsedPublicKey::new(&ED25519, &public[10..]);
        assert!(verifier.verify(b"text", &signature[10..]).is_ok());
        assert!(verifier.verify(b"Text", &signature[10..]).is_err());
        assert!(!format!("{key:?}").contains("pair"));
    }
}
