//! What is signed, and how it is written down.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use database::signed_urls::Signed;
use model::{address::RepoAddress, file_path::FilePath, timestamp::Timestamp};

use crate::{House, signed_urls::Signature};

/// The bytes of a proof.
const PROOF_BYTES: usize = 32;

/// What a signature is about, besides the content.
#[derive(Debug, Clone, Copy)]
pub(super) struct About<'a> {
    pub(super) at: &'a RepoAddress,
    pub(super) path: &'a FilePath,
    pub(super) expiry: i64,
    /// What its maker calls the address; empty when that is nothing.
    pub(super) callback_id: &'a str,
}

impl About<'_> {
    /// The proof of this about this content, by the owner's key.
    pub(super) fn proof(&self, house: &House, signed: &Signed) -> [u8; PROOF_BYTES] {
        house.secrets.sign_url(signed.owner_id, signed.generation, &self.said(signed))
    }

    /// The one text that says this. Each part has its length before it, so that no two addresses read the same.
    fn said(&self, signed: &Signed) -> Vec<u8> {
        let mut said = Vec::new();
        let names = ["v1", "GET", self.at.owner.as_str(), self.at.repo.as_str(), self.path.as_str(), self.callback_id];
        for part in names {
            said.extend_from_slice(&u32::try_from(part.len()).unwrap_or(u32::MAX).to_be_bytes());
            said.extend_from_slice(part.as_bytes());
        }
        said.extend_from_slice(signed.sha256.as_bytes());
        // With the content alone, what was replaced and put back would open again.
        said.extend_from_slice(&signed.published.millis().to_be_bytes());
        said.extend_from_slice(&self.expiry.to_be_bytes());
        said
    }
}

/// Signs the address of a file's content, until a time.
pub(crate) fn sign(
    house: &House,
    at: &RepoAddress,
    path: &FilePath,
    signed: &Signed,
    until: Timestamp,
    callback_id: &str,
) -> Signature {
    let about = About { at, path, expiry: until.millis(), callback_id };
    let mut shown = about.proof(house, signed).to_vec();
    shown.extend_from_slice(callback_id.as_bytes());
    Signature { expiry: about.expiry, signature: BASE64_URL_SAFE_NO_PAD.encode(shown) }
}

/// The proof and the maker's name of an address in what it shows; `None` when we have not written it.
pub(super) fn read(shown: &str) -> Option<(Vec<u8>, String)> {
    let mut proof = BASE64_URL_SAFE_NO_PAD.decode(shown).ok()?;
    if proof.len() < PROOF_BYTES {
        return None;
    }
    let callback_id = String::from_utf8(proof.split_off(PROOF_BYTES)).ok()?;
    Some((proof, callback_id))
}

#[cfg(test)]
mod tests {
    use model::{
        digest::Digest,
        names::{RepoName, SubjectName},
    };
    use proptest::prelude::*;

    use super::*;

    type Said = (String, String, String, String, i64, [u8; 32], i64);

    fn said((owner, repo, path, callback_id, expiry, sha256, published): &Said) -> Vec<u8> {
        let at = RepoAddress {
            owner: SubjectName::parse(owner).expect("a name"),
            repo: RepoName::parse(repo).expect("a name"),
        };
        let path = &FilePath::parse(path).expect("a path");
        let (sha256, published) = (Digest::from_bytes(*sha256), Timestamp::from_millis(*published));
        let signed = Signed { owner_id: 1, generation: 0, sha256, published };
        About { at: &at, path, expiry: *expiry, callback_id }.said(&signed)
    }

    /// Values that are easily taken for one another: short, of few letters.
    fn any_said() -> impl Strategy<Value = Said> {
        let name = "[ab1]{1,3}";
        let bytes = prop::array::uniform32(0_u8..2);
        (name, name, "[ab1]{1,2}(/[ab1]{1,2})?", "[ab1]{0,3}", 0_i64..3, bytes, 0_i64..3)
    }

    proptest! {
        #[test]
        fn no_two_addresses_read_the_same(one in any_said(), other in any_said()) {
            prop_assert_eq!(one == other, said(&one) == said(&other));
        }

        #[test]
        fn a_signature_is_written_in_one_way(text in "[A-Za-z0-9_-]{43,60}") {
            if let Some((proof, callback_id)) = read(&text) {
                let again = BASE64_URL_SAFE_NO_PAD.encode([proof, callback_id.into_bytes()].concat());
                prop_assert_eq!(again, text);
            }
        }
    }

    #[test]
    fn what_is_no_signature_is_not_read() {
        for text in ["", "AAAA", "!", &"A".repeat(42), &format!("{}=", "A".repeat(43)), &"/".repeat(43)] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read(&"A".repeat(43)), Some((vec![0; 32], String::new())));
    }
}
