//! Garbage and verification.

pub(crate) mod garbage;
pub(crate) mod verify;
