//! Signatures beside files, verified with the keys that one trusts.

use std::{
    fs::{self, File},
    io::BufReader,
    path::{Path, PathBuf},
};

use pgp::{
    composed::{Deserializable, DetachedSignature, SignedPublicKey, SignedPublicSubKey},
    packet::SignatureType,
    types::{KeyDetails, VerifyingKey},
};

use super::{place::Target, summary::Summary};
use crate::{
    address::encode,
    error::{Error, Kind, Result},
    session::Session,
};

/// The public keys to verify with.
pub(super) struct Keys(Vec<SignedPublicKey>);

impl Keys {
    /// Those of the files, or else those that the server has for the owner and for itself.
    pub(super) async fn load(session: &Session, owner: &str, files: &[PathBuf]) -> Result<Self> {
        let mut texts = Vec::new();
        for file in files {
            texts.push(fs::read_to_string(file).map_err(|error| Error::local(file.display(), error))?);
        }
        if files.is_empty() {
            let owner = encode(owner);
            let places =
                [format!("/users/{owner}/keys/gpg"), format!("/orgs/{owner}/keys/gpg"), "/keys/gpg".to_owned()];
            for place in places {
                match session.client.text(&format!("{place}/public.key")).await {
                    Ok(text) => texts.push(text),
                    Err(error) if error.kind == Kind::Missing => {}
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

    /// The fingerprint of the key that has made the signature.
    fn signer(&self, signature: &DetachedSignature, content: &Path) -> Option<String> {
        self.0.iter().find(|key| is_by(signature, key, content)).map(fingerprint)
    }
}

/// A key signs itself, or through a part that it vouches for and has not taken back.
fn is_by(signature: &DetachedSignature, key: &SignedPublicKey, content: &Path) -> bool {
    let primary = &key.primary_key;
    if key.details.revocation_signatures.iter().any(|revocation| revocation.verify_key(primary).is_ok()) {
        return false;
    }
    let is_by_part = |part: &SignedPublicSubKey| {
        let is_revoked = part.signatures.iter().any(|binding| binding.typ() == Some(SignatureType::SubkeyRevocation));
        let may_sign = part.signatures.iter().any(|binding| binding.key_flags().sign());
        !is_revoked && may_sign && part.verify_bindings(primary).is_ok() && verifies(signature, &part.key, content)
    };
    verifies(signature, primary, content) || key.public_subkeys.iter().any(is_by_part)
}

fn verifies(signature: &DetachedSignature, key: &impl VerifyingKey, content: &Path) -> bool {
    File::open(content).is_ok_and(|file| signature.signature.verify(key, BufReader::new(file)).is_ok())
}

/// Looks at the signature of every file that is here.
pub(super) async fn check(keys: &Keys, targets: &[Target], summary: &mut Summary, is_required: bool) {
    for file in summary.files.iter_mut().filter(|file| file.error.is_none() && !file.path.ends_with(".asc")) {
        let beside = format!("{}.asc", file.path);
        let signature = targets.iter().find(|target| target.file.path == beside);
        match signature.map(|signature| signer(keys, &signature.path, Path::new(&file.file))) {
            Some(Some(fingerprint)) => file.signed_by = Some(fingerprint),
            Some(None) => file.refuse(Kind::Signature, "its signature is not by a key that is trusted".to_owned()),
            None if is_required => file.refuse(Kind::Signature, "it has no signature".to_owned()),
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
    Error::new(Kind::Signature, format!("a public key cannot be read: {error}"))
}
