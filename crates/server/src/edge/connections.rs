//! How many connections there are, in all and from one address.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Counts open connections and refuses those over the limits.
#[derive(Debug, Clone)]
pub(crate) struct Connections {
    all: Arc<Semaphore>,
    most: usize,
    per_address: usize,
    /// One entry an address that has a connection open.
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// An open connection; its place is free again when this is dropped.
pub(crate) struct Place {
    _place: OwnedSemaphorePermit,
    connections: Connections,
    address: Option<IpAddr>,
}

impl Connections {
    pub(crate) fn new(all: usize, per_address: usize) -> Self {
        Self { all: Arc::new(Semaphore::new(all)), most: all, per_address, open: Arc::default() }
    }

    /// Whether nobody is connected.
    pub(crate) fn are_none(&self) -> bool {
        self.all.available_permits() == self.most
    }

    /// A place for a connection. Those who speak for many, `is_shared`, count in all only.
    pub(crate) fn enter(&self, address: IpAddr, is_shared: bool) -> Option<Place> {
        let place = self.all.clone().try_acquire_owned().ok()?;
        if is_shared {
            return Some(Place { _place: place, connections: self.clone(), address: None });
        }
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address).or_default();
        if *count >= self.per_address {
            return None;
        }
        *count += 1;
        drop(open);
        Some(Place { _place: place, connections: self.clone(), address: Some(address) })
    }
}

impl Drop for Place {
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
        let connections = Connections::new(3, 2);
        assert!(connections.are_none());
        let (one, two) = ([1, 1, 1, 1].into(), [2, 2, 2, 2].into());
        let first = connections.enter(one, false);
        let second = connections.enter(one, false);
        assert!(first.is_some() && second.is_some());
        assert!(connections.enter(one, false).is_none());
        let third = connections.enter(two, false);
        assert!(third.is_some());
        assert!(connections.enter(two, true).is_none());
        drop(first);
        assert!(connections.enter(one, true).is_some());
        drop((second, third));
        assert!(connections.open.lock().expect("not poisoned").is_empty());
        assert!(connections.are_none());
    }
}
