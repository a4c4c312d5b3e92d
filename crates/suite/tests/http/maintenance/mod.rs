//! Garbage and verification.

pub(crate) mod garbage;
pub(crate) mod jobs;
pub(crate) mod verify;
