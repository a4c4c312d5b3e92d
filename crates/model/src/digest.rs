//! The SHA-256 digest that identifies content.

use std::{fmt, str::FromStr};

/// A SHA-256 digest: the identity of a blob.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

/// The text is not 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a SHA-256 digest has 64 hexadecimal digits")]
pub struct InvalidDigest;

impl Digest {
    /// The digest with these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// A SHA-1 digest. Clients identify content by it; this server never does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sha1(String);

/// The text is not 40 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a SHA-1 has 40 hexadecimal digits")]
pub struct InvalidSha1;

impl Sha1 {
    /// Its lower-case hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Sha1 {
    type Err = InvalidSha1;

    fn from_str(text: &str) -> Result<Self, InvalidSha1> {
        let is_sum = text.len() == 40 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        if is_sum { Ok(Self(text.to_ascii_lowercase())) } else { Err(InvalidSha1) }
    }
}

impl FromStr for Digest {
    type Err = InvalidDigest;

    fn from_str(text: &str) -> Result<Self, InvalidDigest> {
        let mut bytes = [0; 32];
        if text.len() != 64 {
            return Err(InvalidDigest);
        }
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
        }
        Ok(Self(bytes))
    }
}

fn nibble(digit: u8) -> Result<u8, InvalidDigest> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        b'A'..=b'F' => Ok(digit - b'A' + 10),
        _ => Err(InvalidDigest),
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// Formats bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_reads_what_it_writes() {
        let digest = Digest::from_bytes([0xab; 32]);
        assert_eq!(digest.to_string().parse(), Ok(digest));
        assert_eq!("AB".repeat(32).parse(), Ok(digest));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "ab", &"g".repeat(64), &"a".repeat(65), &"é".repeat(32)] {
            assert_eq!(text.parse::<Digest>(), Err(InvalidDigest), "{text}");
        }
    }

    #[test]
    fn a_sha1_has_forty_digits() {
        assert_eq!("AB".repeat(20).parse::<Sha1>().map(|sum| sum.as_str().to_owned()), Ok("ab".repeat(20)));
        for text in ["", "ab", &"a".repeat(39), &"a".repeat(41), &"g".repeat(40), &"é".repeat(20)] {
            assert_eq!(text.parse::<Sha1>(), Err(InvalidSha1), "{text}");
        }
    }
}
