//! Third-party programs that tests start, freeze, kill and stop.

use std::{
    env,
    fs::File,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

/// Returns the path that `cargo xtask test-cluster` has found.
pub(crate) fn find(variable: &str) -> PathBuf {
    env::var_os(variable).map(PathBuf::from).unwrap_or_else(|| panic!("`cargo xtask test-cluster` sets {variable}"))
}

/// A running program. Dropping it kills it.
pub(crate) struct Program(Child);

impl Program {
    /// Returns the command of a program that exits with this process, no matter how the process dies.
    pub(crate) fn command(variable: &str) -> Command {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig=KILL", "--"]).arg(find(variable));
        command
    }

    /// Starts a command whose output goes to a file.
    pub(crate) fn start(mut command: Command, log: &Path) -> Self {
        let log = File::options().create(true).append(true).open(log).expect("the log can be written");
        let errors = log.try_clone().expect("a file has two handles");
        command.stdin(Stdio::null()).stdout(log).stderr(errors);
        Self(command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}")))
    }

    /// Kills it.
    pub(crate) fn kill(&mut self) {
        self.0.kill().expect("it runs");
        self.0.wait().expect("it ends");
    }

    /// Freezes it in the middle of its work.
    pub(crate) fn freeze(&self) {
        send(self.0.id(), Signal::SIGSTOP);
    }

    /// Lets it continue.
    pub(crate) fn thaw(&self) {
        send(self.0.id(), Signal::SIGCONT);
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Sends a signal to a process, which may just have exited.
pub(crate) fn send(process: u32, signal: Signal) {
    let process = Pid::from_raw(i32::try_from(process).expect("a process id is a pid_t"));
    kill(process, signal).unwrap_or_default();
}
