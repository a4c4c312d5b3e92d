//! `cargo xtask bench`: how fast the released program answers, on real engines.

mod catalogue;
mod client;
mod house;
mod measure;
mod table;

use std::process::ExitCode;

use crate::failure::{Attempt, Result};

/// What is measured.
#[derive(clap::Subcommand)]
pub(crate) enum Bench {
    /// Load packages, then ask for their details, lists and searches
    Catalogue(catalogue::Options),
}

/// Measures, and prints tables that fit into `docs/performance.md`.
pub(crate) fn run(bench: &Bench) -> Result<ExitCode> {
    let runtime = tokio::runtime::Runtime::new().attempt("cannot start the runtime")?;
    match bench {
        Bench::Catalogue(options) => runtime.block_on(catalogue::run(options)),
    }
}
