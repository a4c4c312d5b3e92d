//! `cargo xtask soak`: runs the tests that find more the longer they run, for a whole night.

use std::process::ExitCode;

use crate::failure::Result;
use crate::test::{self, Stack};

/// The tests that ask `suite::rounds` how often to repeat.
const TESTS: &str = "binary(process) & test(/kills_|cross_a_collector/)";

/// The options of `cargo xtask soak`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run on one stack instead of both
    #[arg(long, value_enum)]
    stack: Option<Stack>,
}

/// Runs the tests with their full number of rounds, and prints the output of each.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let arguments = ["--profile", "soak", "--success-output", "immediate", "-E", TESTS];
    let filters = arguments.map(str::to_owned).to_vec();
    test::run_with(options.stack, &filters, &[("PACKHOUSE_TEST_SOAK".to_owned(), "1".to_owned())])
}
