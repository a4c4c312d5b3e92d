//! Ids of requests, for responses and logs.

use std::{
    fmt,
    hash::{BuildHasher, RandomState},
    sync::atomic::{AtomicU64, Ordering},
};

use http::{HeaderMap, HeaderName, HeaderValue};

/// The id of a request in responses and logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RequestId(u64);

/// Generates request ids: consecutive numbers, mixed so that they look random.
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
    /// Returns an id that no other request of this process has.
    pub(crate) fn next(&self) -> RequestId {
        let number = self.start.wrapping_add(self.given.fetch_add(1, Ordering::Relaxed));
        // Multiplication by an odd factor maps different numbers to different ids.
        RequestId(number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

impl RequestId {
    /// The header with the id.
    pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

    /// The length of the id in hexadecimal digits.
    pub(crate) const LENGTH: usize = 16;

    /// Reserves the header in a cached response: adding it to a copy later would move all headers.
    pub fn make_room(headers: &mut HeaderMap) {
        headers.insert(Self::HEADER, HeaderValue::from_static("-"));
    }

    /// Sets the header of a response to this id.
    pub fn add_to(self, headers: &mut HeaderMap) {
        if let Ok(value) = HeaderValue::from_bytes(&self.digits()) {
            headers.insert(Self::HEADER, value);
        }
    }

    /// Returns the id in hexadecimal digits.
    pub(crate) fn digits(self) -> [u8; Self::LENGTH] {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut digits = [0; Self::LENGTH];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(self.0.to_be_bytes()) {
            pair.copy_from_slice(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 0xf)]]);
        }
        digits
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.digits()).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_requests_have_one_name() {
        let ids = RequestIds::default();
        let names: HashSet<String> = (0..1_000).map(|_| ids.next().to_string()).collect();
        assert_eq!(names.len(), 1_000);
        assert!(names.iter().all(|name| name.len() == 16));
        assert_eq!(RequestId(0x0123_4567_89ab_cdef).to_string(), "0123456789abcdef");
    }
}
