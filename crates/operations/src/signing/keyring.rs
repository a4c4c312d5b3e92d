//! The public keys that sign the indexes of an owner's repositories.

use database::{accounts::subjects, signing::gpg_keys};
use pgp::{
    armor::{self, BlockType},
    composed::SignedPublicKey,
    ser::Serialize,
};

use crate::{
    Caller, House, Result, access,
    signing::{
        KeyOwner,
        keys::not_found,
        own_key,
        signing_key::{failed, read_public},
    },
};

/// Public keys, at least one.
#[derive(Debug, Clone)]
pub struct Keyring(Vec<SignedPublicKey>);

impl Keyring {
    /// The keys in one armored block.
    pub fn to_armored(&self) -> Result<String> {
        let mut text = Vec::new();
        armor::write(&self.0, BlockType::PublicKey, &mut text, None, true).map_err(failed)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// The keys one after the other.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.0.to_bytes().map_err(failed)
    }
}

/// Returns the public keys that sign the indexes of an owner's repositories: the owner's key, and the server's own if a
/// repository that the caller may see signs with it. An account without one looks like one that does not exist.
#[boxed::future]
pub async fn keyring(house: &House, caller: &Caller, at: &KeyOwner) -> Result<Keyring> {
    let owner = subjects::find(&house.db, &at.name).await?.filter(|subject| subject.kind == at.kind);
    let owner = owner.ok_or_else(|| not_found(&at.name))?;
    let own = gpg_keys::find(&house.db, owner.id).await?;
    let mut keys = Vec::new();
    if let Some(key) = &own {
        keys.push(read_public(&key.public_key)?);
    }
    if gpg_keys::needs_own(&house.db, owner.id, own.is_some(), access::reader(caller)).await? {
        keys.push(read_public(&own_key::find(house, caller).await?.public_key)?);
    }
    if keys.is_empty() { Err(not_found(&at.name)) } else { Ok(Keyring(keys)) }
}

#[cfg(test)]
mod tests {
    use pgp::composed::Deserializable;

    use super::*;
    use crate::{entropy::Entropy, signing::new_key};
    use model::timestamp::Timestamp;

    #[test]
    fn keys_are_in_one_block() {
        let now = Timestamp::from_millis(1_000_000_000_000);
        let key = |name| {
            let certificate = new_key::generate(name, &Entropy::system(), now).expect("a key");
            read_public(&certificate.public_key).expect("a key")
        };
        let ring = Keyring(vec![key("ada"), key("packhouse")]);
        let armored = ring.to_armored().expect("a text");
        assert_eq!(armored.matches("-----BEGIN PGP PUBLIC KEY BLOCK-----").count(), 1);
        let (read, _) = SignedPublicKey::from_string_many(&armored).expect("a block");
        assert_eq!(read.filter_map(std::result::Result::ok).count(), 2);
        assert_eq!(ring.to_bytes().expect("bytes")[0] & 0x80, 0x80);
    }
}
