//! Attacks that once worked, kept as regression tests. `cargo xtask attack` runs them alone.

mod archives;
mod cross_site;
mod damaged_content;
mod download_quota;
mod guessing;
mod hidden_timing;
mod immutable_bytes;
mod names;
mod outbound;
mod readme_bombs;
mod scene;
mod signing_keys;
mod slow_bodies;
mod storage_quota;
mod token_enumeration;
