//! Runs cargo for the tasks: the same cargo that runs them, at the root of the workspace.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::{Attempt, Failure, Result};

/// The features that add tests to a build of the workspace: of a cluster, and of installed packages. All builds of CI have
/// them, so that nothing is built twice.
pub(crate) const ALL_TESTS: [&str; 2] = ["--features", "packhouse/cluster,dist/roots"];

/// Returns a cargo command with its subcommand, without standard input.
pub fn command(subcommand: &str) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.arg(subcommand).current_dir(workspace_root()).env("CARGO_TERM_COLOR", colour()).stdin(Stdio::null());
    command
}

/// Returns whether `cargo <subcommand>` is installed.
pub fn has(subcommand: &str) -> bool {
    command(subcommand)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Returns the folder of the Rust toolchain.
pub(crate) fn sysroot() -> Result<PathBuf> {
    let mut rustc = Command::new("rustc");
    let output = rustc.args(["--print", "sysroot"]).current_dir(workspace_root()).stdin(Stdio::null()).output();
    let output = output.attempt("cannot start `rustc`")?;
    Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()))
}

/// Returns the path of a program of the workspace after it was built: next to this program.
///
/// This uses only the folder of the running program, because a build may have replaced its file.
pub fn built(program: &str) -> Result<PathBuf> {
    let this = std::env::current_exe().attempt("cannot find the path of this program")?;
    let folder = this.parent().ok_or_else(|| Failure::new("the path of this program has no folder"))?;
    Ok(folder.join(program))
}

/// Returns the folder of cargo's build output.
pub fn target_folder() -> Result<PathBuf> {
    let program = built("xtask")?;
    let folder = program.parent().and_then(Path::parent);
    folder.map(Path::to_owned).ok_or_else(|| Failure::new("the path of xtask has no folder"))
}

/// Builds programs of the workspace.
pub fn build(programs: &[&str]) -> Result<()> {
    let mut build = command("build");
    build.arg("--quiet").args(programs.iter().flat_map(|program| ["--package", program]));
    if build.status().attempt("cannot start cargo")?.success() {
        return Ok(());
    }
    Err(Failure::new("the build failed, see above"))
}

/// Returns the root of the workspace.
pub fn workspace_root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in a folder of the workspace")
}

// Output goes through a pipe to the terminal, so cargo cannot detect the terminal itself.
fn colour() -> &'static str {
    let is_wanted = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    if is_wanted { "always" } else { "never" }
}
