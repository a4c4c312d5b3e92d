//! blobs
