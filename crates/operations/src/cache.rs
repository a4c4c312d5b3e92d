//! The validity of cached responses: epochs say whether something that a response was made from has changed.

use std::{
    net::IpAddr,
    time::{Duration, Instant},
};

use model::{
    access::Networks,
    id::{KeyId, RepoId},
    timestamp::Timestamp,
};

use crate::{AccessKeyIdentity, Caller, House, PresentedToken};

pub use database::engine::epochs::Epoch;

/// Returns the current epoch of everything together: while it stays the same, nothing has changed.
pub fn current_epoch(house: &House) -> Epoch {
    house.db.changes().all()
}

/// Everything a response was made from, and the epochs at that time.
pub struct Validity {
    made_from: MadeFrom,
    accounts: Epoch,
    until: Instant,
    /// The access key that the response was made for, if any.
    key: Option<Box<KeyValidity>>,
    /// The token that the response was made for, if any. A change to it ends the epoch of accounts.
    token: Option<PresentedToken>,
    /// The access key that made the URL, if one signed it.
    maker_key: Option<(KeyId, Epoch)>,
    /// When the URL expires, if it is signed.
    signed_until: Option<Timestamp>,
}

/// What changes the content of a response, besides the settings of the repository and the rights in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dependence {
    /// The published content of one file, which is at the path of the request.
    Content,
    /// The same, and which paths of the repository are published.
    Paths,
    /// Content that is not published. Such a response is not cached.
    Staged,
}

impl Dependence {
    /// The same for a response that another path may replace.
    pub(crate) fn or_on_paths(self) -> Self {
        if self == Self::Content { Self::Paths } else { self }
    }
}

/// What a response was made from besides accounts.
enum MadeFrom {
    /// A file or a text: the repositories it came through, each with its epochs.
    Repos([(RepoId, RepoEpochs); 2]),
    /// An object or a list, with the epoch of all of them.
    Objects(Epoch),
}

impl MadeFrom {
    fn is_same(&self, house: &House) -> bool {
        match self {
            Self::Repos(repos) => repos.iter().all(|(id, then)| then.are_current(house, *id)),
            Self::Objects(then) => house.db.changes().objects() == *then,
        }
    }
}

/// The access key that a response was made for, with its networks and its expiry.
struct KeyValidity {
    id: KeyId,
    epoch: Epoch,
    /// The networks from which it may be used.
    networks: Networks,
    until: Option<Timestamp>,
}

impl Validity {
    /// The validity of a response made now, if nothing has changed since the epoch in which the look-up began. `None`
    /// for content that is not published, and for a key with a download limit: its responses count against the quota
    /// and cannot be replayed.
    pub fn of(
        house: &House,
        began: Epoch,
        (repo_ids, depends_on): ([RepoId; 2], Dependence),
        caller: &Caller,
        maker_key_id: Option<KeyId>,
    ) -> Option<Self> {
        let key = caller.key();
        if key.is_some_and(|key| key.has_download_limit) || depends_on == Dependence::Staged {
            return None;
        }
        let changes = house.db.changes();
        let validity = Self {
            made_from: MadeFrom::Repos(repo_ids.map(|id| (id, RepoEpochs::now(house, id, depends_on)))),
            accounts: changes.accounts(),
            until: Instant::now() + house.db.cache_ttl(),
            key: key.map(|key| Box::new(KeyValidity::of(house, key))),
            token: caller.token().cloned(),
            maker_key: maker_key_id.map(|id| (id, changes.key(id))),
            signed_until: None,
        };
        (changes.all() == began).then_some(validity)
    }

    /// The validity of an object or a list that was made now for callers without credentials, if nothing has changed
    /// since the epoch in which the look-up began.
    pub fn of_public_object(house: &House, began: Epoch) -> Option<Self> {
        let changes = house.db.changes();
        let validity = Self {
            made_from: MadeFrom::Objects(changes.objects()),
            accounts: changes.accounts(),
            until: Instant::now() + house.db.cache_ttl(),
            key: None,
            token: None,
            maker_key: None,
            signed_until: None,
        };
        (changes.all() == began).then_some(validity)
    }

    /// The same for a URL that expires at this time.
    pub fn signed_until(self, until: Timestamp) -> Self {
        Self { signed_until: Some(until), ..self }
    }

    /// Whether the response is still valid.
    pub fn holds(&self, house: &House) -> bool {
        let changes = house.db.changes();
        house.db.is_cache_coherent()
            && self.made_from.is_same(house)
            && changes.accounts() == self.accounts
            && Instant::now() < self.until
            && self.key.as_ref().is_none_or(|key| key.holds(house))
            && self.token.as_ref().is_none_or(|token| token.is_good(house.clock.now()))
            && self.maker_key.is_none_or(|(id, epoch)| changes.key(id) == epoch)
            && self.signed_until.is_none_or(|until| house.clock.now() < until)
    }
}

impl Validity {
    /// Whether the key or token that the response was made for may be used from this address.
    pub fn admits(&self, address: IpAddr) -> bool {
        self.key.as_ref().is_none_or(|key| key.networks.admit(address))
            && self.token.as_ref().is_none_or(|token| token.terms.networks().admit(address))
    }

    /// The id of the access key that the response was made for, if any.
    pub fn key_id(&self) -> Option<KeyId> {
        self.key.as_ref().map(|key| key.id)
    }

    /// Records that the token, if there is one, was used for the response again.
    pub fn record_use(&self, house: &House, address: IpAddr) {
        if let Some(token) = &self.token {
            house.token_uses.record(house, token.id, address, None);
        }
    }
}

/// How long names may be cached at least. A node that misses a message of another one shows the name of a deleted package
/// for this long, but nothing of it, since rights and files are looked up each time.
const NAMES_TTL: Duration = Duration::from_secs(10);

/// The validity of names that are read from one repository's own rows, and shown to callers whose rights are checked each
/// time.
pub(crate) struct RepoValidity {
    repo_id: RepoId,
    then: RepoEpochs,
    until: Instant,
}

impl RepoValidity {
    /// The validity of what is about to be read.
    pub(crate) fn begin(house: &House, repo_id: RepoId) -> Self {
        let then = RepoEpochs::now(house, repo_id, Dependence::Paths);
        Self { repo_id, then, until: Instant::now() + house.db.cache_ttl().max(NAMES_TTL) }
    }

    /// Whether nothing has changed since.
    pub(crate) fn holds(&self, house: &House) -> bool {
        house.db.is_cache_coherent() && self.then.are_current(house, self.repo_id) && Instant::now() < self.until
    }
}

/// The epochs of a repository that something was made in.
struct RepoEpochs {
    repo: Epoch,
    files: Epoch,
    /// `None` if it does not depend on other paths.
    paths: Option<Epoch>,
}

impl RepoEpochs {
    fn now(house: &House, repo_id: RepoId, depends_on: Dependence) -> Self {
        let changes = house.db.changes();
        let paths = (depends_on != Dependence::Content).then(|| changes.paths(repo_id));
        Self { repo: changes.repo(repo_id), files: changes.files(repo_id), paths }
    }

    fn are_current(&self, house: &House, repo_id: RepoId) -> bool {
        let changes = house.db.changes();
        changes.repo(repo_id) == self.repo
            && changes.files(repo_id) == self.files
            && self.paths.is_none_or(|paths| changes.paths(repo_id) == paths)
    }
}

impl KeyValidity {
    fn of(house: &House, key: &AccessKeyIdentity) -> Self {
        let epoch = house.db.changes().key(key.id);
        Self { id: key.id, epoch, networks: key.networks.clone(), until: key.good_until }
    }

    fn holds(&self, house: &House) -> bool {
        house.db.changes().key(self.id) == self.epoch && self.until.is_none_or(|until| house.clock.now() < until)
    }
}
