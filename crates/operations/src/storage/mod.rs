//! Receiving, checking and committing content.

mod priority;
mod stored_content;

pub(crate) mod computing;
pub(crate) mod expected_checksums;
pub(crate) mod inspect;
pub(crate) mod spool;
pub(crate) mod store;

pub mod archive;
pub mod checksums;
pub mod suspects;
