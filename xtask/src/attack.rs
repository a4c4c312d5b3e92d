//! `cargo xtask attack`: runs the attacks that once worked, in a network that reaches only this machine.

use std::process::{Command, ExitCode, Stdio};

use crate::cargo;
use crate::failure::Result;
use crate::runner::Runner;
use crate::signals::Signals;
use crate::test::Stack;
use crate::tools;

/// The filter for the test binary with the attacks.
const TESTS: &str = "binary(attacks)";

/// The options of `cargo xtask attack`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run on one stack instead of both
    #[arg(long, value_enum)]
    stack: Option<Stack>,
    /// Run only tests whose names contain one of these strings
    filters: Vec<String>,
}

/// Builds with network access, then runs servers and tests without it.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    tools::ensure_namespaces()?;
    tools::ensure()?;
    let signals = Signals::listen()?;
    drop(Runner::build(&signals)?);
    let mut inside = isolated()?;
    inside.arg("test");
    if let Some(stack) = options.stack {
        inside.args(["--stack", stack.name()]);
    }
    inside.args(["-E", TESTS]).args(&options.filters);
    let went_well = signals.finish(&mut signals.spawn(&mut inside)?)?;
    Ok(if went_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns a command that runs this program in a network namespace with only the loopback interface.
fn isolated() -> Result<Command> {
    let mut command = Command::new("unshare");
    if !nix::unistd::geteuid().is_root() {
        command.args(["--map-current-user", "--keep-caps"]);
    }
    command.args(["--net", "--", "sh", "-c", "ip link set lo up && exec \"$0\" \"$@\""]).arg(cargo::built("xtask")?);
    command.stdin(Stdio::null());
    Ok(command)
}
