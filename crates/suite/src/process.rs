//! The real program as a process of its own, which can be killed.

use std::{
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::ChildStdout,
};

use crate::{Person, Stack};

/// The administrator's key of every process under test.
const ADMIN_KEY: &str = "the-key-of-the-administrator-in-tests";

/// How long a start may take before the test gives up.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server that runs.
pub struct Process {
    child: Child,
    /// Where it listens, as it said itself.
    pub base: String,
    client: reqwest::Client,
}

impl Process {
    /// A command of the program on these stores, ready for more arguments.
    pub fn command(program: &Path, stack: &Stack) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(std::env::vars().filter(|(name, _)| !name.starts_with("PACKHOUSE_")));
        for (key, value) in stack.settings() {
            command.env(format!("PACKHOUSE_{}", key.replace('.', "__").to_uppercase()), value);
        }
        command.current_dir(stack.data.path());
        command
    }

    /// Starts a server on a free port and waits until it says that it is ready.
    pub async fn start(program: &Path, stack: &Stack) -> Self {
        Self::start_with(program, stack, &[]).await
    }

    /// The same, with more environment.
    pub async fn start_with(program: &Path, stack: &Stack, environment: &[(&str, &str)]) -> Self {
        let mut command = Self::command(program, stack);
        command.args(["serve", "--listen", "127.0.0.1:0"]).env("PACKHOUSE_ADMIN_KEY", ADMIN_KEY);
        command.envs(environment.iter().copied()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let stdout = child.stdout.take().expect("its output is piped");
        let stdout = ChildStdout::from_std(stdout).expect("its output can be read");
        let base = tokio::time::timeout(PATIENCE, read_address(stdout)).await.expect("the server says it is ready");
        let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(30)).build().expect("a client");
        Self { child, base, client }
    }

    /// The process's number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The site administrator.
    pub fn admin(&self) -> Person {
        self.person("admin", ADMIN_KEY)
    }

    /// Someone who presents these credentials.
    pub fn person(&self, name: &str, key: &str) -> Person {
        Person::new(self.client.clone(), self.base.clone(), Some((name.to_owned(), key.to_owned())))
    }

    /// Ends it as a power cut of the process would: without a word.
    pub fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// Waits for its end, and returns whether it ended well.
    pub fn wait(&mut self) -> bool {
        self.child.wait().expect("it ends").success()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The address in the line that names the pages. The rest of the output is read and dropped.
async fn read_address(stdout: ChildStdout) -> String {
    let mut lines = BufReader::new(stdout).lines();
    while let Some(line) = lines.next_line().await.expect("its output can be read") {
        if let Some(address) = line.trim().strip_prefix("pages") {
            let address = address.trim().trim_end_matches('/').to_owned();
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return address;
        }
    }
    panic!("the server ended before it was ready");
}
