//! The form of an API key: `phk_`, 43 random characters, 6 characters of checksum. Tokens begin with `pht_`.

use std::fmt;

/// The prefix that secret scanners look for.
pub const PREFIX: &str = "phk_";

/// The prefix of tokens.
pub const TOKEN_PREFIX: &str = "pht_";

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// An API key in plain text. It lives for one request and is never stored.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Creates a key from 32 random bytes.
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self::with_prefix(PREFIX, bytes)
    }

    /// Creates a token from 32 random bytes.
    pub fn token_from_random(bytes: [u8; 32]) -> Self {
        Self::with_prefix(TOKEN_PREFIX, bytes)
    }

    fn with_prefix(prefix: &str, bytes: [u8; 32]) -> Self {
        let body = base62(&bytes, 43);
        let checksum = base62(&crc32(body.as_bytes()).to_be_bytes(), 6);
        Self(format!("{prefix}{body}{checksum}"))
    }

    /// Returns whether this is a token, by its prefix.
    pub fn is_token(&self) -> bool {
        self.0.starts_with(TOKEN_PREFIX)
    }

    /// A key as a caller presents it.
    pub fn presented(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The secret itself. Call this only where the secret is used.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Returns whether the key has the format of this server, so that a scanner can check a match without a request.
    pub fn is_well_formed(&self) -> bool {
        let rest = self.0.strip_prefix(PREFIX).or_else(|| self.0.strip_prefix(TOKEN_PREFIX));
        let Some((body, checksum)) = rest.and_then(|rest| rest.split_at_checked(43)) else {
            return false;
        };
        checksum == base62(&crc32(body.as_bytes()).to_be_bytes(), 6)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(hidden)")
    }
}

/// Encodes a big-endian number in base 62, with leading zeros up to `width`.
fn base62(number: &[u8], width: usize) -> String {
    let mut number = number.to_vec();
    let mut digits = Vec::with_capacity(width);
    for _ in 0..width {
        let mut remainder = 0;
        for byte in &mut number {
            let value = remainder << 8 | usize::from(*byte);
            (*byte, remainder) = (u8::try_from(value / 62).unwrap_or_default(), value % 62);
        }
        digits.push(char::from(DIGITS[remainder]));
    }
    digits.iter().rev().collect()
}

fn crc32(bytes: &[u8]) -> u32 {
    bytes.iter().fold(!0, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 })
    }) ^ !0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_one_length_and_a_checksum() {
        for byte in [0, 1, 0x7f, 0xff] {
            let key = ApiKey::from_random([byte; 32]);
            assert_eq!(key.expose().len(), 53);
            assert!(key.is_well_formed());
        }
        let token = ApiKey::token_from_random([9; 32]);
        assert!(token.is_token() && token.is_well_formed() && token.expose().len() == 53);
        let key = ApiKey::from_random([9; 32]);
        assert!(!key.is_token());
        let altered = ApiKey::presented(&key.expose().replacen(['a', 'b', 'c'], "-", 1));
        assert!(altered == key || !altered.is_well_formed());
        assert!(!ApiKey::presented("phk_é").is_well_formed());
    }

    #[test]
    fn a_key_never_prints_itself() {
        assert_eq!(format!("{:?}", ApiKey::presented("secret")), "ApiKey(hidden)");
    }

    #[test]
    fn the_checksum_is_crc_32() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }
}
