//! Recovery codes: each opens one session without the device that makes codes.

use model::id::SubjectId;

use crate::{Entropy, House};

/// How many codes a user gets.
pub(super) const CODES: usize = 10;

/// Letters and digits that are not mistaken for each other.
const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz23456789x";

/// The number of characters of a code, without the dash: 60 bits.
const LENGTH: usize = 12;

/// Generates the codes of a user.
pub(super) fn generate(entropy: &Entropy) -> Vec<String> {
    (0..CODES).map(|_| one(entropy)).collect()
}

fn one(entropy: &Entropy) -> String {
    let letters: String =
        entropy.bytes().iter().take(LENGTH).map(|byte| char::from(LETTERS[usize::from(byte & 31)])).collect();
    format!("{}-{}", &letters[..LENGTH / 2], &letters[LENGTH / 2..])
}

/// Returns the hash that the database stores for a code. Blanks, dashes and letter case do not matter.
pub(super) fn hash(house: &House, user_id: SubjectId, code: &str) -> String {
    let plain: String =
        code.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect();
    house.secrets.hash_recovery_code(user_id, &plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_differ_and_have_one_form() {
        let codes = generate(&Entropy::seeded(7));
        assert_eq!(codes.len(), CODES);
        for (place, code) in codes.iter().enumerate() {
            assert!(code.len() == LENGTH + 1 && code.as_bytes()[LENGTH / 2] == b'-', "{code}");
            assert!(!codes[..place].contains(code), "{code}");
        }
    }
}
