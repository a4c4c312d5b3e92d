//! Uploads beyond a storage quota.
