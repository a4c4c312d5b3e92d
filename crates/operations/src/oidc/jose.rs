//! Signed tokens in the compact form: a header, claims and a signature.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use model::digest::hex;
use serde::Deserialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{Claims, keys::Key};

/// The longest token that is read, in bytes.
const TOKEN_BYTES: usize = 16 * 1024;

/// The algorithms that are accepted: signatures by key pairs only. A shared secret would make everyone who can check a
/// token able to make one, and `none` is not a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Algorithm {
    Rs256,
    Rs384,
    Rs512,
    Ps256,
    Ps384,
    Ps512,
    Es256,
    Es384,
    EdDsa,
}

impl Algorithm {
    pub(super) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "RS256" => Self::Rs256,
            "RS384" => Self::Rs384,
            "RS512" => Self::Rs512,
            "PS256" => Self::Ps256,
            "PS384" => Self::Ps384,
            "PS512" => Self::Ps512,
            "ES256" => Self::Es256,
            "ES384" => Self::Es384,
            "EdDSA" | "Ed25519" => Self::EdDsa,
            _ => return None,
        })
    }
}

/// The part of the header that is read. Keys, and addresses of keys, in a header are ignored.
#[derive(Debug, Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    crit: Option<Value>,
}

/// A token whose signature is not checked yet.
#[derive(Debug)]
pub(crate) struct SignedToken {
    algorithm: Algorithm,
    kid: Option<String>,
    claims: Map<String, Value>,
    /// The header and the claims, as they were signed.
    signed: String,
    signature: Vec<u8>,
}

impl SignedToken {
    /// Reads a token.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let malformed = "it is not a signed token";
        if text.len() > TOKEN_BYTES {
            return Err("it is too long");
        }
        let (signed, signature) = text.rsplit_once('.').ok_or(malformed)?;
        let (header, claims) = signed.split_once('.').ok_or(malformed)?;
        let decode = |part: &str| BASE64_URL_SAFE_NO_PAD.decode(part).map_err(|_| malformed);
        let header: Header = serde_json::from_slice(&decode(header)?).map_err(|_| malformed)?;
        let algorithm = Algorithm::parse(&header.alg).ok_or("its algorithm is not accepted")?;
        if header.crit.is_some() {
            return Err("it has critical extensions");
        }
        let claims = serde_json::from_slice(&decode(claims)?).map_err(|_| malformed)?;
        let (kid, signature) = (header.kid, decode(signature)?);
        Ok(Self { algorithm, kid, claims, signed: signed.to_owned(), signature })
    }

    /// The issuer that it names. Whether that is true is known when the signature was checked.
    pub(crate) fn issuer(&self) -> Option<&str> {
        self.claims.get("iss").and_then(Value::as_str)
    }

    /// The hash of what was signed. It stays the same if somebody writes the signature in another way.
    pub(crate) fn hash(&self) -> String {
        hex(&Sha256::digest(self.signed.as_bytes()))
    }

    /// Returns whether one of these keys may have signed it.
    pub(super) fn has_key(&self, keys: &[Key]) -> bool {
        self.candidates(keys).next().is_some()
    }

    /// Returns the claims if one of these keys has signed it. Without a key id, there must be only one such key.
    pub(super) fn verify(self, keys: &[Key]) -> Result<Claims, &'static str> {
        let candidates: Vec<&Key> = self.candidates(keys).collect();
        if self.kid.is_none() && candidates.len() > 1 {
            return Err("it does not name its key");
        }
        let is_signed = |key: &&Key| key.verify(self.algorithm, self.signed.as_bytes(), &self.signature);
        if !candidates.iter().any(is_signed) {
            return Err("its signature is wrong");
        }
        Ok(Claims::new(self.claims))
    }

    fn candidates<'k>(&self, keys: &'k [Key]) -> impl Iterator<Item = &'k Key> {
        keys.iter().filter(|key| key.may_be(self.algorithm, self.kid.as_deref()))
    }
}

#[cfg(test)]
mod tests;
