//! Garbage, verification, backups and nodes.

pub mod backup;
pub mod garbage;
pub mod gauges;
pub mod master_key;
pub mod nodes;
pub mod rename;
pub(crate) mod runs;
pub mod scrub;
pub mod site;
pub mod verify;
