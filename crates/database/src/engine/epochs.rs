//! Epochs that invalidate caches: each cached answer remembers the epochs it was built in, and stays valid until one of
//! them advances.
//!
//! A transaction records its invalidations. Once it is durable, and before its caller gets the result, the epochs here
//! advance. Other nodes receive the invalidations through the database. If the change takes something away, the caller
//! waits for them as well; if it only adds something, other nodes may still answer without it for a moment.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use model::id::{KeyId, RepoId};

use crate::engine::invalidation::Invalidation;

/// The number of epoch slots that repositories and access keys share. Advancing a slot costs everything else in it one
/// look-up.
const SLOTS: usize = 1_024;

/// The epoch counters. Clones share them.
#[derive(Debug, Clone)]
pub struct Epochs(Arc<Counters>);

#[derive(Debug)]
struct Counters {
    slots: [AtomicU64; SLOTS],
    files: [AtomicU64; SLOTS],
    paths: [AtomicU64; SLOTS],
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
            paths: [const { AtomicU64::new(0) }; SLOTS],
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

    /// Returns the current epoch of the paths of a repository, which also advances when one of its files is replaced or
    /// removed.
    pub fn paths(&self, repo_id: RepoId) -> Epoch {
        Epoch(self.0.paths[slot(repo_id.get())].load(Ordering::Acquire))
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
    pub(crate) fn invalidate(&self, change: Invalidation) {
        // First, so that a reader that finds it unchanged has seen none of the changes below.
        end(&self.0.all);
        if change.concerns_objects() {
            end(&self.0.objects);
        }
        match change {
            Invalidation::Repo(id) => end(&self.0.slots[slot(id.get())]),
            Invalidation::Key(id) => end(&self.0.slots[slot(id.get())]),
            Invalidation::Files(repo_id) => {
                end(&self.0.files[slot(repo_id.get())]);
                end(&self.0.paths[slot(repo_id.get())]);
            }
            Invalidation::Paths(repo_id) => end(&self.0.paths[slot(repo_id.get())]),
            Invalidation::Accounts => end(&self.0.accounts),
            Invalidation::Followed => end(&self.0.followed),
            Invalidation::Objects => {}
            Invalidation::Everything => {
                self.0.slots.iter().chain(&self.0.files).chain(&self.0.paths).for_each(end);
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
        let paths = changes.paths(RepoId::new(8));
        changes.invalidate(Invalidation::Paths(RepoId::new(8)));
        assert_ne!(changes.paths(RepoId::new(8)), paths);
        assert_eq!(changes.files(RepoId::new(8)), files);
        let paths = changes.paths(RepoId::new(8));
        changes.invalidate(Invalidation::Files(RepoId::new(8)));
        assert_ne!(changes.files(RepoId::new(8)), files);
        assert_ne!(changes.paths(RepoId::new(8)), paths);
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
        let repo_id = RepoId::new(1);
        for change in [
            Invalidation::Objects,
            Invalidation::Files(repo_id),
            Invalidation::Paths(repo_id),
            Invalidation::Repo(repo_id),
        ] {
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
}
