//! The public keys of an issuer.

use aws_lc_rs::signature::{
    self, ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RsaParameters, RsaPublicKeyComponents,
    UnparsedPublicKey, VerificationAlgorithm,
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::Deserialize;
use serde_json::Value;

use super::jose::Algorithm;

/// The most keys of an issuer that are read.
const KEYS: usize = 100;

/// A key.
#[derive(Debug, Clone)]
pub(super) struct Key {
    kid: Option<String>,
    /// The one algorithm that it is for, if the issuer names it.
    algorithm: Option<Algorithm>,
    material: Material,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Material {
    Rsa { n: Vec<u8>, e: Vec<u8> },
    P256(Vec<u8>),
    P384(Vec<u8>),
    Ed25519(Vec<u8>),
}

/// A key as the issuer writes it.
#[derive(Debug, Deserialize)]
struct Jwk {
    kty: String,
    kid: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    alg: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

#[derive(Debug, Deserialize)]
struct KeySet {
    keys: Vec<Value>,
}

/// Reads the keys of an issuer. Those of unknown kinds, for other purposes, or with unknown algorithms are left out.
pub(super) fn parse(json: &[u8]) -> Option<Vec<Key>> {
    let set: KeySet = serde_json::from_slice(json).ok()?;
    let jwks = set.keys.into_iter().take(KEYS).filter_map(|key| serde_json::from_value(key).ok());
    Some(jwks.filter_map(key).collect())
}

fn key(jwk: Jwk) -> Option<Key> {
    if jwk.purpose.as_deref().is_some_and(|purpose| purpose != "sig") {
        return None;
    }
    let algorithm = match jwk.alg.as_deref() {
        Some(name) => Some(Algorithm::parse(name)?),
        None => None,
    };
    let bytes = |text: &Option<String>| BASE64_URL_SAFE_NO_PAD.decode(text.as_deref()?).ok();
    let point = |length: usize| {
        let (x, y) = (bytes(&jwk.x)?, bytes(&jwk.y)?);
        (x.len() == length && y.len() == length).then(|| [vec![4], x, y].concat())
    };
    let material = match (jwk.kty.as_str(), jwk.crv.as_deref()) {
        ("RSA", _) => Material::Rsa { n: without_zeros(bytes(&jwk.n)?), e: without_zeros(bytes(&jwk.e)?) },
        ("EC", Some("P-256")) => Material::P256(point(32)?),
        ("EC", Some("P-384")) => Material::P384(point(48)?),
        ("OKP", Some("Ed25519")) => Material::Ed25519(bytes(&jwk.x).filter(|x| x.len() == 32)?),
        _ => return None,
    };
    Some(Key { kid: jwk.kid, algorithm, material })
}

fn without_zeros(bytes: Vec<u8>) -> Vec<u8> {
    bytes.into_iter().skip_while(|byte| *byte == 0).collect()
}

impl Key {
    /// Returns whether it may have made a signature with this algorithm: its kind decides, not the token.
    pub(super) fn may_be(&self, algorithm: Algorithm, kid: Option<&str>) -> bool {
        let is_named = kid.is_none_or(|kid| self.kid.as_deref() == Some(kid));
        let is_kind = match self.material {
            Material::Rsa { .. } => rsa(algorithm).is_some(),
            Material::P256(_) => algorithm == Algorithm::Es256,
            Material::P384(_) => algorithm == Algorithm::Es384,
            Material::Ed25519(_) => algorithm == Algorithm::EdDsa,
        };
        is_named && is_kind && self.algorithm.is_none_or(|own| own == algorithm)
    }

    /// Returns whether it has signed this.
    pub(super) fn verify(&self, algorithm: Algorithm, signed: &[u8], signature: &[u8]) -> bool {
        let with = |kind: &'static dyn VerificationAlgorithm, key: &[u8]| {
            UnparsedPublicKey::new(kind, key).verify(signed, signature).is_ok()
        };
        match (&self.material, rsa(algorithm)) {
            (Material::Rsa { n, e }, Some(parameters)) => {
                RsaPublicKeyComponents { n, e }.verify(parameters, signed, signature).is_ok()
            }
            (Material::P256(point), None) if algorithm == Algorithm::Es256 => with(&ECDSA_P256_SHA256_FIXED, point),
            (Material::P384(point), None) if algorithm == Algorithm::Es384 => with(&ECDSA_P384_SHA384_FIXED, point),
            (Material::Ed25519(point), None) if algorithm == Algorithm::EdDsa => with(&ED25519, point),
            _ => false,
        }
    }
}

/// The parameters of an RSA signature; keys have 2048 bits or more.
fn rsa(algorithm: Algorithm) -> Option<&'static RsaParameters> {
    match algorithm {
        Algorithm::Rs256 => Some(&signature::RSA_PKCS1_2048_8192_SHA256),
        Algorithm::Rs384 => Some(&signature::RSA_PKCS1_2048_8192_SHA384),
        Algorithm::Rs512 => Some(&signature::RSA_PKCS1_2048_8192_SHA512),
        Algorithm::Ps256 => Some(&signature::RSA_PSS_2048_8192_SHA256),
        Algorithm::Ps384 => Some(&signature::RSA_PSS_2048_8192_SHA384),
        Algorithm::Ps512 => Some(&signature::RSA_PSS_2048_8192_SHA512),
        Algorithm::Es256 | Algorithm::Es384 | Algorithm::EdDsa => None,
    }
}
