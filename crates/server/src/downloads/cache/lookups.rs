//! Limits concurrent look-ups. When many requests ask for the same file at once, a few look it up and the others wait;
//! by then a cached response is usually available.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Key;

/// How many requests look up the same file at once. One is enough if the response can be cached; if it cannot, a few
/// requests should not have to wait.
const AT_ONCE: usize = 8;

/// How long the others wait before they look it up themselves.
const PATIENCE: Duration = Duration::from_secs(4);

/// The look-ups in progress.
#[derive(Default)]
pub(super) struct LookupLimiter(Mutex<HashMap<Key, Same>>);

/// The requests for the same file.
struct Same {
    count: usize,
    places: Arc<Semaphore>,
}

/// A permit for one look-up, while it is in progress.
pub(crate) struct LookupPermit<'l> {
    has_waited: bool,
    _place: OwnedSemaphorePermit,
    _asking: Asking<'l>,
}

/// One of the requests for the same file.
struct Asking<'l> {
    looking: &'l LookupLimiter,
    key: Key,
}

impl LookupPermit<'_> {
    /// Whether another request looked up the same file in the meantime.
    pub(crate) fn has_waited(&self) -> bool {
        self.has_waited
    }
}

impl LookupLimiter {
    /// Starts a look-up when a permit is free; `None` if none was free for too long.
    pub(super) async fn begin(&self, key: Key) -> Option<LookupPermit<'_>> {
        self.begin_within(PATIENCE, key).await
    }

    async fn begin_within(&self, patience: Duration, key: Key) -> Option<LookupPermit<'_>> {
        let places = {
            let mut all = self.lock();
            let new = || Same { count: 0, places: Arc::new(Semaphore::new(AT_ONCE)) };
            let same = all.entry(key.clone()).or_insert_with(new);
            same.count += 1;
            same.places.clone()
        };
        let asking = Asking { looking: self, key };
        if let Ok(place) = places.clone().try_acquire_owned() {
            return Some(LookupPermit { has_waited: false, _place: place, _asking: asking });
        }
        let place = tokio::time::timeout(patience, places.acquire_owned()).await.ok()?.ok()?;
        Some(LookupPermit { has_waited: true, _place: place, _asking: asking })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Same>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        let mut all = self.looking.lock();
        let Some(same) = all.get_mut(&self.key) else { return };
        same.count -= 1;
        if same.count == 0 {
            all.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn key(address: &str) -> Key {
        Key { address: address.into(), signature: None, credentials: None, is_https: false }
    }

    /// Takes all permits.
    async fn few(looking: &LookupLimiter) -> Vec<LookupPermit<'_>> {
        let mut few = Vec::new();
        for _ in 0..AT_ONCE {
            few.push(looking.begin(key("a")).await.expect("a place"));
        }
        assert!(few.iter().all(|look_up| !look_up.has_waited()));
        few
    }

    #[tokio::test]
    async fn a_few_look_up_the_same_and_the_others_wait_for_a_place() {
        let looking = LookupLimiter::default();
        let mut few = few(&looking).await;
        let mut others = [Box::pin(looking.begin(key("a"))), Box::pin(looking.begin(key("a")))];
        assert!(others.iter_mut().all(|other| other.as_mut().now_or_never().is_none()));
        assert!(looking.begin(key("b")).now_or_never().flatten().is_some(), "others wait for nobody");
        few.pop();
        let [first, second] = others.each_mut().map(|other| other.as_mut().now_or_never().flatten());
        assert!(first.is_some_and(|look_up| look_up.has_waited()));
        assert!(second.is_none(), "there is one place");
        drop((others, few));
        assert!(looking.lock().is_empty());
    }

    #[tokio::test]
    async fn nobody_waits_for_ever() {
        let looking = LookupLimiter::default();
        let few = few(&looking).await;
        assert!(looking.begin_within(Duration::from_millis(1), key("a")).await.is_none());
        drop(few);
        assert!(looking.lock().is_empty());
    }
}
