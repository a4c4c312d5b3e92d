//! Caches users whose keys were right: every call presents a key, and the database is not queried again until accounts
//! change.

use std::{fmt, time::Instant};

use database::{accounts::subjects, engine::epochs::Epoch};
use quick_cache::sync::Cache;

use crate::{House, Result, UserIdentity};

/// The maximum number of cached users.
const USERS: usize = 4_096;

/// Users by the stored hash of their keys.
pub(crate) struct UserCache(Cache<String, CachedUser>);

#[derive(Clone)]
struct CachedUser {
    user: UserIdentity,
    accounts: Epoch,
    until: Instant,
}

impl Default for UserCache {
    fn default() -> Self {
        Self(Cache::new(USERS))
    }
}

impl UserCache {
    /// Returns the user whose key has this hash, if any.
    pub(crate) async fn find(&self, house: &House, hash: &str) -> Result<Option<UserIdentity>> {
        if let Some(known) = self.0.get(hash).filter(|known| known.is_valid(house)) {
            return Ok(Some(known.user));
        }
        // The epoch is read first, so that a change during the query invalidates the entry.
        let (accounts, until) = (house.db.changes().accounts(), Instant::now() + house.db.cache_ttl());
        let found = subjects::find_by_key_hash(&house.db, hash).await?;
        let user = found.as_ref().map(UserIdentity::from);
        match user.clone() {
            Some(user) => self.0.insert(hash.to_owned(), CachedUser { user, accounts, until }),
            None => drop(self.0.remove(hash)),
        }
        Ok(user)
    }
}

impl CachedUser {
    fn is_valid(&self, house: &House) -> bool {
        house.db.is_cache_coherent() && house.db.changes().accounts() == self.accounts && Instant::now() < self.until
    }
}

impl fmt::Debug for UserCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownUsers").field("len", &self.0.len()).finish()
    }
}
