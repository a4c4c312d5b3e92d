//! Versions on their way to a public registry.

pub mod public_syncs;
