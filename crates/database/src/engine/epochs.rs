//! Epochs that invalidate caches: each cached answer remembers the epochs it was built in, and stays valid until one of
//! them advances.
//!
//! A transaction records its invalidations. Once it is durable, and before its caller gets the result, the epochs here
//! advance. Other nodes receive the invalidations through the database, and the caller waits for them as well.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use model::id::{KeyId, RepoId};

/// The number of epoch slots that repositories and access keys share. Advancing a slot costs everything else in it one
/// look-up.
const SLOTS: usize = 1_024;

/// The prefix of a repository id in the message to other nodes that its files have changed.
const FILES: &str = "files ";

/// The prefix of an access key's id in the message to other nodes.
const KEY: &str = "key ";

/// Something that cached answers may depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Invalidation {
    /// A repository: its settings, the packages linked into it, and the permissions in it.
    Repo(RepoId),
    /// The files of a repository.
    Files(RepoId),
    /// An access key.
    Key(KeyId),
    /// Users, organisations, memberships or API keys.
    Accounts,
    /// The subjects that have subscribers.
    Followed,
    /// What objects and lists show besides the above: packages, versions and what describes them.
    Objects,
    /// Anything: the actual change is unknown.
    Everything,
}

/// The epoch counters. Clones share them.
#[derive(Debug, Clone)]
pub struct Epochs(Arc<Counters>);

#[derive(Debug)]
struct Counters {
    slots: [AtomicU64; SLOTS],
    files: [AtomicU64; SLOTS],
    accounts: AtomicU64,
    followed: AtomicU64,
    objects: AtomicU64,
    all: AtomicU64,
    is_awaited: AtomicBool,
}

/// The value of an epoch when a look-up began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Epoch(u64);

impl Default for Epochs {
    fn default() -> Self {
        Self(Arc::new(Counters {
            slots: [const { AtomicU64::new(0) }; SLOTS],
            files: [const { AtomicU64::new(0) }; SLOTS],
            accounts: AtomicU64::new(0),
            followed: AtomicU64::new(0),
            objects: AtomicU64::new(0),
            all: AtomicU64::new(0),
            is_awaited: AtomicBool::new(false),
        }))
    }
}

impl Epochs {
    /// Returns the epoch of everything together: while it stays the same, nothing has changed.
    pub fn all(&self) -> Epoch {
        Epoch(self.0.all.load(Ordering::Acquire))
    }

    /// Returns the current epoch of accounts.
    pub fn accounts(&self) -> Epoch {
        Epoch(self.0.accounts.load(Ordering::Acquire))
    }

    /// Returns the current epoch of subjects with subscribers.
    pub fn followed(&self) -> Epoch {
        Epoch(self.0.followed.load(Ordering::Acquire))
    }

    /// Returns the current epoch of all objects and lists together. An object may show something of many repositories,
    /// such as links, so this epoch advances with every change of any repository, file or account.
    pub fn objects(&self) -> Epoch {
        Epoch(self.0.objects.load(Ordering::Acquire))
    }

    /// Returns the current epoch of a repository.
    pub fn repo(&self, id: RepoId) -> Epoch {
        Epoch(self.0.slots[slot(id.get())].load(Ordering::Acquire))
    }

    /// Returns the current epoch of a repository's files.
    pub fn files(&self, repo_id: RepoId) -> Epoch {
        Epoch(self.0.files[slot(repo_id.get())].load(Ordering::Acquire))
    }

    /// Returns the current epoch of an access key.
    pub fn key(&self, id: KeyId) -> Epoch {
        Epoch(self.0.slots[slot(id.get())].load(Ordering::Acquire))
    }

    /// Returns whether other nodes wait for this node to receive their invalidations.
    pub(crate) fn are_awaited(&self) -> bool {
        self.0.is_awaited.load(Ordering::Acquire)
    }

    /// Sets whether other nodes wait for this node.
    pub(crate) fn set_awaited(&self, is_awaited: bool) {
        self.0.is_awaited.store(is_awaited, Ordering::Release);
    }

    /// Advances the epochs that an invalidation affects.
    pub fn invalidate(&self, change: Invalidation) {
        // First, so that a reader that finds it unchanged has seen none of the changes below.
        end(&self.0.all);
        if change.concerns_objects() {
            end(&self.0.objects);
        }
        match change {
            Invalidation::Repo(id) => end(&self.0.slots[slot(id.get())]),
            Invalidation::Key(id) => end(&self.0.slots[slot(id.get())]),
            Invalidation::Files(repo_id) => end(&self.0.files[slot(repo_id.get())]),
            Invalidation::Accounts => end(&self.0.accounts),
            Invalidation::Followed => end(&self.0.followed),
            Invalidation::Objects => {}
            Invalidation::Everything => {
                self.0.slots.iter().chain(&self.0.files).for_each(end);
                end(&self.0.accounts);
                end(&self.0.followed);
            }
        }
    }
}

fn slot(id: i64) -> usize {
    // Ids are built from time and randomness, so their lowest bits are spread well enough.
    usize::try_from(id.unsigned_abs()).unwrap_or_default() % SLOTS
}

fn end(epoch: &AtomicU64) {
    epoch.fetch_add(1, Ordering::AcqRel);
}

impl Invalidation {
    /// Returns whether objects and lists may show something else afterwards.
    pub(crate) fn concerns_objects(self) -> bool {
        match self {
            Invalidation::Repo(_)
            | Invalidation::Files(_)
            | Invalidation::Accounts
            | Invalidation::Objects
            | Invalidation::Everything => true,
            Invalidation::Key(_) | Invalidation::Followed => false,
        }
    }

    /// Encodes the invalidation for other nodes.
    pub(crate) fn to_text(self) -> String {
        match self {
            Invalidation::Repo(id) => id.to_string(),
            Invalidation::Files(repo_id) => format!("{FILES}{repo_id}"),
            Invalidation::Key(id) => format!("{KEY}{id}"),
            Invalidation::Accounts => "accounts".to_owned(),
            Invalidation::Followed => "followed".to_owned(),
            Invalidation::Objects => "objects".to_owned(),
            Invalidation::Everything => "everything".to_owned(),
        }
    }

    /// Decodes an invalidation from another node. An unknown text counts as [`Invalidation::Everything`].
    pub(crate) fn from_text(text: &str) -> Self {
        let numbered = |number: &str, change: fn(i64) -> Self| number.parse().map_or(Invalidation::Everything, change);
        match (text.strip_prefix(KEY), text.strip_prefix(FILES)) {
            (Some(id), _) => numbered(id, |id| Invalidation::Key(KeyId::new(id))),
            (_, Some(repo_id)) => numbered(repo_id, |id| Invalidation::Files(RepoId::new(id))),
            _ if text == "accounts" => Invalidation::Accounts,
            _ if text == "followed" => Invalidation::Followed,
            _ if text == "objects" => Invalidation::Objects,
            _ => numbered(text, |id| Invalidation::Repo(RepoId::new(id))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_ends_the_epochs_that_it_concerns() {
        let changes = Epochs::default();
        let (repo, other, accounts) = (changes.repo(RepoId::new(7)), changes.repo(RepoId::new(8)), changes.accounts());
        changes.invalidate(Invalidation::Repo(RepoId::new(7)));
        assert_ne!(changes.repo(RepoId::new(7)), repo);
        assert_eq!((changes.repo(RepoId::new(8)), changes.accounts()), (other, accounts));
        changes.invalidate(Invalidation::Accounts);
        assert_ne!(changes.accounts(), accounts);
        let files = changes.files(RepoId::new(8));
        changes.invalidate(Invalidation::Files(RepoId::new(8)));
        assert_ne!(changes.files(RepoId::new(8)), files);
        assert_eq!(changes.repo(RepoId::new(8)), other);
        let key = changes.key(KeyId::new(9));
        changes.invalidate(Invalidation::Key(KeyId::new(9)));
        assert_ne!(changes.key(KeyId::new(9)), key);
        assert_eq!(changes.repo(RepoId::new(8)), other);
        let (followed, accounts) = (changes.followed(), changes.accounts());
        changes.invalidate(Invalidation::Followed);
        assert_ne!(changes.followed(), followed);
        assert_eq!(changes.accounts(), accounts);
        let (objects, accounts) = (changes.objects(), changes.accounts());
        changes.invalidate(Invalidation::Followed);
        changes.invalidate(Invalidation::Key(KeyId::new(9)));
        assert_eq!(changes.objects(), objects);
        for change in [Invalidation::Objects, Invalidation::Files(RepoId::new(1)), Invalidation::Repo(RepoId::new(1))] {
            let objects = changes.objects();
            changes.invalidate(change);
            assert_ne!(changes.objects(), objects);
        }
        assert_eq!(changes.accounts(), accounts);
        let followed = changes.followed();
        let files = changes.files(RepoId::new(8));
        changes.invalidate(Invalidation::Everything);
        assert_ne!(changes.repo(RepoId::new(8)), other);
        assert_ne!(changes.files(RepoId::new(8)), files);
        assert_ne!(changes.followed(), followed);
    }

    #[test]
    fn a_change_travels_as_text() {
        let numbered = [
            Invalidation::Repo(RepoId::new(42)),
            Invalidation::Files(RepoId::new(42)),
            Invalidation::Key(KeyId::new(42)),
        ];
        let others = [Invalidation::Accounts, Invalidation::Followed, Invalidation::Objects, Invalidation::Everything];
        for change in numbered.into_iter().chain(others) {
            assert_eq!(Invalidation::from_text(&change.to_text()), change);
        }
        for unknown in ["something new", "key ?", "key", "files ?"] {
            assert_eq!(Invalidation::from_text(unknown), Invalidation::Everything);
        }
    }
}
