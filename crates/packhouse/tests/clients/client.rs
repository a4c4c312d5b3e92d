//! Runs a client with an empty home.

use std::{
    ffi::OsStr,
    fs::Permissions,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use suite::Person;
use tempfile::TempDir;
use tokio::process::Command;

/// The time limit of a client on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The time limit of a script that runs many clients.
const SCRIPT_PATIENCE: Duration = Duration::from_secs(220);

/// A machine on which a client was never used: its home, its caches and its working folder are empty.
pub(crate) struct Machine {
    folder: TempDir,
    environment: Vec<(String, String)>,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let machine = Self { folder: tempfile::tempdir().expect("a folder"), environment: Vec::new() };
        std::fs::create_dir(machine.path("work")).expect("a folder");
        machine
    }

    /// Sets a variable for all commands.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<String>) {
        self.environment.push((name.to_owned(), value.into()));
    }

    /// A path below its folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, and its folder.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, content).expect("written");
    }

    /// Moves a file or a folder, and creates its new parent.
    #[cfg(feature = "clients")]
    pub(crate) fn rename(&self, from: &str, to: &str) {
        let to = self.path(to);
        std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        std::fs::rename(self.path(from), to).expect("moved");
    }

    /// Reads a file.
    pub(crate) fn read(&self, name: &str) -> String {
        let bytes = std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Returns whether a file or a folder exists.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Installs a program that does what these lines of a shell say.
    pub(crate) fn install(&self, name: &str, lines: &str) {
        let name = format!("bin/{name}");
        self.write(&name, format!("#!/bin/sh\n{lines}\n"));
        std::fs::set_permissions(self.path(&name), Permissions::from_mode(0o755)).expect("it becomes a program");
    }

    /// Runs a script in the working folder, with the installed programs.
    pub(crate) async fn run_script(&self, script: &str) -> Ran {
        self.run_within(SCRIPT_PATIENCE, "bash".as_ref(), "work", &["-c", script]).await
    }

    /// Runs a program in a folder of this machine.
    pub(crate) async fn run(&self, program: impl AsRef<OsStr>, folder: &str, arguments: &[&str]) -> Ran {
        self.run_within(PATIENCE, program.as_ref(), folder, arguments).await
    }

    async fn run_within(&self, limit: Duration, program: &OsStr, folder: &str, arguments: &[&str]) -> Ran {
        let mut command = Command::new(program);
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.folder.path()).env("NO_PROXY", "*").env("TMPDIR", self.folder.path());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.args(arguments).current_dir(self.path(folder));
        let running = command.stdin(Stdio::null()).kill_on_drop(true).output();
        let ended = tokio::time::timeout(limit, running).await.expect("the client ends");
        let ended = ended.unwrap_or_else(|error| {
            panic!("`cargo xtask test` installs {}, which did not start: {error}", program.display())
        });
        let output = String::from_utf8_lossy(&[ended.stdout, ended.stderr].concat()).into_owned();
        Ran { is_success: ended.status.success(), output }
    }
}

impl Machine {
    /// Uploads a file with curl, as someone with credentials.
    pub(crate) async fn upload(&self, who: &Person, file: &str, url: &str) -> Ran {
        let credentials = format!("{}:{}", who.name(), who.key());
        let arguments = ["--silent", "--show-error", "--fail-with-body", "-u", &credentials, "-T", file, url];
        self.run("curl", "work", &arguments).await
    }
}

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    is_success: bool,
    output: String,
}

impl Ran {
    /// Returns its output, whether it succeeded or not.
    pub(crate) fn output(&self) -> &str {
        &self.output
    }

    /// Asserts that it succeeded, and returns its output.
    #[track_caller]
    pub(crate) fn succeeds(self) -> String {
        assert!(self.is_success, "{}", self.output);
        self.output
    }

    /// Asserts that it failed with one of these texts in its output.
    #[track_caller]
    pub(crate) fn fails_with(self, reasons: &[&str]) {
        let is_reason = reasons.iter().any(|reason| self.output.contains(reason));
        assert!(!self.is_success && is_reason, "not {reasons:?}: {}", self.output);
    }
}

/// The folder of clients that a variable names.
pub(crate) fn folder(variable: &str) -> PathBuf {
    let folder = std::env::var_os(variable);
    Path::new(&folder.unwrap_or_else(|| panic!("`cargo xtask test` sets {variable}"))).to_owned()
}
