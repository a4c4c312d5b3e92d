//! Masks values that differ between runs: ports, ids, keys, signatures and values computed from them.

use std::collections::BTreeSet;

use md5::{Digest, Md5};
use sha1::Sha1;
use sha2::{Sha256, Sha512};

/// Marks in front of secrets, signatures and durations.
const SECRETS: [&str; 8] =
    ["phk_", "pht_", "php_", "whsec_", "msg_", "signature=", "\"duration_ms\":", "delivered in "];

/// The numbers of hexadecimal digits of ids and digests.
const LENGTHS: [usize; 5] = [16, 32, 40, 64, 128];

/// Masks the values of a run.
pub(super) struct Mask {
    /// Texts and their replacements.
    texts: Vec<(String, &'static str)>,
    /// Digests of contents that are the same in every run.
    digests: BTreeSet<String>,
}

impl Mask {
    /// Creates a mask that replaces these texts.
    pub(super) fn new(texts: Vec<(String, &'static str)>) -> Self {
        Self { texts, digests: BTreeSet::new() }
    }

    /// Leaves the digests of this content unmasked.
    pub(super) fn know(&mut self, content: &str) {
        let sums = [hex(&Md5::digest(content)), hex(&Sha1::digest(content)), hex(&Sha256::digest(content))];
        self.digests.extend(sums);
        self.digests.insert(hex(&Sha512::digest(content)));
    }

    /// Returns a text without values that differ each time.
    pub(super) fn apply(&self, text: &str) -> String {
        let replaced = self.texts.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
        let armoured = between(&replaced, "-----BEGIN PGP ", "-----END PGP ", "(armour) ");
        let secrets = SECRETS.into_iter().fold(armoured, |text, start| after(&text, start));
        self.words(&secrets)
    }

    /// Masks ids, and digests of unknown content.
    fn words(&self, text: &str) -> String {
        let mut masked = String::new();
        let mut rest = text;
        while let Some(start) = rest.find(|part: char| part.is_ascii_alphanumeric()) {
            let end = rest[start..].find(|part: char| !part.is_ascii_alphanumeric());
            let end = end.map_or(rest.len(), |end| start + end);
            let word = &rest[start..end];
            masked.push_str(&rest[..start]);
            if is_place(word, &rest[end..]) {
                masked.push_str("(place)");
                rest = rest[start..].trim_start_matches(|part: char| part.is_ascii_digit() || part == '.');
                continue;
            }
            masked.push_str(&if self.is_masked(word) { format!("({} digits)", word.len()) } else { word.to_owned() });
            rest = &rest[end..];
        }
        masked + rest
    }

    fn is_masked(&self, word: &str) -> bool {
        let is_id = LENGTHS.contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_id && !self.digests.contains(word)
    }
}

/// Returns whether this begins a cursor of an event stream: a long number, and shorter ones after dots.
fn is_place(word: &str, rest: &str) -> bool {
    word.len() > 16 && word.bytes().all(|byte| byte.is_ascii_digit()) && rest.starts_with('.')
}

/// Replaces the base64 text after each mark.
fn after(text: &str, mark: &str) -> String {
    let mut pieces = text.split(mark);
    let mut masked = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let is_part = |part: char| part.is_ascii_alphanumeric() || "+/=_-".contains(part);
        masked.extend([mark, "(some)", piece.trim_start_matches(is_part)]);
    }
    masked
}

/// Replaces everything between two marks, which stay.
fn between(text: &str, from: &str, to: &str, word: &str) -> String {
    let mut pieces = text.split(from);
    let mut masked = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        masked.push_str(from);
        match piece.find(to) {
            Some(end) => masked.extend([word, &piece[end..]]),
            None => masked.push_str(piece),
        }
    }
    masked
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
