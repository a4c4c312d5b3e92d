//! How chores call cargo: the same cargo that runs them, at the root of the workspace.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::{Command, Stdio};

/// A cargo command with its first argument, without input.
pub(crate) fn command(subcommand: &str) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.arg(subcommand).current_dir(workspace_root()).env("CARGO_TERM_COLOR", colour()).stdin(Stdio::null());
    command
}

/// Whether `cargo <subcommand>` is installed.
pub(crate) fn has(subcommand: &str) -> bool {
    command(subcommand)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The root of the workspace.
pub(crate) fn workspace_root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in a folder of the workspace")
}

// Output passes through a pipe on its way to the terminal, so cargo cannot find out by itself.
fn colour() -> &'static str {
    let is_wanted = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    if is_wanted { "always" } else { "never" }
}
