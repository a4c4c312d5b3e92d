//! Metadata on SQLite or PostgreSQL: one SQL text for both. SQL stands in this crate only.
//!
//! `engine` is the seam; everything else is one module a noun, with the rows it keeps.

mod attribute_statement;
mod attribute_values;
mod engine;
mod error;
mod file_sample;
mod file_sources;
mod guests;
mod keys;
mod lines;
mod lock;
mod migrations;
mod package_blocks;
mod package_positions;
mod postgres;
mod postgres_changes;
mod row;
mod search_filter;
mod snapshot_fill;
mod snapshot_postgres;
mod snapshot_tables;
mod snapshot_take;
mod sqlite;
mod sqlite_committer;
mod sqlite_part;
mod sqlite_wal;
mod sqlite_writer;
mod statement;
mod turn;
mod tx;

pub mod access_key_downloads;
pub mod access_key_transfers;
pub mod access_keys;
pub mod api_keys;
pub mod attribute_search;
pub mod attributes;
pub mod audit;
pub mod blobs;
pub mod changes;
pub mod custom_licenses;
pub mod daily_queries;
pub mod damage;
pub mod derived_files;
pub mod documents;
pub mod download_counts;
pub mod download_logs;
pub mod downloads;
pub mod entitlement_list;
pub mod entitlement_search;
pub mod entitlement_terms;
pub mod entitlements;
pub mod eula_versions;
pub mod eulas;
pub mod events;
pub mod file_list;
pub mod file_names;
pub mod file_search;
pub mod files;
pub mod folders;
pub mod followers;
pub mod garbage;
pub mod gpg_guesses;
pub mod gpg_keys;
pub mod grants;
pub mod links;
pub mod members;
pub mod meta;
pub mod nodes;
pub mod package_block_check;
pub mod package_list;
pub mod packages;
pub mod permissions;
pub mod product_packages;
pub mod products;
pub mod ratings;
pub mod renderings;
pub mod repos;
pub mod restrictions;
pub mod retired_names;
pub mod scrubs;
pub mod search;
pub mod sessions;
pub mod settled_deliveries;
pub mod sign_in_guesses;
pub mod signatures;
pub mod signed_eulas;
pub mod signed_urls;
pub mod snapshot;
pub mod statistics;
pub mod storage_quotas;
pub mod stored_bytes;
pub mod stream_connections;
pub mod subjects;
pub mod syncs;
pub mod teams;
pub mod tombstones;
pub mod usage;
pub mod usage_thresholds;
pub mod verify;
pub mod versions;
pub mod webhook_attempts;
pub mod webhook_deliveries;
pub mod webhooks;

#[cfg(any(test, feature = "bulk"))]
pub mod bulk;
#[cfg(any(test, feature = "testing"))]
pub mod scratch;

#[cfg(test)]
mod change_tests;
#[cfg(test)]
mod engine_tests;
#[cfg(test)]
mod file_search_tests;
#[cfg(test)]
mod garbage_tests;
#[cfg(test)]
mod group_tests;
#[cfg(test)]
mod package_block_tests;
#[cfg(test)]
mod plan_tests;
#[cfg(test)]
mod snapshot_tests;

pub use engine::{Database, Options, Read};
pub use error::{Error, Result};
pub use lock::Lock;
pub use scoped_futures::{ScopedBoxFuture, ScopedFutureExt};
pub use turn::Turn;
pub use tx::Tx;
