//! Reads and checks an armored private key: the part that signs, its expiry, and the public key that verifies.

use model::{digest::hex, timestamp::Timestamp};
use pgp::{
    composed::{ArmorOptions, Deserializable, DetachedSignature, SignedSecretKey, SignedSecretSubKey},
    packet::{PublicKey, Signature, SignatureType},
    ser::Serialize,
    types::{KeyDetails, KeyVersion, PublicParams, S2kParams, SecretParams, StringToKey, Tag},
};

use crate::{
    Error, Result,
    signing::{cost, signing_key::SigningKey},
};

/// The smallest RSA key: 2048 bits and the public exponent, as OpenPGP writes them.
const RSA_BYTES: usize = 2 + 256 + 2 + 1;

/// A usable private key.
pub(crate) struct Certificate {
    pub(super) part: SigningKey,
    pub(super) public_key: String,
    pub(super) fingerprint: String,
    pub(super) expiry: Option<Timestamp>,
}

impl Certificate {
    /// Returns whether the private part, if it is unlocked, makes signatures that the public part verifies.
    pub(super) fn is_sound(&self, now: Timestamp) -> bool {
        let proof = || {
            let signed = self.part.finish(self.part.begin(now).ok()?).ok()?;
            let (signature, _) = DetachedSignature::from_string(&signed).ok()?;
            self.part.verifies(&signature).then_some(())
        };
        self.part.is_locked() || proof().is_some()
    }
}

/// Reads an armored private key. Errors never contain any of its text.
pub(super) fn read(armoured: &str, now: Timestamp) -> Result<Certificate> {
    cost::check_size(armoured)?;
    let (key, _) =
        SignedSecretKey::from_string(armoured).map_err(|_| refused("it is not an armoured OpenPGP private key"))?;
    from_key(&key, now)
}

pub(super) fn from_key(key: &SignedSecretKey, now: Timestamp) -> Result<Certificate> {
    let primary = key.primary_key.public_key();
    if primary.version() != KeyVersion::V4 {
        return Err(refused("only version 4 keys are taken; others do not verify everywhere"));
    }
    if key.details.revocation_signatures.iter().any(|revocation| revocation.verify_key(primary).is_ok()) {
        return Err(refused("it is revoked"));
    }
    let own = self_signature(key).ok_or_else(|| refused("its self-signature is missing or wrong"))?;
    let ends = expiry(primary, own);
    if ends.is_some_and(|end| end <= now) {
        return Err(refused("it has expired"));
    }
    let (part, part_ends) = signing_part(key, own, now).ok_or_else(|| refused("no part of it can sign"))?;
    part.check_opening()?;
    let public_key = key.to_public_key().to_armored_string(ArmorOptions::default());
    Ok(Certificate {
        part,
        public_key: public_key.map_err(|_| refused("its public part cannot be written"))?,
        fingerprint: hex(primary.fingerprint().as_bytes()).to_uppercase(),
        expiry: ends.into_iter().chain(part_ends).min(),
    })
}

pub(super) fn refused(reason: &str) -> Error {
    Error::invalid("private_key", reason)
}

/// The newest valid self-signature of the key. Certifications by other keys are ignored.
fn self_signature(key: &SignedSecretKey) -> Option<&Signature> {
    let primary = key.primary_key.public_key();
    let direct = key.details.direct_signatures.iter().filter(|signature| signature.verify_key(primary).is_ok());
    let users = key.details.users.iter().flat_map(|user| {
        let is_valid = move |signature: &&Signature| {
            signature.typ() != Some(SignatureType::CertRevocation)
                && signature.verify_certification(primary, Tag::UserId, &user.id).is_ok()
        };
        user.signatures.iter().filter(is_valid)
    });
    direct.chain(users).max_by_key(|signature| signature.created())
}

/// The newest subkey that signs; otherwise the primary key, if it can sign.
fn signing_part(key: &SignedSecretKey, own: &Signature, now: Timestamp) -> Option<(SigningKey, Option<Timestamp>)> {
    let primary = key.primary_key.public_key();
    let subkeys = key.secret_subkeys.iter().filter_map(|subkey| {
        let ends = expiry(subkey.key.public_key(), binding(subkey, primary)?);
        let is_usable = ends.is_none_or(|end| end > now) && is_fit(&subkey.key, subkey.key.secret_params());
        is_usable.then_some((subkey, ends))
    });
    if let Some((subkey, ends)) = subkeys.max_by_key(|(subkey, _)| subkey.key.created_at()) {
        return Some((SigningKey::Sub(subkey.key.clone()), ends));
    }
    // Old keys do not specify their usage, and sign.
    let has_flags = own.config().is_some_and(|config| {
        config.hashed_subpackets().any(|subpacket| matches!(subpacket.data, pgp::packet::SubpacketData::KeyFlags(_)))
    });
    let may_sign = own.key_flags().sign() || !has_flags;
    let is_usable = may_sign && is_fit(&key.primary_key, key.primary_key.secret_params());
    is_usable.then(|| (SigningKey::Primary(key.primary_key.clone()), None))
}

/// Returns the signature that allows a subkey to sign for the primary key, if both keys confirm it and neither has
/// revoked it.
fn binding<'k>(subkey: &'k SignedSecretSubKey, primary: &PublicKey) -> Option<&'k Signature> {
    let own = subkey.key.public_key();
    if subkey.signatures.iter().any(|signature| signature.typ() == Some(SignatureType::SubkeyRevocation)) {
        return None;
    }
    let is_valid = |signature: &&Signature| signature.verify_subkey_binding(primary, own).is_ok();
    let newest = subkey.signatures.iter().filter(is_valid).max_by_key(|signature| signature.created())?;
    let back = newest.embedded_signature()?;
    (newest.key_flags().sign() && back.verify_primary_key_binding(own, primary).is_ok()).then_some(newest)
}

fn expiry(key: &impl KeyDetails, signature: &Signature) -> Option<Timestamp> {
    let lasts = signature.key_expiration_time().map(|lasts| lasts.as_secs()).filter(|lasts| *lasts > 0)?;
    Some(Timestamp::from_millis((i64::from(key.created_at().as_secs()) + i64::from(lasts)) * 1_000))
}

/// Returns whether the secret is present and its signatures are strong enough.
fn is_fit(key: &impl KeyDetails, secret: &SecretParams) -> bool {
    let is_strong = match key.public_params() {
        PublicParams::RSA(rsa) => rsa.write_len() >= RSA_BYTES,
        PublicParams::ECDSA(_) | PublicParams::EdDSALegacy(_) => true,
        _ => false,
    };
    let opens = match secret {
        SecretParams::Plain(_) => true,
        SecretParams::Encrypted(locked) => match locked.string_to_key_params() {
            S2kParams::Unprotected | S2kParams::LegacyCfb { .. } => true,
            S2kParams::Aead { s2k, .. } | S2kParams::Cfb { s2k, .. } | S2kParams::MalleableCfb { s2k, .. } => match s2k
            {
                StringToKey::Simple { .. }
                | StringToKey::Salted { .. }
                | StringToKey::IteratedAndSalted { .. }
                | StringToKey::Argon2 { .. } => true,
                // A stub: the secret itself is on a card, or was omitted.
                _ => false,
            },
        },
    };
    is_strong && opens
}
