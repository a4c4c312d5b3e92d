//! `cargo xtask dist`: builds and runs the program that makes packages, which has more dependencies.

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use crate::cargo;
use crate::failure::{Attempt, Result};

/// The name of the package and of its program.
const PROGRAM: &str = "dist";

/// The options of `cargo xtask dist`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Arguments of the program; `--help` lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Makes the packages.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    cargo::build(&[PROGRAM])?;
    let mut dist = Command::new(cargo::built(PROGRAM)?);
    let status = dist.args(&options.arguments).status().attempt("cannot start the program that makes packages")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
