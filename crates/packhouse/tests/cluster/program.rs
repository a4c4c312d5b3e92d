//! Programs of others that are started, frozen, killed, and stopped in the end.

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

/// The path that `cargo xtask test-cluster` has found.
pub(crate) fn find(variable: &str) -> PathBuf {
    env::var_os(variable).map(PathBuf::from).unwrap_or_else(|| panic!("`cargo xtask test-cluster` sets {variable}"))
}

/// A program that runs; dropped is killed.
pub(crate) struct Program(Child);

impl Program {
    /// The command of a program that ends with this process, however that ends.
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

    /// Ends it without a word.
    pub(crate) fn kill(&mut self) {
        self.0.kill().expect("it runs");
        self.0.wait().expect("it ends");
    }

    /// Stops it in the middle of whatever it does.
    pub(crate) fn freeze(&self) {
        send(self.0.id(), Signal::SIGSTOP);
    }

    /// Lets it go on.
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

/// Sends a signal to a process, which may have ended in this moment.
pub(crate) fn send(process: u32, signal: Signal) {
    let process = Pid::from_raw(i32::try_from(process).expect("a process id is a pid_t"));
    kill(process, signal).unwrap_or_default();
}
