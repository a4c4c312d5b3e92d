//! Time-based one-time codes (RFC 6238): HMAC-SHA-1, six digits, thirty seconds, which every authenticator app knows.

use hmac::{Hmac, KeyInit, Mac};
use model::timestamp::Timestamp;
use sha1::Sha1;

/// The length of a secret: as many bytes as the hash has.
pub(super) const SECRET_BYTES: usize = 20;

/// The number of digits of a code.
const DIGITS: usize = 6;

const STEP_MS: i64 = 30_000;

/// Codes of this many steps before and after the current one are accepted, because clocks differ.
const SKEW: i64 = 1;

const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Returns the step whose code this is, among those that are accepted now.
pub(super) fn step_of(secret: &[u8], code: &str, now: Timestamp) -> Option<i64> {
    let current = now.millis().div_euclid(STEP_MS);
    // All steps are compared, so that the time does not tell which one matched.
    let matches: Vec<i64> =
        (current - SKEW..=current + SKEW).filter(|step| is_same(&code_of(secret, *step), code)).collect();
    matches.first().copied()
}

/// Returns whether a text has the form of a code.
pub(super) fn is_code(text: &str) -> bool {
    text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the code of a step.
fn code_of(secret: &[u8], step: i64) -> String {
    let mut mac = Hmac::<Sha1>::new_from_slice(secret).expect("HMAC takes keys of any length");
    mac.update(&step.to_be_bytes());
    let hash: [u8; 20] = mac.finalize().into_bytes().into();
    let at = usize::from(hash[19] & 15);
    let [a, b, c, d] = [hash[at], hash[at + 1], hash[at + 2], hash[at + 3]];
    let number = u32::from_be_bytes([a & 127, b, c, d]) % 1_000_000;
    format!("{number:06}")
}

fn is_same(one: &str, other: &str) -> bool {
    let differs = one.bytes().zip(other.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b));
    one.len() == other.len() && differs == 0
}

/// Returns the secret as text, as people type it into an app: base 32 without padding.
pub(super) fn secret_text(secret: &[u8]) -> String {
    secret
        .chunks(5)
        .flat_map(|chunk| {
            let bits = chunk.iter().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte)) << (8 * (5 - chunk.len()));
            let letters = (chunk.len() * 8).div_ceil(5);
            (0..letters)
                .map(move |place| char::from(BASE32[usize::try_from(bits >> (35 - 5 * place) & 31).unwrap_or(0)]))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &[u8; 20] = b"12345678901234567890";

    /// The values of RFC 6238, appendix B, with six digits.
    #[test]
    fn codes_are_those_of_the_standard() {
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(code_of(SECRET, seconds / 30), code, "{seconds}");
        }
    }

    #[test]
    fn a_code_is_good_for_one_step_before_and_after() {
        let at = |seconds: i64| Timestamp::from_millis(seconds * 1_000);
        let code = code_of(SECRET, 100);
        for (seconds, expected) in
            [(2_969, None), (2_970, Some(100)), (3_000, Some(100)), (3_059, Some(100)), (3_060, None)]
        {
            assert_eq!(step_of(SECRET, &code, at(seconds)), expected, "{seconds}");
        }
        for bad in ["", "12345", "1234567", "abcdef"] {
            assert_eq!(step_of(SECRET, bad, at(3_000)), None, "{bad}");
        }
    }

    #[test]
    fn the_text_of_a_secret_is_base_32() {
        assert_eq!(secret_text(SECRET), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        for (bytes, text) in [("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB")]
        {
            assert_eq!(secret_text(bytes.as_bytes()), text);
        }
    }
}
