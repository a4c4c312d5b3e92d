//! Switches to a generation, in one transaction.

use database::{
    ScopedFutureExt, Tx,
    indexes::{blocks, changes, entries, heads, heads::IndexLease, index_files, streams},
};
use model::timestamp::Timestamp;

use crate::{
    Error, House, Result, fault,
    indexes::{seal::SealedFiles, stream::StreamBuild},
};

/// A file that was replaced stays this long, for those who are about to read it.
const REPLACED_MS: i64 = 60_000;

/// A replaced file whose path names its digest stays this long, for clients that read the documents before.
const LASTING_MS: i64 = 24 * 3_600_000;

/// A generation, built and signed.
pub(super) struct NextGeneration {
    pub(super) lease: IndexLease,
    /// The generation that it follows.
    pub(super) generation: i64,
    pub(super) now: Timestamp,
    pub(super) builds: Vec<StreamBuild>,
    pub(super) files: SealedFiles,
    /// The changes that it covers.
    pub(super) covered: Vec<i64>,
    /// Files that later generations cover, each with the id of the change that says so.
    pub(super) later: Vec<(i64, i64)>,
}

/// The reason why a transaction was rolled back.
enum Undone {
    Lost,
    Failed(Error),
}

impl From<database::Error> for Undone {
    fn from(error: database::Error) -> Self {
        Undone::Failed(error.into())
    }
}

/// Switches to a generation; returns false, and changes nothing, if the builder has lost its lease.
pub(super) async fn switch(house: &House, next: &NextGeneration) -> Result<bool> {
    let switched = house.db.write(|tx| {
        async move {
            if !heads::switch(tx, next.lease, next.generation, next.now, next.files.seal_by).await? {
                return Err(Undone::Lost);
            }
            write(tx, next).await?;
            fault::point("index: rows written");
            Ok(())
        }
        .scope_boxed()
    });
    match switched.await {
        Ok(()) => Ok(true),
        Err(Undone::Lost) => Ok(false),
        Err(Undone::Failed(error)) => Err(error),
    }
}

async fn write(tx: &mut Tx, next: &NextGeneration) -> std::result::Result<(), database::Error> {
    let (repo_id, generation) = (next.lease.repo_id, next.generation + 1);
    for build in next.builds.iter().filter(|build| build.is_changed) {
        streams::upsert(tx, repo_id, &build.stream).await?;
        for file_id in &build.gone {
            entries::delete(tx, build.stream.id, *file_id).await?;
        }
        for entry in &build.entries {
            entries::upsert(tx, entry).await?;
        }
        blocks::end(tx, &build.ended, generation).await?;
        for (block, bytes) in &build.inserted {
            blocks::insert(tx, build.stream.id, generation, block, bytes).await?;
        }
        for (id, states) in &build.states {
            blocks::set_states(tx, *id, states).await?;
        }
    }
    for (is_lasting, stays) in [(false, REPLACED_MS), (true, LASTING_MS)] {
        let ended: Vec<i64> =
            next.files.ended.iter().filter(|(_, lasting)| *lasting == is_lasting).map(|(id, _)| *id).collect();
        index_files::end(tx, &ended, Timestamp::from_millis(next.now.millis() + stays)).await?;
    }
    for file in &next.files.inserted {
        index_files::insert(tx, repo_id, file.clone()).await?;
    }
    changes::delete(tx, &next.covered).await?;
    changes::insert(tx, repo_id, &next.later).await
}
