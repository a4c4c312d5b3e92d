//! Verifies the signatures of files with trusted keys.

use std::{
    fs::{self, File},
    io::BufReader,
    path::{Path, PathBuf},
};

use pgp::{
    composed::{Deserializable, DetachedSignature, SignedPublicKey, SignedPublicSubKey},
    packet::{Signature, SignatureType},
    types::{KeyDetails, Tag, Timestamp, VerifyingKey},
};

use super::{destination::Target, summary::Summary};
use crate::{
    address::encode,
    clock::now_ms,
    error::{Error, ExitKind, Result},
    session::Session,
};

/// The trusted public keys.
pub(super) struct Keys(Vec<SignedPublicKey>);

impl Keys {
    /// Loads the keys from files, or else those that the server has for the owner and for itself.
    pub(super) async fn load(session: &Session, owner: &str, files: &[PathBuf]) -> Result<Self> {
        let mut texts = Vec::new();
        for file in files {
            texts.push(fs::read_to_string(file).map_err(|error| Error::local(file.display(), error))?);
        }
        if files.is_empty() {
            let owner = encode(owner);
            let paths = [format!("/users/{owner}/keys/gpg"), format!("/orgs/{owner}/keys/gpg"), "/keys/gpg".to_owned()];
            for path in paths {
                match session.client.text(&format!("{path}/public.key")).await {
                    Ok(text) => texts.push(text),
                    Err(error) if error.kind == ExitKind::Missing => {}
                    Err(error) => return Err(error),
                }
            }
        }
        let mut keys = Vec::new();
        for text in texts {
            let (read, _) = SignedPublicKey::from_string_many(&text).map_err(not_a_key)?;
            keys.extend(read.collect::<std::result::Result<Vec<_>, _>>().map_err(not_a_key)?);
        }
        Ok(Self(keys))
    }

    /// Returns the fingerprint of the key that made the signature.
    fn signer(&self, signature: &DetachedSignature, content: &Path) -> Option<String> {
        self.0.iter().find(|key| is_by(signature, key, content)).map(fingerprint)
    }
}

/// Returns whether a key made the signature: with its primary key, or with a bound, unrevoked subkey. Both must have
/// been valid at the time of the signature.
fn is_by(signature: &DetachedSignature, key: &SignedPublicKey, content: &Path) -> bool {
    let primary = &key.primary_key;
    let Some(made) = signature.signature.created().filter(|made| !has_ended(&signature.signature, *made)) else {
        return false;
    };
    let is_revoked = key.details.revocation_signatures.iter().any(|revocation| revocation.verify_key(primary).is_ok());
    if is_revoked || !self_signature(key).is_some_and(|own| was_good(primary, own, made)) {
        return false;
    }
    let is_by_part = |part: &SignedPublicSubKey| {
        let is_revoked = part.signatures.iter().any(|binding| binding.typ() == Some(SignatureType::SubkeyRevocation));
        let newest = part.signatures.iter().max_by_key(|binding| binding.created());
        let may_sign = newest.is_some_and(|binding| binding.key_flags().sign() && was_good(&part.key, binding, made));
        !is_revoked && may_sign && part.verify_bindings(primary).is_ok() && verifies(signature, &part.key, content)
    };
    verifies(signature, primary, content) || key.public_subkeys.iter().any(is_by_part)
}

/// Returns the newest valid self-signature of a key. Ignores signatures of others.
fn self_signature(key: &SignedPublicKey) -> Option<&Signature> {
    let primary = &key.primary_key;
    let direct = key.details.direct_signatures.iter().filter(|signature| signature.verify_key(primary).is_ok());
    let of_users = key.details.users.iter().flat_map(|user| {
        let is_valid = move |signature: &&Signature| {
            signature.typ() != Some(SignatureType::CertRevocation)
                && signature.verify_certification(primary, Tag::UserId, &user.id).is_ok()
        };
        user.signatures.iter().filter(is_valid)
    });
    direct.chain(of_users).max_by_key(|signature| signature.created())
}

/// Returns whether a key with this self-signature existed at that time and had not expired.
fn was_good(key: &impl KeyDetails, signature: &Signature, at: Timestamp) -> bool {
    let age = i64::from(at.as_secs()) - i64::from(key.created_at().as_secs());
    let lasts = signature.key_expiration_time().map(|lasts| i64::from(lasts.as_secs())).filter(|lasts| *lasts > 0);
    age >= 0 && lasts.is_none_or(|lasts| age < lasts)
}

/// Returns whether a signature made at that time has expired by its own expiration time.
fn has_ended(signature: &Signature, made: Timestamp) -> bool {
    let lasts = signature.signature_expiration_time().map(|lasts| i64::from(lasts.as_secs()));
    lasts.is_some_and(|lasts| lasts > 0 && i64::from(made.as_secs()) + lasts <= now_ms() / 1_000)
}

fn verifies(signature: &DetachedSignature, key: &impl VerifyingKey, content: &Path) -> bool {
    File::open(content).is_ok_and(|file| signature.signature.verify(key, BufReader::new(file)).is_ok())
}

/// Verifies the signature of every downloaded file.
pub(super) async fn check(keys: &Keys, targets: &[Target], summary: &mut Summary, is_required: bool) {
    for file in summary.files.iter_mut().filter(|file| file.error.is_none() && !file.path.ends_with(".asc")) {
        let signature_path = format!("{}.asc", file.path);
        let signature = targets.iter().find(|target| target.file.path == signature_path);
        match signature.map(|signature| signer(keys, &signature.path, Path::new(&file.file))) {
            Some(Some(fingerprint)) => file.signed_by = Some(fingerprint),
            Some(None) => file.refuse(
                ExitKind::Signature,
                "it is not signed by a trusted key that was valid at that time".to_owned(),
            ),
            None if is_required => file.refuse(ExitKind::Signature, "it has no signature".to_owned()),
            None => {}
        }
    }
}

fn signer(keys: &Keys, signature: &Path, content: &Path) -> Option<String> {
    let text = fs::read_to_string(signature).ok()?;
    let (signature, _) = DetachedSignature::from_string(&text).ok()?;
    keys.signer(&signature, content)
}

fn fingerprint(key: &SignedPublicKey) -> String {
    key.fingerprint().as_bytes().iter().map(|byte| format!("{byte:02X}")).collect()
}

fn not_a_key(error: pgp::errors::Error) -> Error {
    Error::new(ExitKind::Signature, format!("reading a public key failed: {error}"))
}
