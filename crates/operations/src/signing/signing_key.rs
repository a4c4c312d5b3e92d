//! The part of a private key that signs: only the primary key or one of its subkeys.

use pgp::{
    composed::{ArmorOptions, CleartextSignedMessage, Deserializable, DetachedSignature, SignedPublicKey},
    packet::{
        Packet, PacketParser, PacketTrait, SecretKey, SecretSubkey, SignatureConfig, SignatureHasher, SignatureType,
        Subpacket, SubpacketData,
    },
    ser::Serialize,
    types::{Password, PublicParams, Timestamp as Moment},
};
use zeroize::Zeroizing;

use crate::{
    Error, Result,
    signing::{SecretText, cost},
};
use model::timestamp::Timestamp;

/// The secret that signs. It has no `Debug`, and is wiped when it is dropped.
#[derive(Clone)]
pub(crate) enum SigningKey {
    Primary(SecretKey),
    Sub(SecretSubkey),
}

impl SigningKey {
    /// Reads the output of [`SigningKey::to_bytes`].
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self> {
        match PacketParser::new(bytes).next() {
            Some(Ok(Packet::SecretKey(key))) => Ok(SigningKey::Primary(key)),
            Some(Ok(Packet::SecretSubkey(key))) => Ok(SigningKey::Sub(key)),
            _ => Err(Error::Internal("a sealed signing key is damaged".into())),
        }
    }

    /// Serializes the key for sealing.
    pub(crate) fn to_bytes(&self) -> Result<Zeroizing<Vec<u8>>> {
        let mut bytes = Zeroizing::new(Vec::new());
        let written = match self {
            SigningKey::Primary(key) => key.to_writer_with_header(&mut *bytes),
            SigningKey::Sub(key) => key.to_writer_with_header(&mut *bytes),
        };
        written.map_err(|_| Error::Internal("writing a signing key failed".into()))?;
        Ok(bytes)
    }

    /// Returns whether it needs a passphrase.
    pub(crate) fn is_locked(&self) -> bool {
        match self {
            SigningKey::Primary(key) => key.secret_params().is_encrypted(),
            SigningKey::Sub(key) => key.secret_params().is_encrypted(),
        }
    }

    /// Rejects a key that is too expensive to unlock.
    pub(crate) fn check_opening(&self) -> Result<()> {
        match self {
            SigningKey::Primary(key) => cost::check_opening(key.secret_params()),
            SigningKey::Sub(key) => cost::check_opening(key.secret_params()),
        }
    }

    /// Unlocks it permanently; returns `false` for a wrong passphrase. This is slow on purpose: do not call it on
    /// threads that serve requests.
    pub(crate) fn unlock(&mut self, passphrase: &SecretText) -> bool {
        let password = Password::from(passphrase.expose().as_bytes());
        let opened = match self {
            SigningKey::Primary(key) => key.remove_password(&password),
            SigningKey::Sub(key) => key.remove_password(&password),
        };
        opened.is_ok()
    }

    /// Returns whether the duration of signing may reveal something about the key.
    pub(crate) fn is_rsa(&self) -> bool {
        matches!(self.key().public_params(), PublicParams::RSA(_))
    }

    /// Begins a signature of the content that is written into the hasher.
    pub(crate) fn begin(&self, now: Timestamp) -> Result<SignatureHasher> {
        self.config(SignatureType::Binary, now)?.into_hasher().map_err(failed)
    }

    /// Puts a cleartext signature around a text, with this time in it.
    pub(crate) fn sign_cleartext(&self, text: &str, now: Timestamp) -> Result<String> {
        let config = self.config(SignatureType::Text, now)?;
        // The line break before the signature is not part of the text.
        let text = text.strip_suffix('\n').unwrap_or(text);
        let message = match self {
            SigningKey::Primary(key) => CleartextSignedMessage::new(text, config, key, &Password::empty()),
            SigningKey::Sub(key) => CleartextSignedMessage::new(text, config, key, &Password::empty()),
        };
        message.map_err(failed)?.to_armored_string(ArmorOptions::default()).map_err(failed)
    }

    fn config(&self, kind: SignatureType, now: Timestamp) -> Result<SignatureConfig> {
        let key = self.key();
        let mut config = SignatureConfig::v4(kind, key.algorithm(), key.hash_alg());
        let subpackets = || {
            let time = SubpacketData::SignatureCreationTime(moment(now));
            let hashed = [SubpacketData::IssuerFingerprint(key.fingerprint()), time];
            let hashed = hashed.into_iter().map(Subpacket::regular).collect::<pgp::errors::Result<Vec<_>>>()?;
            Ok((hashed, vec![Subpacket::regular(SubpacketData::IssuerKeyId(key.legacy_key_id()))?]))
        };
        (config.hashed_subpackets, config.unhashed_subpackets) = subpackets().map_err(failed)?;
        Ok(config)
    }

    /// Finishes it and returns the armored signature. The key must be unlocked.
    pub(crate) fn finish(&self, hasher: SignatureHasher) -> Result<String> {
        let signature = hasher.sign(self.key(), &Password::empty()).map_err(failed)?;
        DetachedSignature::new(signature).to_armored_string(ArmorOptions::default()).map_err(failed)
    }

    /// Returns whether its public part accepts this as a signature of empty content.
    pub(crate) fn verifies(&self, signature: &DetachedSignature) -> bool {
        match self {
            SigningKey::Primary(key) => signature.verify(key.public_key(), &[]).is_ok(),
            SigningKey::Sub(key) => signature.verify(key.public_key(), &[]).is_ok(),
        }
    }

    /// The key itself.
    pub(super) fn key(&self) -> &dyn pgp::types::SigningKey {
        match self {
            SigningKey::Primary(key) => key,
            SigningKey::Sub(key) => key,
        }
    }
}

/// Converts a time for OpenPGP, to whole seconds.
pub(crate) fn moment(at: Timestamp) -> Moment {
    Moment::from_secs(u32::try_from(at.millis() / 1_000).unwrap_or(u32::MAX))
}

/// Omits the cause, because it could contain a part of the key.
pub(crate) fn failed(_: pgp::errors::Error) -> Error {
    Error::Internal("a signing key does not sign".into())
}

/// Returns the bytes of an armored public key.
pub(crate) fn binary_key(armored: &str) -> Result<Vec<u8>> {
    read_public(armored)?.to_bytes().map_err(failed)
}

/// Reads an armored public key.
pub(crate) fn read_public(armored: &str) -> Result<SignedPublicKey> {
    Ok(SignedPublicKey::from_string(armored).map_err(failed)?.0)
}

/// Returns the bytes of an armored signature.
pub(crate) fn binary_signature(armored: &str) -> Result<Vec<u8>> {
    let (signature, _) = DetachedSignature::from_string(armored).map_err(failed)?;
    signature.to_bytes().map_err(failed)
}
