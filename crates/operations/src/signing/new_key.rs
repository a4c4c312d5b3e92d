//! Generates keys: an Ed25519 primary key, and a separate subkey that signs.

use model::timestamp::Timestamp;
use pgp::{
    composed::{KeyType, SignedKeyDetails, SignedSecretKey, SignedSecretSubKey},
    crypto::public_key::PublicKeyAlgorithm,
    errors::Result,
    packet::{
        KeyFlags, PubKeyInner, PublicKey, PublicSubkey, SecretKey, SecretSubkey, Signature, SignatureConfig,
        SignatureType, Subpacket, SubpacketData, UserId,
    },
    types::{KeyVersion, Password, SigningKey, Tag, Timestamp as Moment},
};
use rand_core::{CryptoRng, RngCore};

use crate::{
    Entropy,
    signing::{
        certificate::{self, Certificate},
        signing_key::{failed, moment},
    },
};

/// Generates a key for the subject with this name. It does not expire, and needs no passphrase.
pub(super) fn generate(name: &str, entropy: &Entropy, now: Timestamp) -> crate::Result<Certificate> {
    let key = make(name, Random(entropy), moment(now)).map_err(failed)?;
    // The key is read back like a key that a caller sends, so that the same rules apply to it.
    certificate::from_key(&key, now)
}

fn make(name: &str, mut random: Random<'_>, now: Moment) -> Result<SignedSecretKey> {
    let inner = |params| PubKeyInner::new(KeyVersion::V4, PublicKeyAlgorithm::EdDSALegacy, now, None, params);
    let (public, secret) = KeyType::Ed25519Legacy.generate(&mut random)?;
    let primary = SecretKey::new(PublicKey::from_inner(inner(public)?)?, secret)?;
    let (public, secret) = KeyType::Ed25519Legacy.generate(&mut random)?;
    let subkey = SecretSubkey::new(PublicSubkey::from_inner(inner(public)?)?, secret)?;

    let user = UserId::from_str(Default::default(), name)?;
    let certify = [SubpacketData::KeyFlags(flags(KeyFlags::set_certify)), SubpacketData::IsPrimary(true)];
    let config = config(&primary, SignatureType::CertPositive, now, certify.into())?;
    let open = Password::empty();
    let own = config.sign_certification(&primary, primary.public_key(), &open, Tag::UserId, &user)?;
    let bound = bind(&primary, &subkey, now)?;
    let details = SignedKeyDetails::new(vec![], vec![], vec![user.into_signed(own)], vec![]);
    let subkeys = vec![SignedSecretSubKey::new(subkey, vec![bound])];
    Ok(SignedSecretKey::new(primary, details, vec![], subkeys))
}

/// Signs with both keys that the subkey signs for the primary one.
fn bind(primary: &SecretKey, subkey: &SecretSubkey, now: Moment) -> Result<Signature> {
    let open = Password::empty();
    let back = config(subkey, SignatureType::KeyBinding, now, vec![])?;
    let back = back.sign_primary_key_binding(subkey, subkey.public_key(), &open, primary.public_key())?;
    let sign =
        vec![SubpacketData::KeyFlags(flags(KeyFlags::set_sign)), SubpacketData::EmbeddedSignature(Box::new(back))];
    let config = config(primary, SignatureType::SubkeyBinding, now, sign)?;
    config.sign_subkey_binding(primary, primary.public_key(), &open, subkey.public_key())
}

/// Configures a signature by a key at a given time: the library would use the system's clock.
fn config(
    key: &impl SigningKey,
    kind: SignatureType,
    now: Moment,
    said: Vec<SubpacketData>,
) -> Result<SignatureConfig> {
    let mut config = SignatureConfig::v4(kind, key.algorithm(), key.hash_alg());
    let always = [SubpacketData::SignatureCreationTime(now), SubpacketData::IssuerFingerprint(key.fingerprint())];
    config.hashed_subpackets = always.into_iter().chain(said).map(Subpacket::regular).collect::<Result<_>>()?;
    config.unhashed_subpackets = vec![Subpacket::regular(SubpacketData::IssuerKeyId(key.legacy_key_id()))?];
    Ok(config)
}

fn flags(set: fn(&mut KeyFlags, bool)) -> KeyFlags {
    let mut flags = KeyFlags::default();
    set(&mut flags, true);
    flags
}

/// The house's entropy, as the random source for OpenPGP.
struct Random<'e>(&'e Entropy);

impl CryptoRng for Random<'_> {}

impl RngCore for Random<'_> {
    fn next_u32(&mut self) -> u32 {
        rand_core::impls::next_u32_via_fill(self)
    }

    fn next_u64(&mut self) -> u64 {
        self.0.number()
    }

    fn fill_bytes(&mut self, target: &mut [u8]) {
        for part in target.chunks_mut(32) {
            part.copy_from_slice(&self.0.bytes()[..part.len()]);
        }
    }

    fn try_fill_bytes(&mut self, target: &mut [u8]) -> std::result::Result<(), rand_core::Error> {
        self.fill_bytes(target);
        Ok(())
    }
}
