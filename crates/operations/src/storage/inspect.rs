//! Lets formats look into stored content, on a small pool of its own.

use std::{num::NonZero, sync::Arc, thread, time::Duration};

use model::{blob::Blob, file_path::FilePath};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{
    Error, House, Result,
    format::{Content, Format, Inspected, RepoIndexes},
    storage::{stored_content::StoredContent, suspects::suspect},
};

/// The time that an inspection may take.
pub(super) const LIMIT: Duration = Duration::from_secs(5);

/// The time after which nobody waits for an inspection any more; reads fail before that.
const PATIENCE: Duration = Duration::from_secs(6);

/// The inspections that wait, for each one that runs. One takes milliseconds, and many clients publish at once. Those
/// that wait have stored their content already and hold little memory.
const WAITING: usize = 128;

/// The time that an inspection waits for its turn.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// The bytes that a format may find in one file.
const ABOUT_BYTES: usize = 16 << 20;

/// Limits simultaneous inspections: one for each core, and a queue.
#[derive(Debug)]
pub(crate) struct InspectionPool {
    working: Arc<Semaphore>,
    admitted: Arc<Semaphore>,
    longest_wait: Duration,
}

/// A place in the pool. It belongs to the work, not to the request that wants it.
#[derive(Debug)]
pub(crate) struct InspectionPlace {
    _working: OwnedSemaphorePermit,
    _admitted: Option<OwnedSemaphorePermit>,
}

impl Default for InspectionPool {
    fn default() -> Self {
        Self::new(thread::available_parallelism().map_or(1, NonZero::get), LONGEST_WAIT)
    }
}

impl InspectionPool {
    fn new(at_once: usize, longest_wait: Duration) -> Self {
        let places = |count| Arc::new(Semaphore::new(count));
        Self { working: places(at_once), admitted: places(at_once * (1 + WAITING)), longest_wait }
    }

    /// Waits for a place in a queue; fails if that is full, or if its turn does not come.
    async fn enter(&self) -> Result<InspectionPlace> {
        let busy = || Error::Unavailable("too many files are being inspected".into());
        let admitted = Arc::clone(&self.admitted).try_acquire_owned().map_err(|_| busy())?;
        let place = tokio::time::timeout(self.longest_wait, self.wait()).await.map_err(|_| busy())??;
        Ok(InspectionPlace { _admitted: Some(admitted), ..place })
    }

    /// Waits for a place, however long the queue is. For work that is limited itself and has many files to inspect.
    async fn wait(&self) -> Result<InspectionPlace> {
        let working = Arc::clone(&self.working).acquire_owned().await;
        let working = working.map_err(|error| Error::Internal(error.to_string()))?;
        Ok(InspectionPlace { _working: working, _admitted: None })
    }
}

/// Returns what the format finds in stored content, or its reason to reject it.
pub(crate) async fn inspect(
    house: &House,
    format: &'static dyn Format,
    path: &FilePath,
    blob: &Blob,
) -> Result<Inspected> {
    if !format.inspects(path) {
        return Ok(Inspected::default());
    }
    let place = house.inspections.enter().await?;
    inspect_at(house, format, path, blob, place).await
}

/// Does the same for one of many files, which wait for each other.
pub(crate) async fn inspect_in_turn(
    house: &House,
    format: &'static dyn Format,
    path: &FilePath,
    blob: &Blob,
) -> Result<Inspected> {
    if !format.inspects(path) {
        return Ok(Inspected::default());
    }
    let place = house.inspections.wait().await?;
    inspect_at(house, format, path, blob, place).await
}

/// Returns the details that indexes find in content, which waits for others.
pub(crate) async fn inspect_details(
    house: &House,
    indexes: &'static dyn RepoIndexes,
    path: &FilePath,
    blob: &Blob,
) -> Result<Option<Vec<u8>>> {
    let place = house.inspections.wait().await?;
    let path = path.clone();
    let work = move |content: &mut dyn Content| {
        let about = indexes.inspect_details(&path, content)?;
        Ok(Inspected { facts: None, about })
    };
    Ok(inspect_with(house, blob, place, work).await?.about)
}

async fn inspect_at(
    house: &House,
    format: &'static dyn Format,
    path: &FilePath,
    blob: &Blob,
    place: InspectionPlace,
) -> Result<Inspected> {
    let path = path.clone();
    inspect_with(house, blob, place, move |content| format.inspect(&path, content)).await
}

async fn inspect_with(
    house: &House,
    blob: &Blob,
    place: InspectionPlace,
    work: impl FnOnce(&mut dyn Content) -> std::result::Result<Inspected, String> + Send + 'static,
) -> Result<Inspected> {
    let content = StoredContent::open(house.blobs.clone(), blob).await;
    let found = match content {
        Ok(content) => run(content, place, work).await,
        Err(error) => Err(error),
    };
    if matches!(found, Err(Error::Damaged(_))) {
        suspect(house, blob);
    }
    let found = found?;
    if found.about.as_ref().is_some_and(|about| about.len() > ABOUT_BYTES) {
        return Err(Error::invalid("content", "its metadata is too long"));
    }
    Ok(found)
}

async fn run(
    mut content: StoredContent,
    place: InspectionPlace,
    work: impl FnOnce(&mut dyn Content) -> std::result::Result<Inspected, String> + Send + 'static,
) -> Result<Inspected> {
    let work = tokio::task::spawn_blocking(move || {
        let _place = place;
        let found = work(&mut content);
        content.outcome(found)
    });
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(done) => done.map_err(|error| Error::Internal(format!("an inspection failed: {error}")))?,
        Err(_) => Err(too_slow()),
    }
}

/// The error for content that takes too long to inspect.
pub(super) fn too_slow() -> Error {
    Error::invalid("content", format!("inspecting it takes more than {} seconds", LIMIT.as_secs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_full_queue_refuses_and_a_place_is_free_when_its_work_ends() {
        let pool = Arc::new(InspectionPool::new(1, LONGEST_WAIT));
        let first = pool.enter().await.expect("a place");
        let queued: Vec<_> = (0..WAITING)
            .map(|_| {
                let pool = Arc::clone(&pool);
                tokio::spawn(async move { pool.enter().await.map(drop) })
            })
            .collect();
        while pool.admitted.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert!(matches!(pool.enter().await, Err(Error::Unavailable(_))));
        drop(first);
        for waiting in queued {
            waiting.await.expect("it ran").expect("a place");
        }
        pool.enter().await.expect("a place");
    }

    #[tokio::test]
    async fn nobody_waits_for_a_turn_that_does_not_come() {
        let pool = InspectionPool::new(1, Duration::from_millis(20));
        let _held = pool.enter().await.expect("a place");
        assert!(matches!(pool.enter().await, Err(Error::Unavailable(_))));
    }

    #[tokio::test]
    async fn many_files_of_one_call_wait_for_each_other() {
        let pool = InspectionPool::new(1, LONGEST_WAIT);
        let held = pool.wait().await.expect("a place");
        assert!(tokio::time::timeout(Duration::from_millis(20), pool.wait()).await.is_err());
        drop(held);
        pool.wait().await.expect("a place");
    }
}
