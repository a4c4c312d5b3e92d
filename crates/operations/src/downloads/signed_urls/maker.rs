//! The creator of a signed URL: the URL works only while its creator still has the right that was needed to create it.

use database::{access::access_keys, accounts::subjects};
use model::{
    access::Right,
    address::RepoAddress,
    file_path::FilePath,
    id::{KeyId, SubjectId},
    timestamp::Timestamp,
};

use crate::{
    AccessKeyIdentity, Caller, Error, House, Principal, Result, UserIdentity, access, downloads::signed_urls::refused,
};

/// The number of bytes of a creator in a URL.
pub(super) const MAKER_BYTES: usize = 9;

/// The creator of a URL, and the right that was needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Maker {
    pub(super) who: Who,
    /// The right in the file that the creator needs.
    pub(super) needed: Right,
}

/// The identity of a creator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    /// A caller who was not signed in, and reads public content.
    Anyone,
    /// The user with this id.
    User(SubjectId),
    /// The access key with this id.
    Key(KeyId),
}

/// A creator who still has the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entitled {
    /// The id of the access key, if the creator is one.
    pub(super) key_id: Option<KeyId>,
    /// The time when the key expires.
    pub(super) until: Option<Timestamp>,
}

impl Maker {
    /// The caller, who has this right in the file.
    pub(crate) fn of(caller: &Caller, needed: Right) -> Self {
        let who = match &caller.principal {
            Principal::Anonymous | Principal::Operator => Who::Anyone,
            Principal::User(user) => Who::User(user.id),
            Principal::Key(key) => Who::Key(key.id),
        };
        Self { who, needed }
    }

    /// Encodes the creator for a URL.
    pub(super) fn bytes(self) -> [u8; MAKER_BYTES] {
        let (kind, id) = match self.who {
            Who::Anyone => (0, 0),
            Who::User(id) => (1, id.get()),
            Who::Key(id) => (2, id.get()),
        };
        let mut bytes = [0; MAKER_BYTES];
        bytes[0] = kind | if self.needed == Right::Publish { 0x10 } else { 0 };
        bytes[1..].copy_from_slice(&id.to_be_bytes());
        bytes
    }

    /// Decodes the creator in a URL; `None` if this server cannot have written it.
    pub(super) fn read(bytes: [u8; MAKER_BYTES]) -> Option<Self> {
        let [first, id @ ..] = bytes;
        let id = i64::from_be_bytes(id);
        let who = match first & 0x0f {
            0 => Who::Anyone,
            1 => Who::User(SubjectId::new(id)),
            2 => Who::Key(KeyId::new(id)),
            _ => return None,
        };
        let maker = Self { who, needed: if first & 0x10 == 0 { Right::Read } else { Right::Publish } };
        (maker.bytes() == bytes).then_some(maker)
    }

    /// Rejects the URL of a creator who no longer exists or has lost the right.
    pub(super) async fn check(
        self,
        house: &House,
        visitor: &Caller,
        at: &RepoAddress,
        path: &FilePath,
    ) -> Result<Entitled> {
        let (principal, entitled) = self.find(house).await?;
        let maker = Caller { principal, ..visitor.clone() };
        match access::file(&house.db, &maker, at, path, self.needed).await {
            Err(Error::NotFound { .. } | Error::Denied(_) | Error::Unauthenticated(_)) => Err(refused()),
            other => other.map(|_| entitled),
        }
    }

    async fn find(self, house: &House) -> Result<(Principal, Entitled)> {
        let nobody = Entitled { key_id: None, until: None };
        match self.who {
            Who::Anyone => Ok((Principal::Anonymous, nobody)),
            Who::User(id) => {
                let user = subjects::find_active(&house.db, id).await?.ok_or_else(refused)?;
                Ok((Principal::User(UserIdentity::from(&user)), nobody))
            }
            Who::Key(id) => {
                let (key, owner) = access_keys::find_by_id(&house.db, id).await?.ok_or_else(refused)?;
                let until = key.terms.expiry;
                if until.is_some_and(|until| until <= house.clock.now()) {
                    return Err(refused());
                }
                let holder = AccessKeyIdentity::new(key, &owner, until);
                Ok((Principal::Key(Box::new(holder)), Entitled { key_id: Some(id), until }))
            }
        }
    }
}
