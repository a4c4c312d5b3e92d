//! Metadata on SQLite or PostgreSQL: one SQL text for both. SQL stands in this crate only.
//!
//! `engine` is the seam; everything else is one module a noun, with the rows it keeps.

mod engine;
mod error;
mod lock;
mod migrations;
mod postgres;
mod row;
mod sqlite;
mod sqlite_writer;
mod statement;
mod tx;

pub mod api_keys;
pub mod audit;
pub mod members;
pub mod meta;
pub mod retired_names;
pub mod subjects;

#[cfg(any(test, feature = "testing"))]
pub mod scratch;

#[cfg(test)]
mod engine_tests;
#[cfg(test)]
mod plan_tests;

pub use engine::{Database, Options, Read};
pub use error::{Error, Result};
pub use lock::Lock;
pub use scoped_futures::ScopedFutureExt;
pub use tx::Tx;
