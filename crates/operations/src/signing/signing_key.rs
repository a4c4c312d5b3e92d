//! The part of a private key that signs: the primary key or one of its subkeys, and nothing else.

use pgp::{
    composed::{ArmorOptions, DetachedSignature},
    packet::{
        Packet, PacketParser, PacketTrait, SecretKey, SecretSubkey, SignatureConfig, SignatureHasher, SignatureType,
        Subpacket, SubpacketData,
    },
    types::{Password, PublicParams, Timestamp as Moment},
};
use zeroize::Zeroizing;

use crate::{
    Error, Result,
    signing::{SecretText, cost},
};
use model::timestamp::Timestamp;

/// What signs. It has no `Debug`, and is wiped when it is dropped.
#[derive(Clone)]
pub(crate) enum SigningKey {
    Primary(SecretKey),
    Sub(SecretSubkey),
}

impl SigningKey {
    /// Reads what [`SigningKey::to_bytes`] has written.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self> {
        match PacketParser::new(bytes).next() {
            Some(Ok(Packet::SecretKey(key))) => Ok(SigningKey::Primary(key)),
            Some(Ok(Packet::SecretSubkey(key))) => Ok(SigningKey::Sub(key)),
            _ => Err(Error::Internal("a sealed signing key is damaged".into())),
        }
    }

    /// As it is sealed.
    pub(crate) fn to_bytes(&self) -> Result<Zeroizing<Vec<u8>>> {
        let mut bytes = Zeroizing::new(Vec::new());
        let written = match self {
            SigningKey::Primary(key) => key.to_writer_with_header(&mut *bytes),
            SigningKey::Sub(key) => key.to_writer_with_header(&mut *bytes),
        };
        written.map_err(|_| Error::Internal("a signing key could not be written".into()))?;
        Ok(bytes)
    }

    /// Whether it opens with a passphrase only.
    pub(crate) fn is_locked(&self) -> bool {
        match self {
            SigningKey::Primary(key) => key.secret_params().is_encrypted(),
            SigningKey::Sub(key) => key.secret_params().is_encrypted(),
        }
    }

    /// Refuses one that takes too much to open.
    pub(crate) fn check_opening(&self) -> Result<()> {
        match self {
            SigningKey::Primary(key) => cost::check_opening(key.secret_params()),
            SigningKey::Sub(key) => cost::check_opening(key.secret_params()),
        }
    }

    /// Opens it for good; `false` when this is not its passphrase. Takes long on purpose: not for threads that serve.
    pub(crate) fn unlock(&mut self, passphrase: &SecretText) -> bool {
        let password = Password::from(passphrase.expose().as_bytes());
        let opened = match self {
            SigningKey::Primary(key) => key.remove_password(&password),
            SigningKey::Sub(key) => key.remove_password(&password),
        };
        opened.is_ok()
    }

    /// Whether how long it signs may tell something about it.
    pub(crate) fn is_rsa(&self) -> bool {
        matches!(self.key().public_params(), PublicParams::RSA(_))
    }

    /// Begins a signature of content that is written into it.
    pub(crate) fn begin(&self, now: Timestamp) -> Result<SignatureHasher> {
        let key = self.key();
        let mut config = SignatureConfig::v4(SignatureType::Binary, key.algorithm(), key.hash_alg());
        let subpackets = || {
            let time = SubpacketData::SignatureCreationTime(moment(now));
            let hashed = [SubpacketData::IssuerFingerprint(key.fingerprint()), time];
            let hashed = hashed.into_iter().map(Subpacket::regular).collect::<pgp::errors::Result<Vec<_>>>()?;
            Ok((hashed, vec![Subpacket::regular(SubpacketData::IssuerKeyId(key.legacy_key_id()))?]))
        };
        (config.hashed_subpackets, config.unhashed_subpackets) = subpackets().map_err(failed)?;
        config.into_hasher().map_err(failed)
    }

    /// Ends it: the armoured signature. The key must be open.
    pub(crate) fn finish(&self, hasher: SignatureHasher) -> Result<String> {
        let signature = hasher.sign(self.key(), &Password::empty()).map_err(failed)?;
        DetachedSignature::new(signature).to_armored_string(ArmorOptions::default()).map_err(failed)
    }

    /// Whether the public part of it takes this for a signature of nothing.
    pub(crate) fn verifies(&self, signature: &DetachedSignature) -> bool {
        match self {
            SigningKey::Primary(key) => signature.verify(key.public_key(), &[]).is_ok(),
            SigningKey::Sub(key) => signature.verify(key.public_key(), &[]).is_ok(),
        }
    }

    fn key(&self) -> &dyn pgp::types::SigningKey {
        match self {
            SigningKey::Primary(key) => key,
            SigningKey::Sub(key) => key,
        }
    }
}

/// A moment as OpenPGP has it, in whole seconds.
pub(crate) fn moment(at: Timestamp) -> Moment {
    Moment::from_secs(u32::try_from(at.millis() / 1_000).unwrap_or(u32::MAX))
}

/// The cause is left out: nobody has promised that it holds nothing of the key.
pub(crate) fn failed(_: pgp::errors::Error) -> Error {
    Error::Internal("a signing key does not sign".into())
}
