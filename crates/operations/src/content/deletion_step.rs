//! Large deletions in steps: a transaction deletes some files, some versions, or everything that is left.
//!
//! SQLite has one writer, and a package may have millions of files: one transaction would block all uploads. The last
//! paths go first, so that signatures go before what they sign, and manifests of images before their layers. Until the
//! last step, the package or the version exists with fewer files than before, and the deletion can be repeated.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use database::{
    Read, Tx,
    catalogue::{latest_versions, packages, versions},
    content::{
        deletion_batches::{self, BatchScope, LastContent},
        stored_bytes,
        tombstones::{self, Closed},
    },
};
use model::{
    file::File,
    id::{PackageId, VersionId},
    repo::Repo,
    timestamp::Timestamp,
};

use crate::{
    Caller, Error, House, Result,
    catalogue::{latest, tombstones::is_bound, window},
    content::{
        indexes::{IndexPlan, affected},
        package_indexes::{self, IndexChange},
        planned_rows::PlannedRows,
        signed_write::{self, Plan, SignedWrite},
    },
    fault,
    signing::{
        signatures::{Signatures, ToSign},
        signer::Signer,
    },
};

/// The most files, and the most versions, that one transaction deletes together with their package.
const AT_ONCE: i64 = 500;

/// The most counts of downloads that one transaction deletes together with their versions.
const COUNTS_AT_ONCE: i64 = 20_000;

/// The number of files, or of versions, that a step deletes.
const STEP: usize = 250;

/// The pause after a step is as long as the step took, but no longer than this: other writers have half of the time.
const LONGEST_REST: Duration = Duration::from_secs(1);

/// The number of deletions of more than one step that run at once.
pub(crate) const LARGE_AT_ONCE: usize = 4;

/// What a transaction of a deletion deletes.
pub(super) enum DeletionStep {
    /// Some files.
    Files(FileBatch),
    /// Some versions without files, or some of what is counted for them.
    Versions(Vec<VersionId>),
    /// Some of what is counted for the version.
    Counts(VersionId),
    /// Everything that is left.
    Rest(IndexPlan),
}

/// Files to delete.
pub(super) struct FileBatch {
    files: Vec<File>,
    indexes: IndexPlan,
}

impl Plan for DeletionStep {
    fn to_sign(&self) -> ToSign {
        match self {
            Self::Files(batch) => batch.indexes.to_sign(),
            Self::Rest(indexes) => indexes.to_sign(),
            Self::Versions(_) | Self::Counts(_) => ToSign::default(),
        }
    }
}

/// A package, or one of its versions, that is deleted in steps.
pub(super) struct LargeDeletion<'d> {
    pub(super) house: &'d House,
    pub(super) repo: &'d Repo,
    pub(super) package_id: PackageId,
    /// The id and the ordinal of the version; `None` for the whole package.
    pub(super) version: Option<(VersionId, i64)>,
    pub(super) now: Timestamp,
}

impl LargeDeletion<'_> {
    fn scope(&self) -> BatchScope {
        self.version.map_or(BatchScope::Package(self.package_id), |(id, _)| BatchScope::Version(id))
    }

    /// Plans the next step before the last one; `None` if few enough rows are left for one transaction.
    pub(super) async fn plan(&self, db: &dyn Read, key: Option<&str>) -> Result<Option<DeletionStep>> {
        let scope = self.scope();
        if deletion_batches::has_more_files(db, scope, AT_ONCE).await? {
            return Ok(Some(DeletionStep::Files(self.next_files(db, key).await?)));
        }
        let many = match self.version {
            Some(_) => Vec::new(),
            None => deletion_batches::list_versions(db, self.package_id, AT_ONCE + 1).await?,
        };
        let has_few_versions = many.len() as i64 <= AT_ONCE;
        if has_few_versions && !deletion_batches::has_more_counts(db, scope, COUNTS_AT_ONCE).await? {
            return Ok(None);
        }
        let files = self.next_files(db, key).await?;
        Ok(Some(match self.version {
            _ if !files.files.is_empty() => DeletionStep::Files(files),
            Some((id, _)) => DeletionStep::Counts(id),
            None => DeletionStep::Versions(many.into_iter().take(STEP).collect()),
        }))
    }

    /// Plans the deletion of the files with the last paths. An index is built again with the last of its files: before
    /// that, a step would read all the others.
    async fn next_files(&self, db: &dyn Read, key: Option<&str>) -> Result<FileBatch> {
        let mut files = deletion_batches::list_files(db, self.scope(), STEP as i64 + 1).await?;
        let next = files.split_off(files.len().min(STEP)).into_iter().next();
        let is_finished = |folder: &str| next.as_ref().is_none_or(|next| !next.path.as_str().starts_with(folder));
        let (format, mut rows) = (self.house.format(&self.repo.kind), PlannedRows::new(db, self.repo.id, self.now));
        let published = || files.iter().filter(|file| file.published.is_some());
        published().for_each(|file| rows.unpublish(&file.path));
        let mut affected: BTreeSet<_> = published().flat_map(|file| affected(format, file)).collect();
        affected.retain(|index| is_finished(index.folder_prefix()));
        let indexes = IndexPlan::read(&rows, self.house, self.repo, affected, key).await?;
        Ok(FileBatch { files, indexes })
    }

    /// Applies a step. The rest is deleted by the caller.
    pub(super) async fn apply(&self, tx: &mut Tx, step: DeletionStep, signatures: &Signatures) -> Result<()> {
        match step {
            DeletionStep::Files(batch) => {
                self.delete_files(tx, &batch.files).await?;
                batch.indexes.apply(tx, self.repo.id, signatures, self.now).await?;
                self.update_package(tx, batch.files.iter().any(|file| file.published.is_some())).await
            }
            DeletionStep::Versions(ids) => Ok(deletion_batches::delete_versions(tx, self.repo.id, &ids).await?),
            DeletionStep::Counts(id) => Ok(deletion_batches::delete_counts(tx, id).await?),
            DeletionStep::Rest(_) => Ok(()),
        }
    }

    async fn delete_files(&self, tx: &mut Tx, files: &[File]) -> Result<()> {
        let ids: Vec<i64> = files.iter().map(|file| file.id).collect();
        let contents = deletion_batches::list_contents(tx, &ids).await?;
        self.bind(tx, &contents).await?;
        let bytes: i64 = contents.iter().map(|content| content.bytes).sum();
        stored_bytes::add(tx, self.repo.id, self.package_id, -bytes).await?;
        let mut published: BTreeMap<i64, i64> = BTreeMap::new();
        for content in contents.iter().filter(|content| content.sha256.is_some()) {
            *published.entry(content.version_id.get()).or_default() += 1;
        }
        for (version_id, files) in published {
            versions::unpublish(tx, VersionId::new(version_id), files, self.now).await?;
        }
        Ok(deletion_batches::delete_files(tx, self.repo.id, &ids).await?)
    }

    /// Adds tombstones for those of these files whose upload window has closed.
    async fn bind(&self, tx: &mut Tx, contents: &[LastContent]) -> Result<()> {
        let before = window::closed_before(self.house, self.repo, self.now).millis();
        let closed = contents.iter().filter(|content| content.first_published.is_some_and(|first| first < before));
        let closed = closed.filter_map(|file| Some(Closed { path: file.path.clone(), sha256: file.sha256.clone()? }));
        let closed: Vec<Closed> = closed.filter(|file| is_bound(self.house, &self.repo.kind, file)).collect();
        Ok(tombstones::insert(tx, (&self.repo.owner.folded(), &self.repo.name.folded()), &closed, self.now).await?)
    }

    /// Updates what the package shows of its files. The latest version of a package that is deleted is not determined
    /// in each step, because that reads all versions; readers determine it. Readers have seen the files if any of them
    /// was published.
    async fn update_package(&self, tx: &mut Tx, was_seen: bool) -> Result<()> {
        let change = match self.version {
            Some((_, ordinal)) => {
                latest::deleted(tx, self.house.format(&self.repo.kind), self.package_id).await?;
                IndexChange::Version(ordinal)
            }
            None => {
                latest_versions::set(tx, self.package_id, None).await?;
                IndexChange::All
            }
        };
        if was_seen {
            packages::touch(tx, self.package_id, self.now).await?;
        }
        package_indexes::rebuild(tx, self.house, self.repo, self.package_id, change, self.now).await
    }
}

/// A deletion whose transactions return whether nothing is left.
pub(super) trait DeletionInSteps: SignedWrite<Output = bool> {
    /// Notes that the first step has recorded the deletion in the audit log.
    fn set_recorded(&mut self);
}

/// Runs a deletion to its end. Few that need more than one step run at once, because they go on without their callers.
pub(super) async fn run(
    house: &House,
    caller: &Caller,
    repo: &Repo,
    deletion: &mut impl DeletionInSteps,
) -> Result<()> {
    let mut place = None;
    loop {
        let began = Instant::now();
        let signer = Signer::of_deletion(house, caller, repo).await?;
        if signed_write::run(signer, deletion).await? {
            return Ok(());
        }
        if place.is_none() {
            let busy = |_| Error::Unavailable("too many large deletions are running".into());
            place = Some(house.deletions.try_acquire().map_err(busy)?);
        }
        deletion.set_recorded();
        rest(began).await;
    }
}

/// Waits after a step, for other writers.
async fn rest(began: Instant) {
    fault::point("deletion: step");
    tokio::time::sleep(began.elapsed().min(LONGEST_REST)).await;
}
