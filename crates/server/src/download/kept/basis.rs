//! What a kept answer was made from.

use std::time::Instant;

use database::engine::epochs::Epoch;
use model::{access::Networks, timestamp::Timestamp};
use operations::{AccessKeyIdentity, House};

/// What an answer was made from, and when.
pub(crate) struct Validity {
    repos: [(i64, [Epoch; 2]); 2],
    accounts: Epoch,
    until: Instant,
    pub(super) key: Option<Box<KeyBasis>>,
    /// The access key that has made the address, if it is signed by one.
    maker_key: Option<(i64, Epoch)>,
    /// Until when the address is good, if it is signed.
    signed_until: Option<Timestamp>,
}

/// The access key that an answer was made for, and from where and until when it is good.
pub(super) struct KeyBasis {
    pub(super) id: i64,
    epoch: Epoch,
    pub(super) networks: Networks,
    until: Option<Timestamp>,
}

impl Validity {
    /// What an answer is made from now, if nothing has changed since the epoch in which its making began. What is taken
    /// from the rest of a key cannot be sent again.
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

    /// The same for an address that is good until then.
    pub(crate) fn signed_until(self, until: Timestamp) -> Self {
        Self { signed_until: Some(until), ..self }
    }

    /// Whether it is still so.
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

/// Those of a repository and of its files.
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
