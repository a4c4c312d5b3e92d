//! Proves a user's identity by an API key or a password.

use database::{Read, accounts::subjects};
use model::{api_key::ApiKey, id::SubjectId, names::SubjectName};

use super::{Method, guesses};
use crate::{Caller, Error, House, Result};

/// The credentials of a sign-in.
#[derive(Clone, Copy)]
pub struct SignIn<'a> {
    /// The user's name.
    pub name: &'a str,
    /// The user's password, or the API key.
    pub secret: &'a str,
}

/// Credentials that were right.
pub(super) enum Proof {
    Key { user_id: SubjectId, hash: String },
    Password { user_id: SubjectId, name: SubjectName, kept: String },
}

impl Proof {
    pub(super) fn user_id(&self) -> SubjectId {
        match self {
            Proof::Key { user_id, .. } | Proof::Password { user_id, .. } => *user_id,
        }
    }

    /// How the user proved who they are.
    pub(super) fn method(&self) -> Method {
        match self {
            Proof::Key { .. } => Method::ApiKey,
            Proof::Password { .. } => Method::Password,
        }
    }

    /// The stored text of the password, if it was one.
    pub(super) fn password(&self) -> Option<&str> {
        match self {
            Proof::Key { .. } => None,
            Proof::Password { kept, .. } => Some(kept),
        }
    }

    /// Checks that they are still right, with the user locked: a key or a password may have been replaced in the
    /// meantime.
    pub(super) async fn check_again(&self, db: &dyn Read) -> Result<()> {
        let is_right = match self {
            Proof::Key { user_id, hash } => {
                subjects::find_by_key_hash(db, hash).await?.is_some_and(|user| user.id == *user_id)
            }
            Proof::Password { user_id, name, kept } => {
                subjects::find_password(db, name).await?.is_some_and(|(id, now)| id == *user_id && now == *kept)
            }
        };
        if is_right { Ok(()) } else { Err(wrong()) }
    }
}

/// Checks the credentials. Keys cannot be guessed, so they are checked first and work while passwords are rejected.
pub(super) async fn find(house: &House, caller: &Caller, sign_in: SignIn<'_>) -> Result<Proof> {
    let hash = house.secrets.hash_key(&ApiKey::presented(sign_in.secret));
    let user = subjects::find_by_key_hash(&house.db, &hash).await?;
    if let Some(user) = user.filter(|user| user.name.as_str() == sign_in.name) {
        return Ok(Proof::Key { user_id: user.id, hash });
    }
    let guess_id = guesses::begin(house, caller, sign_in.name).await?;
    // A name that does not exist costs as much as one that does.
    let found = match SubjectName::parse(sign_in.name) {
        Ok(name) => subjects::find_password(&house.db, &name).await?.map(|(id, kept)| (id, name, kept)),
        Err(_) => None,
    };
    let kept = found.as_ref().map(|(_, _, kept)| kept.clone());
    let is_right = house.passwords.verify(sign_in.secret, kept).await?;
    let (user_id, name, kept) = found.filter(|_| is_right).ok_or_else(wrong)?;
    guesses::end(house, guess_id).await?;
    Ok(Proof::Password { user_id, name, kept })
}

/// The same error for an unknown name, a wrong password, and a user without one.
pub(super) fn wrong() -> Error {
    Error::Unauthenticated("The user name, the password or the API key is wrong")
}
