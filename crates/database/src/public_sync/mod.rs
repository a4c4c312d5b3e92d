//! Public sync: pushing versions to a public registry.

pub mod public_syncs;
