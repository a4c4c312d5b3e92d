//! `cargo xtask bench`: builds and runs the benchmarks, a program of their own with many more libraries.

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use crate::cargo;
use crate::failure::{Attempt, Result};
use crate::servers;

/// The package and the program of the benchmarks.
const PROGRAM: &str = "bench";

/// What is measured.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Handed to the benchmarks as they are; `--help` lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Runs the benchmarks; they get Ctrl-C from the terminal as this program does.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    servers::build()?;
    cargo::build(&[PROGRAM])?;
    let mut bench = Command::new(cargo::built(PROGRAM)?);
    let status = bench.args(&options.arguments).status().attempt("cannot start the benchmarks")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
