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
pub(super) struct LookupLimiter(Mutex<HashMap<Key, LookupGroup>>);

/// The requests for the same file.
struct LookupGroup {
    count: usize,
    permits: Arc<Semaphore>,
}

/// A permit for one look-up, while it is in progress.
pub(crate) struct LookupPermit<'l> {
    has_waited: bool,
    _permit: OwnedSemaphorePermit,
    _member: GroupMember<'l>,
}

/// One of the requests for the same file.
struct GroupMember<'l> {
    limiter: &'l LookupLimiter,
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
        let permits = {
            let mut all = self.lock();
            let new = || LookupGroup { count: 0, permits: Arc::new(Semaphore::new(AT_ONCE)) };
            let group = all.entry(key.clone()).or_insert_with(new);
            group.count += 1;
            group.permits.clone()
        };
        let member = GroupMember { limiter: self, key };
        if let Ok(permit) = permits.clone().try_acquire_owned() {
            return Some(LookupPermit { has_waited: false, _permit: permit, _member: member });
        }
        let permit = tokio::time::timeout(patience, permits.acquire_owned()).await.ok()?.ok()?;
        Some(LookupPermit { has_waited: true, _permit: permit, _member: member })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, LookupGroup>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for GroupMember<'_> {
    fn drop(&mut self) {
        let mut all = self.limiter.lock();
        let Some(group) = all.get_mut(&self.key) else { return };
        group.count -= 1;
        if group.count == 0 {
            all.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn key(address: &str) -> Key {
        Key { address: address.into(), signature: None, credentials: None, accept: None, is_https: false }
    }

    /// Takes all permits.
    async fn few(limiter: &LookupLimiter) -> Vec<LookupPermit<'_>> {
        let mut few = Vec::new();
        for _ in 0..AT_ONCE {
            few.push(limiter.begin(key("a")).await.expect("a place"));
        }
        assert!(few.iter().all(|look_up| !look_up.has_waited()));
        few
    }

    #[tokio::test]
    async fn a_few_look_up_the_same_and_the_others_wait_for_a_place() {
        let limiter = LookupLimiter::default();
        let mut few = few(&limiter).await;
        let mut others = [Box::pin(limiter.begin(key("a"))), Box::pin(limiter.begin(key("a")))];
        assert!(others.iter_mut().all(|other| other.as_mut().now_or_never().is_none()));
        assert!(limiter.begin(key("b")).now_or_never().flatten().is_some(), "others wait for nobody");
        few.pop();
        let [first, second] = others.each_mut().map(|other| other.as_mut().now_or_never().flatten());
        assert!(first.is_some_and(|look_up| look_up.has_waited()));
        assert!(second.is_none(), "there is one place");
        drop((others, few));
        assert!(limiter.lock().is_empty());
    }

    #[tokio::test]
    async fn nobody_waits_for_ever() {
        let limiter = LookupLimiter::default();
        let few = few(&limiter).await;
        assert!(limiter.begin_within(Duration::from_millis(1), key("a")).await.is_none());
        drop(few);
        assert!(limiter.lock().is_empty());
    }
}
