//! Names of requests, for answers and logs.

use std::{
    fmt::Write,
    hash::{BuildHasher, RandomState},
    sync::atomic::{AtomicU64, Ordering},
};

use axum::http::{HeaderMap, HeaderName, HeaderValue};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What names a request in answers and logs.
#[derive(Debug, Clone)]
pub(crate) struct RequestId(pub(crate) String);

/// Where names of requests come from: numbers in a row, mixed so that they look like none.
#[derive(Debug)]
pub(crate) struct RequestIds {
    start: u64,
    given: AtomicU64,
}

impl Default for RequestIds {
    fn default() -> Self {
        Self { start: RandomState::new().hash_one("request"), given: AtomicU64::new(0) }
    }
}

impl RequestIds {
    /// A name that no other request of this process has.
    pub(crate) fn next(&self) -> RequestId {
        let number = self.start.wrapping_add(self.given.fetch_add(1, Ordering::Relaxed));
        let mut name = String::with_capacity(16);
        // An odd factor gives every number a partner of its own.
        let written = write!(name, "{:016x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        written.expect("a string takes what is written");
        RequestId(name)
    }
}

impl RequestId {
    /// Puts the name on an answer.
    pub(crate) fn tell(&self, headers: &mut HeaderMap) {
        if let Ok(value) = HeaderValue::from_str(&self.0) {
            headers.insert(REQUEST_ID, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_requests_have_one_name() {
        let ids = RequestIds::default();
        let names: HashSet<String> = (0..1_000).map(|_| ids.next().0).collect();
        assert_eq!(names.len(), 1_000);
        assert!(names.iter().all(|name| name.len() == 16));
    }
}
