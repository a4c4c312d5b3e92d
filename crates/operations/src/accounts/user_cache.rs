//! Caches users whose keys or tokens were right: every call presents one, and the database is not queried again until
//! accounts change.

use std::{fmt, sync::Arc, time::Instant};

use database::{
    accounts::{subjects, tokens},
    engine::epochs::Epoch,
};
use model::api_key::ApiKey;
use quick_cache::sync::Cache;

use crate::{House, Result, TokenIdentity, UserIdentity};

/// The maximum number of cached users.
const USERS: usize = 4_096;

/// Users by the stored hash of their keys and tokens.
pub(crate) struct UserCache(Cache<String, CachedUser>);

/// A user whose key was right, or the owner of a token, with the token.
#[derive(Clone)]
pub(crate) struct KnownUser {
    pub(crate) user: UserIdentity,
    pub(crate) token: Option<Arc<TokenIdentity>>,
}

#[derive(Clone)]
struct CachedUser {
    known: KnownUser,
    accounts: Epoch,
    until: Instant,
}

impl Default for UserCache {
    fn default() -> Self {
        Self(Cache::new(USERS))
    }
}

impl UserCache {
    /// Returns the user with this key, or the user or organization with this token, if any.
    pub(crate) async fn find(&self, house: &House, key: &ApiKey) -> Result<Option<KnownUser>> {
        let hash = house.secrets.hash_key(key);
        if let Some(cached) = self.0.get(&hash).filter(|cached| cached.is_valid(house)) {
            return Ok(Some(cached.known));
        }
        // The epoch is read first, so that a change during the query invalidates the entry.
        let (accounts, until) = (house.db.changes().accounts(), Instant::now() + house.db.cache_ttl());
        let known = if key.is_token() { by_token(house, &hash).await? } else { by_key(house, &hash).await? };
        match known.clone() {
            Some(known) => self.0.insert(hash, CachedUser { known, accounts, until }),
            None => drop(self.0.remove(&hash)),
        }
        Ok(known)
    }
}

async fn by_key(house: &House, hash: &str) -> Result<Option<KnownUser>> {
    let found = subjects::find_by_key_hash(&house.db, hash).await?;
    Ok(found.map(|user| KnownUser { user: UserIdentity::from(&user), token: None }))
}

async fn by_token(house: &House, hash: &str) -> Result<Option<KnownUser>> {
    let Some((token, until)) = tokens::find_by_hash(&house.db, hash).await? else { return Ok(None) };
    let owner = subjects::find_active(&house.db, token.owner_id).await?;
    let token = Arc::new(TokenIdentity::new(token, until));
    Ok(owner.map(|owner| KnownUser { user: UserIdentity::from(&owner), token: Some(token) }))
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
