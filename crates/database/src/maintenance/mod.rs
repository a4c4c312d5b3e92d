//! Audit log, garbage collection, verification, nodes and backups.

pub mod audit;
pub mod garbage;
pub mod job_leases;
pub mod nodes;
pub mod scrubs;
pub mod snapshot;
pub mod verify;

#[cfg(test)]
pub(crate) mod garbage_tests;
