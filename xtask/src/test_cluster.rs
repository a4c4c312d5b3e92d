//! `cargo xtask test-cluster`: a whole cluster, and what it does while parts of it fail.

use std::process::ExitCode;

use crate::cargo;
use crate::failure::{Attempt, Result};
use crate::garage;
use crate::signals::Signals;
use crate::tools;

/// What to run.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only run tests whose names have one of these texts
    filters: Vec<String>,
}

/// Finds all programs, then runs the tests one after the other. They start and stop every server by themselves.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let postgres = tools::ensure()?;
    let nginx = tools::ensure_balancer()?;
    let garage = garage::ensure()?;
    let xtask = std::env::current_exe().attempt("cannot find the path of xtask")?;
    let signals = Signals::listen()?;
    let mut tests = cargo::command("test");
    tests
        .args(["--package", "packhouse", "--features", "cluster", "--test", "cluster", "--"])
        // What they have seen is part of the outcome; side by side they would starve each other.
        .args(["--nocapture", "--test-threads", "1"])
        .args(&options.filters)
        .env("PACKHOUSE_TEST_XTASK", xtask)
        .env("PACKHOUSE_TEST_POSTGRES_PROGRAMS", postgres)
        .env("PACKHOUSE_TEST_NGINX", nginx)
        .env("PACKHOUSE_TEST_GARAGE", garage);
    let mut child = signals.spawn(&mut tests)?;
    Ok(if signals.finish(&mut child)? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
