//! Seals secrets in the database that have to be read again: XChaCha20-Poly1305 with a key derived from the master key,
//! each bound to its column and row, so that the text of one row cannot be unsealed in another.

use base64::{Engine, prelude::BASE64_STANDARD};
use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use zeroize::Zeroizing;

use crate::{Entropy, Error, Result};

/// The generation of the sealing key. It precedes each sealed text.
const VERSION: u8 = 1;

/// The location of a sealed text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SealContext {
    pub(crate) table: &'static str,
    pub(crate) column: &'static str,
    pub(crate) row: i64,
}

/// The key that seals and unseals.
pub(crate) struct Seal(XChaCha20Poly1305);

impl Seal {
    pub(crate) fn new(key: Zeroizing<[u8; 32]>) -> Self {
        Self(XChaCha20Poly1305::new((&*key).into()))
    }

    /// Returns the sealed text to store at a location.
    pub(crate) fn close(&self, place: SealContext, secret: &[u8], entropy: &Entropy) -> Result<String> {
        let random = entropy.bytes();
        let nonce: [u8; 24] = random.first_chunk().copied().expect("32 bytes are enough for 24");
        let bound = place.to_bytes();
        let payload = Payload { msg: secret, aad: &bound };
        let sealed = self.0.encrypt(&XNonce::from(nonce), payload);
        let sealed = sealed.map_err(|_| Error::Internal("sealing a secret failed".into()))?;
        Ok(BASE64_STANDARD.encode([&[VERSION], nonce.as_slice(), &sealed].concat()))
    }

    /// Returns the secret that was sealed for a location. Rejects any other text, and any other location.
    pub(crate) fn open(&self, place: SealContext, text: &str) -> Result<Zeroizing<Vec<u8>>> {
        let damaged = || Error::Internal(format!("{}.{} of row {} is damaged", place.table, place.column, place.row));
        let bytes = BASE64_STANDARD.decode(text).map_err(|_| damaged())?;
        let (version, rest) = bytes.split_first().ok_or_else(damaged)?;
        let (nonce, sealed) = rest.split_first_chunk::<24>().ok_or_else(damaged)?;
        if *version != VERSION {
            return Err(damaged());
        }
        let bound = place.to_bytes();
        let payload = Payload { msg: sealed, aad: &bound };
        self.0.decrypt(&XNonce::from(*nonce), payload).map(Zeroizing::new).map_err(|_| damaged())
    }
}

impl SealContext {
    /// Encodes each part with its length, so that no two locations have the same encoding.
    fn to_bytes(self) -> Vec<u8> {
        let parts = [self.table.as_bytes(), self.column.as_bytes(), &self.row.to_be_bytes(), &[VERSION]];
        let part = |part: &[u8]| [&(part.len() as u64).to_be_bytes(), part].concat();
        parts.into_iter().flat_map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: SealContext = SealContext { table: "gpg_keys", column: "sealed_key", row: 7 };

    fn seal(number: u8) -> Seal {
        Seal::new(Zeroizing::new([number; 32]))
    }

    #[test]
    fn what_is_sealed_opens_again_and_looks_different_each_time() {
        let (seal, entropy) = (seal(1), Entropy::seeded(1));
        let texts = [(); 2].map(|()| seal.close(PLACE, b"secret", &entropy).expect("sealed"));
        assert_ne!(texts[0], texts[1]);
        for text in texts {
            assert_eq!(seal.open(PLACE, &text).expect("opened").as_slice(), b"secret");
        }
    }

    #[test]
    fn it_opens_nowhere_else_and_under_no_other_key() {
        let text = seal(1).close(PLACE, b"secret", &Entropy::seeded(1)).expect("sealed");
        let elsewhere = [
            SealContext { row: 8, ..PLACE },
            SealContext { table: "hooks", ..PLACE },
            SealContext { column: "x", ..PLACE },
        ];
        for place in elsewhere {
            assert!(seal(1).open(place, &text).is_err(), "{place:?}");
        }
        assert!(seal(2).open(PLACE, &text).is_err());
    }

    #[test]
    fn a_changed_text_is_refused() {
        let text = seal(1).close(PLACE, b"secret", &Entropy::seeded(1)).expect("sealed");
        let bytes = BASE64_STANDARD.decode(&text).expect("base64");
        for index in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[index] ^= 1;
            assert!(seal(1).open(PLACE, &BASE64_STANDARD.encode(changed)).is_err(), "byte {index}");
        }
        for short in ["", "AQ==", "no base64"] {
            assert!(seal(1).open(PLACE, short).is_err(), "{short}");
        }
    }
}
