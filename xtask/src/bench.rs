//! `cargo xtask bench`: builds and runs the benchmarks, a separate program with many more dependencies.

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use crate::cargo;
use crate::failure::{Attempt, Result};
use crate::servers;

/// The name of the benchmarks' package and program.
const PROGRAM: &str = "bench";

/// The options of `cargo xtask bench`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Arguments of the benchmarks; `--help` lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Runs the benchmarks. They receive Ctrl-C from the terminal, as this program does.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    servers::build()?;
    cargo::build(&[PROGRAM])?;
    let mut bench = Command::new(cargo::built(PROGRAM)?);
    let status = bench.args(&options.arguments).status().attempt("cannot start the benchmarks")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
