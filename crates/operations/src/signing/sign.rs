//! Makes signatures: content streams through the hash once, and is never in memory as a whole.

use std::{io::Write, sync::Arc, time::Duration};

use ::blobs::ReceiveOptions;
use bytes::Bytes;
use database::content::blobs;
use futures_util::{TryStreamExt, stream};
use model::{blob::Blob, id::BlobId, timestamp::Timestamp};
use pgp::packet::SignatureHasher;
use sha2::{Digest, Sha256};

use crate::{
    Error, House, Result,
    signing::signing_key::SigningKey,
    storage::{store, suspects::suspect},
};

/// The minimum duration of a signature by an RSA key. The duration of the computation itself depends on the key, and
/// must not be visible from outside (RUSTSEC-2023-0071).
const RSA_TIME: Duration = Duration::from_millis(100);

/// Signs stored content and stores the signature, which no file refers to yet.
pub(crate) async fn sign_content(house: &House, key: &Arc<SigningKey>, blob_id: BlobId) -> Result<Blob> {
    let gone = || Error::Internal(format!("blob {blob_id} is not in the store"));
    let blob = blobs::find(&house.db, blob_id).await?.ok_or_else(gone)?;
    let content = house.blobs.read(blob.sha256, None).await?.ok_or_else(|| Error::damaged(blob.sha256))?;
    let hashers = (key.begin(house.clock.now())?, Sha256::new());
    let hashed = content.stream.map_err(Error::from).try_fold(hashers, |hashers, piece| update(house, hashers, piece));
    let (hasher, sha256) = hashed.await?;
    // Damaged content is never signed.
    if <[u8; 32]>::from(sha256.finalize()) != *blob.sha256.as_bytes() {
        suspect(house, &blob);
        return Err(Error::damaged(blob.sha256));
    }
    let armoured = finish(house, key, hasher).await?;
    let body = stream::iter([Ok::<_, std::io::Error>(Bytes::from(armoured))]);
    let options = ReceiveOptions { max_bytes: house.policy.upload_bytes, sha1: true, md5: true, sha512: true };
    store::commit(house, house.blobs.receive(body, options).await?).await
}

/// Signs a text and returns the armored signature.
pub(crate) async fn sign_text(house: &House, key: &Arc<SigningKey>, text: &str) -> Result<String> {
    let mut hasher = key.begin(house.clock.now())?;
    hash(&mut hasher, text.as_bytes())?;
    finish(house, key, hasher).await
}

/// Signs bytes, with this time in the signature.
pub(crate) async fn sign_bytes(house: &House, key: &Arc<SigningKey>, bytes: &[u8], at: Timestamp) -> Result<String> {
    let mut hasher = key.begin(at)?;
    hash(&mut hasher, bytes)?;
    finish(house, key, hasher).await
}

/// Puts a cleartext signature around a text, with this time in it.
pub(crate) async fn sign_cleartext(house: &House, key: &Arc<SigningKey>, text: &[u8], at: Timestamp) -> Result<String> {
    let at_least = if key.is_rsa() { RSA_TIME } else { Duration::ZERO };
    let text = String::from_utf8(text.to_vec()).map_err(|_| Error::Internal("a document is not UTF-8".into()))?;
    let key = Arc::clone(key);
    let signing = house.signing.run(move || key.sign_cleartext(&text, at));
    let (signed, ()) = tokio::join!(signing, tokio::time::sleep(at_least));
    signed?
}

/// Signs bytes with an RSA key, without OpenPGP.
pub(crate) async fn sign_rsa(house: &House, key: &Arc<SigningKey>, bytes: Vec<u8>) -> Result<Vec<u8>> {
    let key = Arc::clone(key);
    let signing = house.signing.run(move || key.sign_rsa(&bytes));
    let (signed, ()) = tokio::join!(signing, tokio::time::sleep(RSA_TIME));
    signed?
}

type Hashers = (SignatureHasher, Sha256);

async fn update(house: &House, (mut hasher, mut sha256): Hashers, piece: Bytes) -> Result<Hashers> {
    let hashed = house.signing.run(move || {
        sha256.update(&piece);
        hash(&mut hasher, &piece).map(|()| (hasher, sha256))
    });
    hashed.await?
}

fn hash(hasher: &mut SignatureHasher, bytes: &[u8]) -> Result<()> {
    hasher.write_all(bytes).map_err(|error| Error::Internal(format!("hashing content failed: {error}")))
}

async fn finish(house: &House, key: &Arc<SigningKey>, hasher: SignatureHasher) -> Result<String> {
    let at_least = if key.is_rsa() { RSA_TIME } else { Duration::ZERO };
    let key = Arc::clone(key);
    let signing = house.signing.run(move || key.finish(hasher));
    let (signed, ()) = tokio::join!(signing, tokio::time::sleep(at_least));
    signed?
}
