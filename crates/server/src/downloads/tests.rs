//! Tests of whole transfers, and the helper that records them.

pub(crate) mod completed_transfers;
mod transfers;
