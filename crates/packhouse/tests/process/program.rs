//! The program under test, on the stores of a test.

use std::{path::Path, process::Command};

use suite::{Ended, Process, Stack};

/// The program that this test run has built.
pub(crate) fn path() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_packhouse"))
}

/// Returns a command without arguments.
pub(crate) fn command(stack: &Stack) -> Command {
    Process::command(path(), stack)
}

/// Starts a server with the administrator key of every test.
pub(crate) async fn start(stack: &Stack) -> Process {
    Process::start(path(), stack).await
}

/// Starts a server with additional environment variables.
pub(crate) async fn start_with(stack: &Stack, environment: &[(&str, &str)]) -> Process {
    Process::start_with(path(), stack, environment).await
}

/// Runs a command until it exits.
pub(crate) async fn run(stack: &Stack, arguments: &[&str]) -> Ended {
    run_with(stack, arguments, &[]).await
}

/// Runs a command with additional environment variables.
pub(crate) async fn run_with(stack: &Stack, arguments: &[&str], environment: &[(&str, &str)]) -> Ended {
    let mut command = command(stack);
    command.args(arguments).envs(environment.iter().copied());
    Ended::run(command).await
}

/// Runs `serve` on a free port until it exits, for starts that fail.
pub(crate) async fn serve_with(stack: &Stack, environment: &[(&str, &str)]) -> Ended {
    run_with(stack, &["serve", "--listen", "127.0.0.1:0"], environment).await
}
