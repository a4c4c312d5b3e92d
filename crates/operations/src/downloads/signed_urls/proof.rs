//! Computes and encodes the signatures of URLs.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use database::downloads::signed_urls::SignedFile;
use model::{address::RepoAddress, file_path::FilePath, timestamp::Timestamp};

use crate::{
    House,
    downloads::signed_urls::{Maker, Signature, maker::MAKER_BYTES},
};

/// The number of bytes of a proof.
const PROOF_BYTES: usize = 32;

/// The signed fields, besides the content.
#[derive(Debug, Clone, Copy)]
pub(super) struct SignedFields<'a> {
    pub(super) at: &'a RepoAddress,
    pub(super) path: &'a FilePath,
    pub(super) expiry: i64,
    /// The name that its creator gave to the URL; may be empty.
    pub(super) callback_id: &'a str,
    /// The creator of the URL.
    pub(super) maker: Maker,
}

impl SignedFields<'_> {
    /// Signs these fields and this content with the owner's key.
    pub(super) fn proof(&self, house: &House, signed: &SignedFile) -> [u8; PROOF_BYTES] {
        house.secrets.sign_url(signed.owner_id, signed.generation, &self.encode(signed))
    }

    /// Encodes the signed fields unambiguously. Each part is prefixed with its length, so that no two URLs have the
    /// same encoding.
    fn encode(&self, signed: &SignedFile) -> Vec<u8> {
        let mut encoded = Vec::new();
        let names = ["v2", "GET", self.at.owner.as_str(), self.at.repo.as_str(), self.path.as_str(), self.callback_id];
        for part in names {
            encoded.extend_from_slice(&u32::try_from(part.len()).unwrap_or(u32::MAX).to_be_bytes());
            encoded.extend_from_slice(part.as_bytes());
        }
        encoded.extend_from_slice(&self.maker.bytes());
        encoded.extend_from_slice(signed.sha256.as_bytes());
        // With the digest alone, a URL would work again after its content was replaced and then restored.
        encoded.extend_from_slice(&signed.published.millis().to_be_bytes());
        encoded.extend_from_slice(&self.expiry.to_be_bytes());
        encoded
    }
}

/// Signs the URL of a file's content, valid until a time.
pub(crate) fn sign(
    house: &House,
    at: &RepoAddress,
    path: &FilePath,
    signed: &SignedFile,
    until: Timestamp,
    callback_id: &str,
    maker: Maker,
) -> Signature {
    let about = SignedFields { at, path, expiry: until.millis(), callback_id, maker };
    let mut shown = about.proof(house, signed).to_vec();
    shown.extend_from_slice(&maker.bytes());
    shown.extend_from_slice(callback_id.as_bytes());
    Signature { expiry: about.expiry, signature: BASE64_URL_SAFE_NO_PAD.encode(shown) }
}

/// Decodes the proof, the creator and the name of a signature; `None` if this server did not write it.
pub(super) fn read(shown: &str) -> Option<(Vec<u8>, Maker, String)> {
    let shown = BASE64_URL_SAFE_NO_PAD.decode(shown).ok()?;
    let (proof, rest) = shown.split_at_checked(PROOF_BYTES)?;
    let (maker, callback_id) = rest.split_first_chunk::<MAKER_BYTES>()?;
    Some((proof.to_vec(), Maker::read(*maker)?, String::from_utf8(callback_id.to_vec()).ok()?))
}

#[cfg(test)]
mod tests {
    use model::{
        access::Right,
        digest::Digest,
        id::{KeyId, SubjectId},
        names::{RepoName, SubjectName},
    };
    use proptest::prelude::*;

    use super::*;
    use crate::downloads::signed_urls::maker::Who;

    type TestFields = (String, String, String, String, i64, [u8; 32], i64, bool);

    fn encode((owner, repo, path, callback_id, expiry, sha256, published, by_user): &TestFields) -> Vec<u8> {
        let at = RepoAddress {
            owner: SubjectName::parse(owner).expect("a name"),
            repo: RepoName::parse(repo).expect("a name"),
        };
        let path = &FilePath::parse(path).expect("a path");
        let (sha256, published) = (Digest::from_bytes(*sha256), Timestamp::from_millis(*published));
        let signed = SignedFile { owner_id: SubjectId::new(1), generation: 0, sha256, published };
        let who = if *by_user { Who::User(SubjectId::new(1)) } else { Who::Key(KeyId::new(1)) };
        let maker = Maker { who, needed: Right::Publish };
        SignedFields { at: &at, path, expiry: *expiry, callback_id, maker }.encode(&signed)
    }

    /// Values that are easily confused: short, and of few letters.
    fn any_fields() -> impl Strategy<Value = TestFields> {
        let name = "[ab1]{1,3}";
        let bytes = prop::array::uniform32(0_u8..2);
        (name, name, "[ab1]{1,2}(/[ab1]{1,2})?", "[ab1]{0,3}", 0_i64..3, bytes, 0_i64..3, any::<bool>())
    }

    proptest! {
        #[test]
        fn no_two_addresses_read_the_same(one in any_fields(), other in any_fields()) {
            prop_assert_eq!(one == other, encode(&one) == encode(&other));
        }

        #[test]
        fn a_signature_is_written_in_one_way(proof in "[A-Za-z0-9_-]{42}", rest in "[A-Za-z0-9_-]{11,20}") {
            // The first byte after the proof encodes the kind of the creator.
            let text = format!("{proof}AB{rest}");
            if let Some((proof, maker, callback_id)) = read(&text) {
                let parts = [proof, maker.bytes().to_vec(), callback_id.into_bytes()];
                let again = BASE64_URL_SAFE_NO_PAD.encode(parts.concat());
                prop_assert_eq!(again, text);
            }
        }
    }

    #[test]
    fn what_is_no_signature_is_not_read() {
        for text in ["", "AAAA", "!", &"A".repeat(54), &format!("{}=", "A".repeat(55)), &"/".repeat(55)] {
            assert_eq!(read(text), None, "{text}");
        }
        let anyone = Maker { who: Who::Anyone, needed: Right::Read };
        assert_eq!(read(&"A".repeat(55)), Some((vec![0; 32], anyone, String::new())));
    }
}
