//! Tests that every store must pass, as one suite; `PACKHOUSE_TEST_STACK` selects the store of a run.
//!
//! `embedded` (the default) is a folder. `cluster` is the S3 server that `PACKHOUSE_TEST_S3_ENDPOINT`,
//! `PACKHOUSE_TEST_S3_BUCKET`, `PACKHOUSE_TEST_S3_ACCESS_KEY` and `PACKHOUSE_TEST_S3_SECRET_KEY` name.

mod bodies;
mod crash;
mod downloads;
mod housekeeping;
mod layouts;
mod listing;
mod partials;
mod store;
mod uploads;
