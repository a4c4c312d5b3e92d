//! A server, a user with a repository, and a folder to work in.

use std::{fs, path::Path, process::Command};

use serde_json::json;
use suite::{Ended, Person, Process, Relay, Stack};
use tempfile::TempDir;

/// The program that this test run has built.
pub(crate) fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_packhouse"))
}

/// Ada with the repository `ada/tools` on a server.
pub(crate) struct Scene {
    pub(crate) server: Process,
    pub(crate) ada: Person,
    /// The folder that commands run in.
    pub(crate) folder: TempDir,
    home: TempDir,
    stack: Stack,
}

impl Scene {
    pub(crate) async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// Starts a scene on a server with these settings.
    async fn start_with(environment: &[(&str, &str)]) -> Self {
        let stack = Stack::with_schema().await;
        let server = Process::start_with(program(), &stack, environment).await;
        let ada = server.user("ada").await;
        ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
        let folder = || tempfile::tempdir().expect("the temporary folder is writable");
        Self { server, ada, folder: folder(), home: folder(), stack }
    }

    /// Starts a scene with the package `ada/tools/cat` and its published version 1.0 of one file.
    pub(crate) async fn with_cat() -> Self {
        Self::start().await.and_cat().await
    }

    /// Starts a scene with the package on a server that may call webhooks on this machine.
    pub(crate) async fn with_cat_and_calls() -> Self {
        Self::start_with(&[("PACKHOUSE_OUTGOING__ALLOW_PRIVATE", "true")]).await.and_cat().await
    }

    async fn and_cat(self) -> Self {
        self.file("cat.txt", "meow");
        self.run(&["push", "ada/tools/cat/1.0", "cat.txt", "--create", "--publish"]).await.succeeds();
        fs::remove_file(self.folder.path().join("cat.txt")).expect("removed");
        self
    }

    /// Returns a command without any settings.
    pub(crate) fn bare(&self, arguments: &[&str]) -> Command {
        let mut command = Process::command(program(), &self.stack);
        command.current_dir(self.folder.path()).env("XDG_CONFIG_HOME", self.home.path()).env("NO_PROXY", "127.0.0.1");
        command.env("PACKHOUSE_URL", &self.server.base).args(arguments);
        command
    }

    /// Returns a command of this user.
    pub(crate) fn command_as(&self, who: &Person, arguments: &[&str]) -> Command {
        let mut command = self.bare(arguments);
        command.env("PACKHOUSE_USER", who.name()).env("PACKHOUSE_API_KEY", who.key());
        command
    }

    /// Runs Ada's command until it exits.
    pub(crate) async fn run(&self, arguments: &[&str]) -> Ended {
        Ended::run(self.command_as(&self.ada, arguments)).await
    }

    /// Returns all output of Ada's command, and its exit code.
    pub(crate) async fn told(&self, arguments: &[&str]) -> String {
        self.transcript(&self.run(arguments).await)
    }

    /// Returns all output of a command and its exit code, without parts that differ between runs.
    pub(crate) fn transcript(&self, ended: &Ended) -> String {
        let code = ended.code.map_or("by a signal".to_owned(), |code| code.to_string());
        let said = format!("{}{}exit {code}", ended.stdout, ended.stderr);
        let said = said.replace(&self.server.base, "SERVER");
        let said = said.replace(&*self.home.path().to_string_lossy(), "HOME");
        said.replace(&*self.folder.path().to_string_lossy(), "FOLDER")
    }

    /// Returns a relay in front of the server, which can fail.
    pub(crate) fn relay(&self) -> Relay {
        Relay::start(self.server.base.trim_start_matches("http://").parse().expect("an address"))
    }

    /// Writes a file in the folder.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, content).expect("written");
    }

    /// Reads a file in the folder.
    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Returns whether the folder has such a file.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.folder.path().join(name).exists()
    }

    /// Returns the file in which `login` stores credentials.
    pub(crate) fn credentials(&self) -> std::path::PathBuf {
        self.home.path().join("packhouse/credentials.toml")
    }
}

/// Returns content without long repetitions.
pub(crate) fn bytes(size: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut bytes = Vec::with_capacity(size + 8);
    while bytes.len() < size {
        bytes.extend_from_slice(&next().to_le_bytes());
    }
    bytes.truncate(size);
    bytes
}
