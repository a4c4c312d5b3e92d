//! Downloads: files, folders, ranges, caches and signed URLs.

pub(crate) mod cache;
pub(crate) mod cache_scope;
pub(crate) mod download;
pub(crate) mod download_logs;
pub(crate) mod folders;
pub(crate) mod handoff;
pub(crate) mod key_quota;
pub(crate) mod latest;
pub(crate) mod proxied;
pub(crate) mod ranges;
pub(crate) mod signed_url_refusals;
pub(crate) mod signed_urls;
