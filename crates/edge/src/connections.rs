//! Limits the number of connections: in total, from one IP address, and of clients that have not signed in.
//!
//! A connection counts as signed in from its first request with valid credentials or a valid session until it ends.
//! Connections of trusted proxies carry the requests of many clients and always count as signed in. When all anonymous
//! slots are in use, a new connection is on probation: the client must sign in at once and can do nothing else.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Counts open connections and refuses those over the limits.
#[derive(Debug, Clone)]
pub(crate) struct Connections {
    all: Arc<Semaphore>,
    most: usize,
    anonymous: Arc<Semaphore>,
    per_address: usize,
    /// The number of open connections of each IP address that has any.
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// The slot of an open connection. Dropping it frees the slot.
pub(crate) struct ConnectionSlot {
    _place: OwnedSemaphorePermit,
    connections: Connections,
    address: Option<IpAddr>,
    standing: Standing,
}

/// Whether a client has signed in on a connection, and whether it has an anonymous slot.
#[derive(Debug, Clone)]
pub struct Standing(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    has_place: bool,
    has_signed_in: AtomicBool,
    /// The slot of a connection that has not signed in.
    anonymous: Mutex<Option<OwnedSemaphorePermit>>,
}

impl Standing {
    /// Marks the connection as signed in and frees its anonymous slot.
    pub fn sign_in(&self) {
        if !self.0.has_signed_in.swap(true, Ordering::Relaxed) {
            drop(self.0.anonymous.lock().unwrap_or_else(PoisonError::into_inner).take());
        }
    }

    /// Returns whether the connection has no anonymous slot and has not signed in.
    pub fn is_on_probation(&self) -> bool {
        !self.0.has_place && !self.0.has_signed_in.load(Ordering::Relaxed)
    }
}

/// The origin of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum From {
    /// A client.
    Client,
    /// This machine, from which one process may send requests for many clients.
    Loopback,
    /// A trusted proxy, which sends requests for many clients.
    Proxy,
}

impl Connections {
    pub(crate) fn new(all: usize, anonymous_percent: u32, per_address: usize) -> Self {
        let anonymous = all.saturating_mul(anonymous_percent as usize).div_ceil(100);
        Self {
            all: Arc::new(Semaphore::new(all)),
            most: all,
            anonymous: Arc::new(Semaphore::new(anonymous)),
            per_address,
            open: Arc::default(),
        }
    }

    /// Returns whether no connection is open.
    pub(crate) fn are_none(&self) -> bool {
        self.all.available_permits() == self.most
    }

    /// Reserves a slot for a connection. Only connections of direct clients are counted by IP address.
    pub(crate) fn enter(&self, address: IpAddr, from: From) -> Option<ConnectionSlot> {
        let place = self.all.clone().try_acquire_owned().ok()?;
        let address = (from == From::Client).then_some(address);
        if let Some(address) = address {
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            let count = open.entry(address).or_default();
            if *count >= self.per_address {
                return None;
            }
            *count += 1;
        }
        Some(ConnectionSlot { _place: place, connections: self.clone(), address, standing: self.standing(from) })
    }

    fn standing(&self, from: From) -> Standing {
        let anonymous = match from {
            From::Proxy => None,
            From::Client | From::Loopback => self.anonymous.clone().try_acquire_owned().ok(),
        };
        Standing(Arc::new(Inner {
            has_place: anonymous.is_some(),
            has_signed_in: AtomicBool::new(from == From::Proxy),
            anonymous: Mutex::new(anonymous),
        }))
    }
}

impl ConnectionSlot {
    /// Returns whether a client has signed in on the connection.
    pub(crate) fn standing(&self) -> &Standing {
        &self.standing
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let Some(address) = self.address else { return };
        let mut open = self.connections.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_limits_hold_and_places_come_back() {
        let connections = Connections::new(3, 100, 2);
        assert!(connections.are_none());
        let (one, two) = ([1, 1, 1, 1].into(), [2, 2, 2, 2].into());
        let first = connections.enter(one, From::Client);
        let second = connections.enter(one, From::Client);
        assert!(first.is_some() && second.is_some());
        assert!(connections.enter(one, From::Client).is_none());
        let third = connections.enter(two, From::Client);
        assert!(third.is_some());
        assert!(connections.enter(two, From::Loopback).is_none());
        drop(first);
        assert!(connections.enter(one, From::Loopback).is_some());
        drop((second, third));
        assert!(connections.open.lock().expect("not poisoned").is_empty());
        assert!(connections.are_none());
    }

    #[test]
    fn some_places_are_for_those_who_sign_in() {
        let connections = Connections::new(10, 75, 256);
        let address = [1, 1, 1, 1].into();
        let mut anonymous: Vec<ConnectionSlot> =
            (0..8).filter_map(|_| connections.enter(address, From::Client)).collect();
        assert!(anonymous.iter().all(|place| !place.standing().is_on_probation()));
        let late = connections.enter(address, From::Client).expect("there is a place");
        assert!(late.standing().is_on_probation());
        assert!(!connections.enter(address, From::Proxy).expect("there is a place").standing().is_on_probation());
        late.standing().sign_in();
        assert!(!late.standing().is_on_probation());
        anonymous[0].standing().sign_in();
        assert!(!connections.enter(address, From::Client).expect("there is a place").standing().is_on_probation());
        anonymous.clear();
        assert_eq!(connections.anonymous.available_permits(), 8);
        drop(late);
        assert!(connections.are_none());
    }
}
