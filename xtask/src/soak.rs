//! `cargo xtask soak`: the tests that find more the longer they run, for as long as a night has room for.

use std::process::ExitCode;

use crate::failure::Result;
use crate::test::{self, Stack};

/// The tests that ask `suite::rounds` how often to go on.
const TESTS: &str = "binary(process) & test(/kills_|cross_a_collector/)";

/// What to run, and where.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run on one stack instead of both
    #[arg(long, value_enum)]
    stack: Option<Stack>,
}

/// Runs them with their full number of rounds, and prints what each has seen.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let arguments = ["--profile", "soak", "--success-output", "immediate", "-E", TESTS];
    let filters = arguments.map(str::to_owned).to_vec();
    test::run_with(options.stack, &filters, &[("PACKHOUSE_TEST_SOAK".to_owned(), "1".to_owned())])
}
