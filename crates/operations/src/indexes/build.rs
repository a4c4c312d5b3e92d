//! Builds one generation.

use std::collections::BTreeSet;

use database::indexes::{
    blocks,
    changes::{self, IndexChange},
    heads::{IndexHead, IndexLease},
    index_files,
};

use crate::{
    House, Result, fault,
    format::{BuiltStream, Frame},
    indexes::{
        IndexedRepo, details,
        diff::{self, StreamChange},
        digests::Digests,
        seal, settle,
        stream::{self, StreamBuild},
        switch,
    },
    signing::signer::Signer,
};

/// The maximum number of changes that one generation covers.
pub(super) const CHANGES: i64 = 4_096;

/// The maximum size of the facts about changed files that a generation covers, unless those of one file are larger.
pub(super) const FACTS_BYTES: i64 = 64 << 20;

/// Why a generation is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To show changes.
    Changes,
    /// To make documents again before they expire.
    Seal,
    /// To join small blocks.
    Compact,
}

/// How a build ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BuildEnd {
    /// The next generation is served.
    Switched {
        /// Whether some stream has many small blocks.
        is_scattered: bool,
    },
    /// Another builder has taken over; nothing was changed.
    Lost,
    /// There was nothing to do.
    Idle,
}

/// Builds the next generation of a repository that is leased to the caller, and switches to it.
pub(super) async fn build(
    house: &House,
    repo: &IndexedRepo,
    (lease, head): (IndexLease, IndexHead),
    purpose: Purpose,
    signer: Option<Signer<'_>>,
) -> Result<BuildEnd> {
    let Some(noted) = list_changes(house, repo, lease).await? else { return Ok(BuildEnd::Lost) };
    if noted.is_empty() && purpose == Purpose::Changes && head.generation > 0 {
        return Ok(BuildEnd::Idle);
    }
    let now = house.clock.now();
    let changed: BTreeSet<i64> = noted.iter().map(|change| change.file_id).collect();
    let mut builds = Vec::new();
    let diff = diff::read(house, repo, &changed).await?;
    for change in diff.streams {
        let frame = repo.indexes.frame(&change.stream.name, now);
        let is_unchanged = change.is_empty() && purpose != Purpose::Compact;
        builds.push(match unchanged(house, &change, &frame, is_unchanged).await? {
            Some(build) => build,
            None => stream::build(house, repo, change, frame, purpose == Purpose::Compact).await?,
        });
        if !settle::renew(house, lease).await? {
            return Ok(BuildEnd::Lost);
        }
    }
    fault::point("index: built");
    let is_changed = builds.iter().any(|build| build.is_changed);
    if purpose == Purpose::Compact && !is_changed && noted.is_empty() {
        return Ok(BuildEnd::Idle);
    }
    let live = index_files::list_live(&house.db, repo.id()).await?;
    let generation = head.generation + 1;
    let plan = seal::SealPlan { repo, builds: &builds, generation, now, is_forced: purpose == Purpose::Seal };
    let files = if is_changed || purpose == Purpose::Seal || head.generation == 0 {
        plan.seal(house, live, signer).await?
    } else {
        seal::SealedFiles { seal_by: head.seal_by.map(model::timestamp::Timestamp::from_millis), ..Default::default() }
    };
    fault::point("index: sealed");
    let is_scattered = purpose != Purpose::Compact && builds.iter().any(|build| build.is_scattered);
    let covered: Vec<i64> = noted.iter().map(|change| change.id).collect();
    let later = diff.later.into_iter().map(|file_id| (house.next_id(), file_id)).collect();
    let next = switch::NextGeneration { lease, generation: head.generation, now, builds, files, covered, later };
    if !switch::switch(house, &next).await? {
        return Ok(BuildEnd::Lost);
    }
    fault::point("index: switched");
    Ok(BuildEnd::Switched { is_scattered })
}

/// Lists changes for one generation, as many as fit into memory; `None` if another builder has taken over.
async fn list_changes(house: &House, repo: &IndexedRepo, lease: IndexLease) -> Result<Option<Vec<IndexChange>>> {
    let mut noted = changes::list(&house.db, repo.id(), CHANGES).await?;
    let ids: BTreeSet<i64> = noted.iter().map(|change| change.file_id).collect();
    let ids: Vec<i64> = ids.into_iter().collect();
    if !details::read_missing(house, repo, lease, &ids).await? {
        return Ok(None);
    }
    let (mut bytes, mut known) = (0, repo.facts_sizes(&house.db, &ids).await?);
    // Several changes of one file count once.
    let fits = noted.iter().take_while(|change| {
        bytes += known.remove(&change.file_id).unwrap_or(0);
        bytes <= FACTS_BYTES
    });
    let count = fits.count().max(1);
    noted.truncate(count);
    Ok(Some(noted))
}

/// A stream that stays as it is: its digests are those after its last block.
async fn unchanged(
    house: &House,
    change: &StreamChange,
    frame: &Frame,
    is_unchanged: bool,
) -> Result<Option<StreamBuild>> {
    if !is_unchanged || !frame.is_compressed {
        return Ok(None);
    }
    let last = blocks::find_last(&house.db, change.stream.id).await?;
    let states = match &last {
        Some(block) => block.states.as_deref(),
        None => return Ok(None),
    };
    let Some(states) = states else { return Ok(None) };
    let entries = u64::try_from(change.stream.entries).unwrap_or_default();
    let finished = Digests::from_bytes(states)?.finish(frame, &change.stream.name, entries);
    Ok(Some(StreamBuild::unchanged(change.stream.clone(), frame.clone(), finished)))
}

/// The streams as the format sees them.
pub(super) fn built(builds: &[StreamBuild]) -> Vec<BuiltStream> {
    builds.iter().map(|build| build.finished.built.clone()).collect()
}
