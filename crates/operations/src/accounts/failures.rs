//! Limits wrong credentials in requests: they are slowed down, then rejected, by name and by address.
//!
//! Each failure is recorded in memory before it is answered, which applies to this node at once, and in the database,
//! which applies to all nodes. Requests over a limit are rejected from memory, without a query. Right credentials are
//! never recorded and cost no query.
//!
//! The holder of a valid key cannot be locked out from another address. Secrets of 32 characters and more, such as all
//! that the server generates, cannot be guessed and always work. Shorter ones, which a person has chosen, work from an
//! address without failures, regardless of failures with the same name elsewhere; from an address with failures they
//! work while neither the address nor the name is over its limit.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use model::timestamp::Timestamp;

use crate::{
    Error, House, PresentedCredentials, Result,
    guesses::{self, Target, TooMany, WINDOW_MS},
};

/// The maximum number of names and addresses in memory: some megabytes at most.
const TARGETS: usize = 20_000;

/// The maximum number of failures that a node writes per second. Further ones count on this node only: a distributed
/// flood costs no more.
const WRITES_PER_SECOND: u32 = 100;

/// The delay of the answer to a failure when half of a limit is used up.
const DELAY: Duration = Duration::from_millis(250);

/// Secrets of at least this many characters cannot be guessed.
const UNGUESSABLE: usize = 32;

/// Failures of the last minute.
#[derive(Debug, Default)]
pub(crate) struct Failures {
    state: Mutex<State>,
    /// The number of targets in memory, for a quick check whether there are any.
    remembered: AtomicUsize,
}

#[derive(Debug, Default)]
struct State {
    recent: HashMap<String, Recent>,
    /// Until when some target is over its limit, in milliseconds.
    over_until: i64,
    swept: i64,
    second: i64,
    written: u32,
}

#[derive(Debug, Clone, Copy)]
struct Recent {
    count: u64,
    /// The time of the first one, in milliseconds.
    since: i64,
}

impl Recent {
    fn is_over(&self, now: Timestamp) -> bool {
        now.millis() - self.since >= WINDOW_MS || now.millis() < self.since
    }
}

/// Returns whether a right secret may have been found by guessing.
pub(crate) fn is_guessable(presented: PresentedCredentials<'_>) -> bool {
    presented.password.expose().len() < UNGUESSABLE
}

/// Rejects credentials, right or wrong, after too many wrong ones from this address, or for this name if this address
/// has failures as well. Uses memory only.
pub(crate) fn check(house: &House, presented: PresentedCredentials<'_>) -> Result<()> {
    let failures = &house.failures;
    if failures.remembered.load(Ordering::Relaxed) == 0 {
        return Ok(());
    }
    let (now, [name, address]) = (house.clock.now(), targets(house, presented));
    let state = failures.lock();
    let from_here = state.find(&address, now);
    let is_over = |target: &Target, recent: Option<Recent>| recent.is_some_and(|recent| recent.count >= target.limit);
    for (target, recent) in [(&address, from_here), (&name, state.find(&name, now).filter(|_| from_here.is_some()))] {
        if is_over(target, recent) {
            let since = recent.map_or(now.millis(), |recent| recent.since);
            let wait_ms = since + WINDOW_MS - now.millis();
            return Err(TooMany { target: target.clone(), wait_ms }.refusal("credentials"));
        }
    }
    Ok(())
}

/// Records wrong credentials and returns the error to answer with: delayed after many failures, and finally a
/// rejection.
pub(crate) async fn record(house: &House, presented: PresentedCredentials<'_>, wrong: Error) -> Error {
    let (now, targets) = (house.clock.now(), targets(house, presented));
    let (noted, may_write) = house.failures.add(&targets, now);
    let mut counts = match noted {
        Ok(counts) => counts,
        Err(too_many) => return too_many.refusal("credentials"),
    };
    // Targets without a limit are not written.
    let first = usize::from(presented.name.is_none());
    let written = if presented.is_shared { &targets[first..1] } else { &targets[first..] };
    let begun = if may_write && !written.is_empty() {
        guesses::begin(house, written).await.map(|begun| begun.map(Some))
    } else {
        Ok(Ok(None))
    };
    match begun {
        Ok(Ok(None)) => {}
        Ok(Ok(Some(begun))) => {
            counts.iter_mut().skip(first).zip(begun.counts).for_each(|(here, all)| *here = all.max(*here));
        }
        Ok(Err(too_many)) => {
            house.failures.block(&too_many, now);
            return too_many.refusal("credentials");
        }
        // The count of this node continues.
        Err(error) => tracing::warn!("recording wrong credentials failed: {error}"),
    }
    if counts.iter().zip(&targets).any(|(count, target)| *count > target.limit / 2) {
        tokio::time::sleep(DELAY).await;
    }
    wrong
}

/// Returns whether cached responses must not be sent to an address unchecked: too many failures came from it, or it has
/// failures while any name or address is over its limit.
pub(crate) fn is_suspect(house: &House, address: IpAddr) -> bool {
    if house.failures.remembered.load(Ordering::Relaxed) == 0 {
        return false;
    }
    let policy = &house.policy;
    let least = policy.wrong_credentials_per_name.min(policy.wrong_credentials_per_address) / 2;
    let target = Target::address(ADDRESS, address, least);
    let (now, state) = (house.clock.now(), house.failures.lock());
    state.find(&target, now).is_some_and(|recent| recent.count > least || now.millis() < state.over_until)
}

/// The limit of a user's name is this many times that of an access key's name: a user's key cannot be guessed.
const FOR_USERS: u64 = 4;

/// The limit of targets without one.
const UNLIMITED: u64 = u64::MAX / 2;

const NAME: &str = "credentials";
const ADDRESS: &str = "credentials from";

/// Returns the name and the address as targets. Shared addresses have no limit, but their failures are counted. Keys
/// without a name share one target, which has no limit.
fn targets(house: &House, presented: PresentedCredentials<'_>) -> [Target; 2] {
    let policy = &house.policy;
    let of_address = if presented.is_shared { UNLIMITED } else { policy.wrong_credentials_per_address };
    let of_name = match presented.name {
        Some(name) if name.contains('@') => policy.wrong_credentials_per_name,
        Some(_) => policy.wrong_credentials_per_name.saturating_mul(FOR_USERS),
        None => UNLIMITED,
    };
    let name = Target::name(NAME, presented.name.unwrap_or_default(), of_name);
    [name, Target::address(ADDRESS, presented.address, of_address)]
}

impl Failures {
    /// Counts a failure and returns whether it may be written to the database.
    fn add(&self, targets: &[Target], now: Timestamp) -> (std::result::Result<Vec<u64>, TooMany>, bool) {
        let mut state = self.lock();
        let mut counts = Vec::new();
        let mut refused = None;
        for target in targets {
            let recent = state.count(target, now);
            if recent.count > target.limit {
                let wait_ms = recent.since + WINDOW_MS - now.millis();
                refused = Some(TooMany { target: target.clone(), wait_ms });
            }
            counts.push(recent.count);
        }
        let may_write = refused.is_none() && state.may_write(now);
        self.remembered.store(state.recent.len(), Ordering::Relaxed);
        (refused.map_or(Ok(counts), Err), may_write)
    }

    /// Stores the count of all nodes together.
    fn block(&self, too_many: &TooMany, now: Timestamp) {
        let mut state = self.lock();
        let since = now.millis() + too_many.wait_ms - WINDOW_MS;
        let recent = Recent { count: too_many.target.limit.saturating_add(1), since };
        state.over_until = state.over_until.max(since + WINDOW_MS);
        state.recent.insert(too_many.target.text.clone(), recent);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn find(&self, target: &Target, now: Timestamp) -> Option<Recent> {
        self.recent.get(&target.text).copied().filter(|recent| !recent.is_over(now))
    }

    fn count(&mut self, target: &Target, now: Timestamp) -> Recent {
        self.make_room(now);
        let recent = self.recent.entry(target.text.clone()).or_insert(Recent { count: 0, since: now.millis() });
        if recent.is_over(now) {
            *recent = Recent { count: 0, since: now.millis() };
        }
        recent.count = recent.count.saturating_add(1);
        let recent = *recent;
        if recent.count >= target.limit {
            self.over_until = self.over_until.max(recent.since + WINDOW_MS);
        }
        recent
    }

    /// Removes expired entries, at most once a second; if that is not enough, removes an arbitrary one.
    fn make_room(&mut self, now: Timestamp) {
        let second = now.millis() / 1_000;
        if self.swept != second {
            self.swept = second;
            self.recent.retain(|_, recent| !recent.is_over(now));
        }
        if self.recent.len() >= TARGETS
            && let Some(some) = self.recent.keys().next().cloned()
        {
            self.recent.remove(&some);
        }
    }

    fn may_write(&mut self, now: Timestamp) -> bool {
        let second = now.millis() / 1_000;
        if self.second != second {
            (self.second, self.written) = (second, 0);
        }
        self.written += 1;
        self.written <= WRITES_PER_SECOND
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(text: &str, limit: u64) -> Target {
        Target { text: text.to_owned(), limit }
    }

    #[test]
    fn failures_are_counted_for_a_minute() {
        let failures = Failures::default();
        let at = |second: i64| Timestamp::from_millis(second * 1_000);
        for second in 0..3 {
            assert!(failures.add(&[target("a", 3)], at(second)).0.is_ok());
        }
        let (refused, _) = failures.add(&[target("a", 3)], at(3));
        assert_eq!(refused.err().map(|too_many| too_many.wait_ms), Some(57_000));
        assert!(failures.add(&[target("b", 3)], at(3)).0.is_ok());
        assert!(failures.add(&[target("a", 3)], at(60)).0.is_ok());
    }

    #[test]
    fn memory_and_writes_are_bounded() {
        let failures = Failures::default();
        let now = Timestamp::from_millis(5_000);
        let written = (0..TARGETS + 500).filter(|number| failures.add(&[target(&number.to_string(), 3)], now).1);
        assert_eq!(written.count(), WRITES_PER_SECOND as usize);
        assert!(failures.lock().recent.len() <= TARGETS);
        assert!(failures.add(&[target("x", 3)], Timestamp::from_millis(6_000)).1);
        assert!(failures.add(&[target("x", 3)], Timestamp::from_millis(90_000)).0.is_ok());
        assert_eq!(failures.lock().recent.len(), 1);
    }

    #[test]
    fn addresses_of_one_network_count_together() {
        let of = |text: &str| Target::address("from", text.parse().expect("an address"), 1);
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::7"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }
}
