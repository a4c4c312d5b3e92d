//! Cargo: names of crates, the sparse index, the publish call, and a look into `.crate` files.

pub mod answers;
pub mod features;
pub mod format;
pub mod index;
pub mod inspect;
pub mod layout;
pub mod name;
pub mod publish;
pub mod release;
pub mod version;

mod agree;
mod commands;
mod indexes;
mod manifest;
mod native;
mod routes;
