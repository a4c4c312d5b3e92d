//! Audit, garbage, verification, nodes and backups.

#[cfg(test)]
pub(crate) mod garbage_tests;

pub mod audit;
pub mod garbage;
pub mod nodes;
pub mod scrubs;
pub mod snapshot;
pub mod verify;
