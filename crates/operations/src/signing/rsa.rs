//! Plain RSA signatures, for clients that know no OpenPGP. The key is the one of the OpenPGP signatures.

use base64::{Engine, engine::general_purpose::STANDARD};
use pgp::{
    crypto::hash::HashAlgorithm,
    ser::Serialize,
    types::{Password, PublicParams, SignatureBytes},
};
use sha1::{Digest, Sha1};

use crate::{
    Error, Result,
    signing::signing_key::{SigningKey, failed},
};

/// The identifier of RSA keys, with its parameters, in DER.
const ALGORITHM: [u8; 15] = [0x30, 0x0d, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1, 5, 0];

impl SigningKey {
    /// Signs bytes with SHA-1 as PKCS #1 v1.5 says. apk, for which this is, accepts no other digest in all its versions.
    pub(crate) fn sign_rsa(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        let modulus = self.rsa_numbers().ok_or_else(not_rsa)?.remove(0);
        let digest = Sha1::digest(bytes);
        let signature = self.key().sign(&Password::empty(), HashAlgorithm::Sha1, &digest).map_err(failed)?;
        let SignatureBytes::Mpis(numbers) = signature else { return Err(not_rsa()) };
        let number = numbers.first().ok_or_else(not_rsa)?.as_ref().to_vec();
        // Numbers have no zeros at their beginning, signatures have.
        let zeros = modulus.len().saturating_sub(number.len());
        Ok([vec![0; zeros], number].concat())
    }

    /// The public key in PEM; `None` if it is not an RSA key.
    pub(crate) fn rsa_public_key(&self) -> Option<String> {
        let numbers: Vec<Vec<u8>> = self.rsa_numbers()?.iter().map(|number| integer(number)).collect();
        let bits = [vec![0], element(0x30, &numbers.concat())].concat();
        let der = element(0x30, &[ALGORITHM.to_vec(), element(0x03, &bits)].concat());
        let text = STANDARD.encode(der);
        let lines: Vec<&str> = text.as_bytes().chunks(64).filter_map(|line| str::from_utf8(line).ok()).collect();
        Some(format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", lines.join("\n")))
    }

    /// The modulus and the exponent.
    fn rsa_numbers(&self) -> Option<Vec<Vec<u8>>> {
        let PublicParams::RSA(params) = self.key().public_params() else { return None };
        let bytes = params.to_bytes().ok()?;
        let (mut rest, mut numbers) = (&bytes[..], Vec::new());
        while let Some((bits, after)) = rest.split_first_chunk::<2>() {
            let length = usize::from(u16::from_be_bytes(*bits)).div_ceil(8);
            let (number, after) = after.split_at_checked(length)?;
            numbers.push(number.to_vec());
            rest = after;
        }
        (numbers.len() == 2).then_some(numbers)
    }
}

fn not_rsa() -> Error {
    Error::invalid("gpg key", "apk needs an RSA key: store one, or set `gpg_sign_metadata` to false")
}

/// A number in DER, which is positive.
fn integer(number: &[u8]) -> Vec<u8> {
    let sign: &[u8] = if number.first().is_some_and(|byte| byte & 0x80 != 0) { &[0] } else { &[] };
    element(0x02, &[sign, number].concat())
}

/// An element of DER.
fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len().to_be_bytes();
    let length = &length[length.iter().take_while(|byte| **byte == 0).count()..];
    let mut bytes = vec![tag];
    match length {
        [] => bytes.push(0),
        [short] if *short < 0x80 => bytes.push(*short),
        long => {
            bytes.push(0x80 | u8::try_from(long.len()).unwrap_or(8));
            bytes.extend_from_slice(long);
        }
    }
    bytes.extend_from_slice(content);
    bytes
}

/// Rejects a key that is not an RSA key.
pub(crate) fn check(key: &SigningKey) -> Result<()> {
    if key.is_rsa() { Ok(()) } else { Err(not_rsa()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_short_and_long_lengths() {
        assert_eq!(element(0x30, b""), [0x30, 0]);
        assert_eq!(element(4, &[7; 127])[..3], [4, 127, 7]);
        assert_eq!(element(4, &[7; 128])[..4], [4, 0x81, 128, 7]);
        assert_eq!(element(4, &[7; 256])[..4], [4, 0x82, 1, 0]);
        assert_eq!((integer(&[0x7f]), integer(&[0x80])), (vec![2, 1, 0x7f], vec![2, 2, 0, 0x80]));
    }
}
