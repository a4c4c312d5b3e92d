//! The validity of a cached response.

use std::time::Instant;

use database::engine::epochs::Epoch;
use model::{access::Networks, timestamp::Timestamp};
use operations::{AccessKeyIdentity, House};

/// Everything a response was made from, and the epochs at that time.
pub(crate) struct Validity {
    repos: [(i64, [Epoch; 2]); 2],
    accounts: Epoch,
    until: Instant,
    pub(super) key: Option<Box<KeyBasis>>,
    /// The access key that made the URL, if one signed it.
    maker_key: Option<(i64, Epoch)>,
    /// When the URL expires, if it is signed.
    signed_until: Option<Timestamp>,
}

/// The access key that a response was made for, with its networks and its expiry.
pub(super) struct KeyBasis {
    pub(super) id: i64,
    epoch: Epoch,
    pub(super) networks: Networks,
    until: Option<Timestamp>,
}

impl Validity {
    /// The validity of a response made now, if nothing has changed since the epoch in which the look-up began. `None`
    /// for a key with a download limit: its responses count against the quota and cannot be replayed.
    pub(crate) fn of(
        house: &House,
        began: Epoch,
        repo_ids: [i64; 2],
        key: Option<&AccessKeyIdentity>,
        maker_key_id: Option<i64>,
    ) -> Option<Self> {
        if key.is_some_and(|key| key.has_download_limit) {
            return None;
        }
        let changes = house.db.changes();
        let basis = Self {
            repos: repo_ids.map(|id| (id, epochs(house, id))),
            accounts: changes.accounts(),
            until: Instant::now() + house.db.cache_ttl(),
            key: key.map(|key| Box::new(KeyBasis::of(house, key))),
            maker_key: maker_key_id.map(|id| (id, changes.key(id))),
            signed_until: None,
        };
        (changes.all() == began).then_some(basis)
    }

    /// The same for a URL that expires at this time.
    pub(crate) fn signed_until(self, until: Timestamp) -> Self {
        Self { signed_until: Some(until), ..self }
    }

    /// Whether the response is still valid.
    pub(super) fn holds(&self, house: &House) -> bool {
        let changes = house.db.changes();
        let is_same = |(id, then): &(i64, [Epoch; 2])| epochs(house, *id) == *then;
        house.db.is_cache_coherent()
            && self.repos.iter().all(is_same)
            && changes.accounts() == self.accounts
            && Instant::now() < self.until
            && self.key.as_ref().is_none_or(|key| key.holds(house))
            && self.maker_key.is_none_or(|(id, epoch)| changes.key(id) == epoch)
            && self.signed_until.is_none_or(|until| house.clock.now() < until)
    }
}

/// The epochs of a repository and of its files.
fn epochs(house: &House, repo_id: i64) -> [Epoch; 2] {
    [house.db.changes().repo(repo_id), house.db.changes().files(repo_id)]
}

impl KeyBasis {
    fn of(house: &House, key: &AccessKeyIdentity) -> Self {
        let epoch = house.db.changes().key(key.id);
        Self { id: key.id, epoch, networks: key.networks.clone(), until: key.good_until }
    }

    fn holds(&self, house: &House) -> bool {
        house.db.changes().key(self.id) == self.epoch && self.until.is_none_or(|until| house.clock.now() < until)
    }
}
