//! Where keys are opened and used: threads of their own, few at a time, and few callers who wait for them.
//!
//! A permit belongs to the work, not to the request: who hangs up has no room for more until the work is done.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use crate::{Error, House, Result};

/// Keys that are opened or used at the same time. Together with [`super::cost`] this bounds the memory of it all.
const THREADS: usize = 4;

/// Callers who wait until a key of theirs is read or opened; the others are told to come back.
const WAITING: usize = 32;

/// Calls that make signatures at the same time, and that wait until they may. Each holds a few pieces of content.
const SIGNING: usize = 32;
const WAITING_TO_SIGN: usize = 224;

/// Keys share this many turns; one that is tried makes the others of its turn wait a moment.
const TURNS: usize = 16;

/// The bounds of what signing takes from the machine.
#[derive(Debug)]
pub(crate) struct SigningPool {
    threads: Arc<Semaphore>,
    openers: Arc<Semaphore>,
    signers: Semaphore,
    signing: Semaphore,
    turns: [Semaphore; TURNS],
}

impl Default for SigningPool {
    fn default() -> Self {
        Self {
            threads: Arc::new(Semaphore::new(THREADS)),
            openers: Arc::new(Semaphore::new(THREADS + WAITING)),
            signers: Semaphore::new(SIGNING + WAITING_TO_SIGN),
            signing: Semaphore::new(SIGNING),
            turns: [const { Semaphore::const_new(1) }; TURNS],
        }
    }
}

impl SigningPool {
    /// A place for a caller with a key that is to be read or opened, if there is one.
    pub(super) fn enter(&self) -> Result<Opener> {
        let place = Arc::clone(&self.openers).try_acquire_owned().map_err(|_| busy())?;
        Ok(Opener { place, threads: Arc::clone(&self.threads) })
    }

    /// A place for a call that makes signatures, when it is its turn.
    pub(crate) async fn enter_signing(&self) -> Result<[SemaphorePermit<'_>; 2]> {
        let admitted = self.signers.try_acquire().map_err(|_| busy())?;
        Ok([admitted, self.signing.acquire().await.map_err(|_| closed())?])
    }

    /// Runs a short piece of work off the threads that serve requests.
    pub(super) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        occupy(Arc::clone(&self.threads), None, work).await
    }

    /// The turn to try a passphrase on a key: one at a time on this node.
    pub(super) async fn turn(&self, key_id: i64) -> Result<SemaphorePermit<'_>> {
        let index = usize::try_from(key_id.unsigned_abs()).unwrap_or_default() % TURNS;
        self.turns[index].acquire().await.map_err(|_| closed())
    }
}

/// No call signs while this exists; calls that are about to sign wait.
#[must_use]
#[derive(Debug)]
pub struct Pause<'h> {
    _permits: SemaphorePermit<'h>,
}

/// Stops calls that are about to sign, when those that sign are done: what happens meanwhile can be arranged.
pub async fn pause(house: &House) -> Pause<'_> {
    let all = u32::try_from(SIGNING).unwrap_or(u32::MAX);
    let permits = house.signing.signing.acquire_many(all).await;
    Pause { _permits: permits.expect("the pool is never closed") }
}

/// How many calls sign, or wait until they may.
pub fn calls(house: &House) -> usize {
    SIGNING + WAITING_TO_SIGN - house.signing.signers.available_permits()
}

/// A caller who may have a key read or opened.
pub(super) struct Opener {
    place: OwnedSemaphorePermit,
    threads: Arc<Semaphore>,
}

impl Opener {
    /// Runs what may take long and much memory. The place is free again when that is done.
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
    // The cause of a panic is left out: it could hold a piece of a key.
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
            // The caller goes as soon as the work has begun.
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
