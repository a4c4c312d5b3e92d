//! Limits how many keys are unlocked and used at a time, on separate threads, and how many callers wait for them.
//!
//! A permit belongs to the work, not to the request: a client that disconnects gets no room for more work until its own
//! is done.

#[cfg(feature = "testing")]
pub(super) mod testing;

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use crate::{Error, Result};

/// Keys that are unlocked or used at the same time. Together with [`super::cost`] this limits the total memory.
const THREADS: usize = 4;

/// The number of callers that may wait for a key to be read or unlocked; others are rejected and may retry.
const WAITING: usize = 32;

/// The number of calls that sign at the same time, and that wait until they may. Each has a few pieces of content in
/// memory.
const SIGNING: usize = 32;
const WAITING_TO_SIGN: usize = 224;

/// Keys share this many semaphores; an attempt on one key makes the others of its semaphore wait a moment.
const KEY_LOCKS: usize = 16;

/// The resource limits of signing.
#[derive(Debug)]
pub(crate) struct SigningPool {
    threads: Arc<Semaphore>,
    openers: Arc<Semaphore>,
    signers: Semaphore,
    signing: Semaphore,
    key_locks: [Semaphore; KEY_LOCKS],
}

impl Default for SigningPool {
    fn default() -> Self {
        Self {
            threads: Arc::new(Semaphore::new(THREADS)),
            openers: Arc::new(Semaphore::new(THREADS + WAITING)),
            signers: Semaphore::new(SIGNING + WAITING_TO_SIGN),
            signing: Semaphore::new(SIGNING),
            key_locks: [const { Semaphore::const_new(1) }; KEY_LOCKS],
        }
    }
}

impl SigningPool {
    /// Admits a caller whose key is to be read or unlocked, if the limit allows it.
    pub(super) fn enter(&self) -> Result<Opener> {
        let place = Arc::clone(&self.openers).try_acquire_owned().map_err(|_| busy())?;
        Ok(Opener { place, threads: Arc::clone(&self.threads) })
    }

    /// Admits a call that makes signatures, and waits until it may begin.
    pub(crate) async fn enter_signing(&self) -> Result<[SemaphorePermit<'_>; 2]> {
        let admitted = self.signers.try_acquire().map_err(|_| busy())?;
        Ok([admitted, self.signing.acquire().await.map_err(|_| closed())?])
    }

    /// Runs a short piece of work outside the threads that serve requests.
    pub(super) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        occupy(Arc::clone(&self.threads), None, work).await
    }

    /// Waits until a passphrase may be tried on a key: one at a time on this node.
    pub(super) async fn lock_key(&self, key_id: i64) -> Result<SemaphorePermit<'_>> {
        let index = usize::try_from(key_id.unsigned_abs()).unwrap_or_default() % KEY_LOCKS;
        self.key_locks[index].acquire().await.map_err(|_| closed())
    }
}

/// A caller who may have a key read or unlocked.
pub(super) struct Opener {
    place: OwnedSemaphorePermit,
    threads: Arc<Semaphore>,
}

impl Opener {
    /// Runs work that may take much time and memory. The permit is released when it is done.
    pub(super) async fn run<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        occupy(self.threads, Some(self.place), work).await
    }
}

async fn occupy<T: Send + 'static>(
    threads: Arc<Semaphore>,
    place: Option<OwnedSemaphorePermit>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let thread = threads.acquire_owned().await.map_err(|_| closed())?;
    let done = tokio::task::spawn_blocking(move || {
        let _held = (place, thread);
        work()
    });
    // The cause of a panic is omitted: it could contain a part of a key.
    done.await.map_err(|_| Error::Internal("a signing thread has failed".into()))
}

fn busy() -> Error {
    Error::Unavailable("too many calls wait for signing keys".into())
}

fn closed() -> Error {
    Error::Internal("the signing threads are gone".into())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn a_place_is_taken_until_the_work_is_done_however_soon_its_caller_goes() {
        let bench = SigningPool::default();
        let (finish, finished) = mpsc::channel::<()>();
        let finished = Arc::new(std::sync::Mutex::new(finished));
        for _ in 0..THREADS {
            let finished = Arc::clone(&finished);
            let work = bench.enter().unwrap().run(move || finished.lock().unwrap().recv());
            // The caller leaves as soon as the work has begun.
            let abandoned = tokio::time::timeout(std::time::Duration::from_millis(20), work).await;
            assert!(abandoned.is_err());
        }
        assert_eq!(bench.threads.available_permits(), 0);
        let waiting: Vec<_> = (0..WAITING).map(|_| bench.enter().unwrap()).collect();
        assert!(matches!(bench.enter(), Err(Error::Unavailable(_))));
        drop(waiting);
        (0..THREADS).for_each(|_| finish.send(()).unwrap());
        let all = bench.threads.acquire_many(u32::try_from(THREADS).unwrap()).await.unwrap();
        assert_eq!(bench.openers.available_permits(), THREADS + WAITING);
        drop(all);
    }

    #[tokio::test]
    async fn who_leaves_the_queue_leaves_no_work_behind() {
        let bench = SigningPool::default();
        let all = bench.threads.acquire_many(u32::try_from(THREADS).unwrap()).await.unwrap();
        let (began, has_begun) = mpsc::channel();
        let work = bench.enter().unwrap().run(move || began.send(()));
        assert!(tokio::time::timeout(std::time::Duration::from_millis(20), work).await.is_err());
        drop(all);
        assert_eq!(bench.openers.available_permits(), THREADS + WAITING);
        assert!(has_begun.recv().is_err(), "the work was dropped before it began");
    }
}
