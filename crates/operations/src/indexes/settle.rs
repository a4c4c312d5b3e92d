//! Waits until the indexes of a repository show what was committed, and builds them if nobody else does.

use std::time::Duration;

use database::{
    Database, ScopedFutureExt,
    indexes::{
        changes,
        heads::{self, IndexHead, IndexLease},
    },
};
use model::{id::RepoId, repo::Repo, timestamp::Timestamp};
use tokio::time::{Instant, sleep, timeout};

use crate::{
    Caller, Error, House, Result, fault,
    indexes::{
        IndexedRepo,
        build::{self, BuildEnd, CHANGES, Purpose},
        identities,
    },
    signing::{SigningOptions, signer::Signer},
};

/// How long a request waits for the indexes.
const WAIT: Duration = Duration::from_secs(10);

/// How long a lease lasts without being extended.
const LEASE_MS: i64 = 30_000;

/// How often a request that waits asks the database.
const ASK_EVERY: Duration = Duration::from_millis(250);

/// How often a request that waits looks whether there is another generation, in memory.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The number of files that one transaction records as changed.
const PAGE: i64 = 500;

/// Waits until the indexes of a repository show all changes that are committed now, for a bounded time. What was
/// published stays published if this fails; the job builds the indexes later. Returns whether they show all changes.
pub(crate) async fn settle(house: &House, caller: &Caller, repo: &Repo, with: &SigningOptions) -> bool {
    let Some(indexed) = IndexedRepo::of(house.format(&repo.kind), repo.clone()) else { return true };
    let (owner, name) = (&repo.owner, &repo.name);
    match timeout(WAIT, settle_repo(house, caller, &indexed, with, Purpose::Changes)).await {
        Ok(Ok(is_built)) => return is_built,
        Ok(Err(error)) => tracing::warn!("building the indexes of {owner}/{name} failed: {error}"),
        Err(_) => tracing::warn!("the indexes of {owner}/{name} take longer than {} s", WAIT.as_secs()),
    }
    false
}

/// Renders all entries of a repository again.
pub(crate) async fn rebuild(house: &House, caller: &Caller, repo: &Repo, with: &SigningOptions) -> Result<()> {
    let Some(indexed) = IndexedRepo::of(house.format(&repo.kind), repo.clone()) else { return Ok(()) };
    open_signer(house, caller, &indexed, with).await?;
    record_all(house, &indexed).await?;
    settle(house, caller, repo, with).await;
    Ok(())
}

/// Builds generations until the changes that are committed now are covered, or waits for others who do. Returns false
/// if the changes are left to a request that brings the passphrase of the key.
pub(crate) async fn settle_repo(
    house: &House,
    caller: &Caller,
    repo: &IndexedRepo,
    with: &SigningOptions,
    purpose: Purpose,
) -> Result<bool> {
    let head = begin(house, repo).await?;
    let waiting: Vec<i64> =
        changes::list(&house.db, repo.id(), CHANGES).await?.into_iter().map(|change| change.id).collect();
    let mut is_due = head.generation == 0 || purpose != Purpose::Changes;
    loop {
        if !is_due && !changes::are_left(&house.db, &waiting).await? {
            return Ok(true);
        }
        let signer = match open_signer(house, caller, repo, with).await {
            // The next request that brings the passphrase builds the indexes.
            Err(Error::Invalid { .. }) => return Ok(false),
            other => other?,
        };
        let epoch = house.db.changes().paths(repo.id());
        let Some(leased) = lease(house, repo.id()).await? else {
            let began = Instant::now();
            while house.db.changes().paths(repo.id()) == epoch && began.elapsed() < ASK_EVERY {
                sleep(LOOK_EVERY).await;
            }
            continue;
        };
        let mut guard = LeaseGuard { db: house.db.clone(), lease: Some(leased.0) };
        fault::point("index: leased");
        let built = build::build(house, repo, leased, if is_due { purpose } else { Purpose::Changes }, signer).await;
        guard.lease = None;
        match built {
            Ok(BuildEnd::Switched { is_scattered }) => {
                is_due = false;
                if is_scattered {
                    house.index_caches.mark_scattered(repo.id());
                }
            }
            Ok(BuildEnd::Lost) => {}
            Ok(BuildEnd::Idle) => {
                is_due = false;
                release(&house.db, leased.0, None).await?;
            }
            Err(error) => {
                release(&house.db, leased.0, Some(&error.to_string())).await?;
                return Err(error);
            }
        }
    }
}

/// Begins the indexes of a repository that has none, and records all its files if the code renders them differently
/// from before.
async fn begin(house: &House, repo: &IndexedRepo) -> Result<IndexHead> {
    let (id, edition) = (repo.id(), repo.indexes.edition());
    if let Some(head) = heads::find(&house.db, id).await?.filter(|head| head.edition == edition) {
        return Ok(head);
    }
    house.db.write(|tx| heads::insert(tx, id).scope_boxed()).await?;
    record_all(house, repo).await?;
    house.db.write(|tx| heads::set_edition(tx, id, edition).scope_boxed()).await?;
    let gone = || Error::NotFound { what: "Repository", name: repo.repo.name.to_string() };
    heads::find(&house.db, id).await?.ok_or_else(gone)
}

/// Records all files of a repository as changed, in several transactions.
async fn record_all(house: &House, repo: &IndexedRepo) -> Result<()> {
    let mut after = 0;
    loop {
        let files = changes::list_files(&house.db, repo.id(), after, PAGE).await?;
        let Some(last) = files.last() else { return Ok(()) };
        after = *last;
        identities::record(house, repo, &files).await?;
        let changed: Vec<(i64, i64)> = files.into_iter().map(|file_id| (house.next_id(), file_id)).collect();
        let (id, changed) = (repo.id(), &changed);
        house.db.write(|tx| changes::insert(tx, id, changed).scope_boxed()).await?;
    }
}

/// The key of the indexes' signatures, if the repository signs them. Fails if the key needs a passphrase that is not
/// there.
async fn open_signer<'h>(
    house: &'h House,
    caller: &Caller,
    repo: &IndexedRepo,
    with: &SigningOptions,
) -> Result<Option<Signer<'h>>> {
    if !repo.signs_with_gpg() {
        return Ok(None);
    }
    let signer = Signer::with_key(house, caller, &repo.repo, with).await?;
    signer.check_passphrase()?;
    Ok(Some(signer))
}

async fn lease(house: &House, repo_id: RepoId) -> Result<Option<(IndexLease, IndexHead)>> {
    let lease = IndexLease { repo_id, token: house.next_id() };
    let (now, until) = (house.clock.now(), lease_end(house));
    let head = house.db.write(|tx| heads::lease(tx, lease, now, until).scope_boxed()).await?;
    Ok(head.map(|head| (lease, head)))
}

/// Extends the lease of a builder; returns false if another one has taken over.
pub(super) async fn renew(house: &House, lease: IndexLease) -> Result<bool> {
    if !house.index_caches.is_renewal_due(lease.token) {
        return Ok(true);
    }
    let until = lease_end(house);
    Ok(house.db.write(|tx| heads::renew(tx, lease, until).scope_boxed()).await?)
}

fn lease_end(house: &House) -> Timestamp {
    Timestamp::from_millis(house.clock.now().millis() + LEASE_MS)
}

async fn release(db: &Database, lease: IndexLease, failure: Option<&str>) -> Result<()> {
    Ok(db.write(|tx| heads::release(tx, lease, failure).scope_boxed()).await?)
}

/// Gives a lease back if its builder goes away, such as a request whose client has left.
struct LeaseGuard {
    db: Database,
    lease: Option<IndexLease>,
}

impl Drop for LeaseGuard {
    fn drop(&mut self) {
        let (Some(lease), Ok(runtime)) = (self.lease.take(), tokio::runtime::Handle::try_current()) else { return };
        let db = self.db.clone();
        runtime.spawn(async move {
            if let Err(error) = release(&db, lease, None).await {
                tracing::warn!("releasing the indexes of repository {} failed: {error}", lease.repo_id);
            }
        });
    }
}
