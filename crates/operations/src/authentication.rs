//! From credentials to a user.

use database::subjects;
use model::api_key::ApiKey;

use crate::{Error, House, Identity, Result};

/// What everyone is told whose credentials are no user's.
pub(crate) const WRONG_CREDENTIALS: &str = "The user name or the API key is wrong";

/// The user of this name with this key.
///
/// The key is looked up by its hash, and the name is compared afterwards: an unknown user, a wrong key and a key of
/// somebody else take the same path and get the same answer.
pub async fn authenticate(house: &House, name: &str, key: &ApiKey) -> Result<Identity> {
    let found = subjects::find_by_key_hash(&house.db, &house.secrets.hash_key(key)).await?;
    match found {
        Some(user) if user.name.as_str() == name => Ok(Identity::from(&user)),
        _ => Err(Error::Unauthenticated(WRONG_CREDENTIALS)),
    }
}
