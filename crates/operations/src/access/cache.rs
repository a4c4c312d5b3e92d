//! Caches the packages in which a user was recently allowed to publish, because every upload checks this first. The
//! upload's transaction makes the final decision about its writes.

use std::{fmt, sync::Arc, time::Instant};

use database::engine::epochs::Epoch;
use model::{
    access::{Right, Scope},
    address::PackageAddress,
    id::{SubjectId, TokenId},
};
use quick_cache::{Equivalent, sync::Cache};

use crate::{
    Caller, House, PackageAccess, Result,
    access::{PackageScope, package},
};

/// The maximum number of cached packages.
const PACKAGES: usize = 4_096;

/// The packages, by user, token and package address.
pub(crate) struct PackageAccessCache(Cache<Key, CachedAccess>);

#[derive(PartialEq, Eq, Hash)]
struct Key {
    user_id: SubjectId,
    token_id: Option<TokenId>,
    at: PackageAddress,
}

#[derive(Hash)]
struct KeyRef<'a> {
    user_id: SubjectId,
    token_id: Option<TokenId>,
    at: &'a PackageAddress,
}

impl Equivalent<Key> for KeyRef<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        self.user_id == key.user_id && self.token_id == key.token_id && *self.at == key.at
    }
}

#[derive(Clone)]
struct CachedAccess {
    access: Arc<PackageAccess>,
    repo: Epoch,
    accounts: Epoch,
    until: Instant,
}

impl Default for PackageAccessCache {
    fn default() -> Self {
        Self(Cache::new(PACKAGES))
    }
}

impl PackageAccessCache {
    /// Returns the package, for a caller who may publish there. The permissions of access keys are not cached.
    pub(crate) async fn find(
        &self,
        house: &House,
        caller: &Caller,
        scope: PackageScope<'_>,
    ) -> Result<Arc<PackageAccess>> {
        let Some(user_id) = caller.user().map(|user| user.id) else {
            return Ok(Arc::new(package(&house.db, caller, scope, Right::Publish).await?));
        };
        let (at, token_id) = (scope.package(), caller.token().map(|token| token.id));
        if let Some(known) = self.0.get(&KeyRef { user_id, token_id, at }).filter(|known| known.is_valid(house)) {
            caller.check_scope(Scope::Publish)?;
            return Ok(known.access);
        }
        let (changes, until) = (house.db.changes(), Instant::now() + house.db.cache_ttl());
        let began = changes.all();
        let access = Arc::new(package(&house.db, caller, scope, Right::Publish).await?);
        let (repo, accounts) = (changes.repo(access.repo.repo.id), changes.accounts());
        // These epochs belong to the rows that were read only if nothing has changed in the meantime.
        if changes.all() == began {
            let known = CachedAccess { access: Arc::clone(&access), repo, accounts, until };
            self.0.insert(Key { user_id, token_id, at: at.clone() }, known);
        }
        Ok(access)
    }
}

impl CachedAccess {
    fn is_valid(&self, house: &House) -> bool {
        let changes = house.db.changes();
        house.db.is_cache_coherent()
            && changes.repo(self.access.repo.repo.id) == self.repo
            && changes.accounts() == self.accounts
            && Instant::now() < self.until
    }
}

impl fmt::Debug for PackageAccessCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownPackages").field("len", &self.0.len()).finish()
    }
}
