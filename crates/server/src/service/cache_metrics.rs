//! The metrics of responses that come from a cache.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use metrics::{Counter, Histogram, counter, histogram};

use super::known_method;
use crate::metrics::{CACHE_HITS, OBJECT_CACHE_HITS, REPEATED_DOWNLOADS, REPEATED_OBJECTS, REQUEST_SECONDS};

/// The metrics of one cache.
pub(super) struct CacheMetrics {
    /// How long its whole responses took.
    seconds: Histogram,
    /// How many requests it answered.
    hits: Counter,
    /// How many of these were not even parsed.
    replayed: Counter,
}

impl CacheMetrics {
    pub(super) fn of_downloads() -> Self {
        Self {
            seconds: histogram!(REQUEST_SECONDS, "surface" => "download", "method" => "GET", "status" => "200"),
            hits: counter!(CACHE_HITS),
            replayed: counter!(REPEATED_DOWNLOADS),
        }
    }

    pub(super) fn of_objects() -> Self {
        Self {
            seconds: histogram!(REQUEST_SECONDS, "surface" => "api", "method" => "GET", "status" => "200"),
            hits: counter!(OBJECT_CACHE_HITS),
            replayed: counter!(REPEATED_OBJECTS),
        }
    }

    /// Records a whole response.
    pub(super) fn record(&self, took: Duration) {
        self.seconds.record(took.as_secs_f64());
        self.hits.increment(1);
    }

    /// Records a replay.
    pub(super) fn record_replay(&self, took: Duration) {
        self.record(took);
        self.replayed.increment(1);
    }

    /// Records the response without a body for an object.
    pub(super) fn record_short(&self, method: &Method, status: StatusCode, took: Duration) {
        let (method, status) = (known_method(method), status.as_u16().to_string());
        histogram!(REQUEST_SECONDS, "surface" => "api", "method" => method, "status" => status)
            .record(took.as_secs_f64());
        self.hits.increment(1);
    }
}
