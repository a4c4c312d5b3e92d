//! The real program as a process of its own, which can be killed.

use std::{
    fs::{self, File},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use tempfile::TempDir;

use crate::{Person, Stack};

/// The administrator's key of every process under test.
pub const ADMIN_KEY: &str = "the-key-of-the-administrator-in-tests";

/// How long a start, or a command, may take before the test gives up.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often a process is looked at that is waited for.
const POLL: Duration = Duration::from_millis(2);

/// How much of a server's log a failed test shows.
const LOG_TAIL_LINES: usize = 40;

/// A server that runs.
pub struct Process {
    child: Child,
    /// Where it listens, as it said itself.
    pub base: String,
    /// How long it took from its start to saying so.
    pub start_took: Duration,
    client: reqwest::Client,
    /// Files, not pipes: a server never waits for a test that reads too slowly.
    output: TempDir,
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
        command.env("PACKHOUSE_ADMIN_KEY", ADMIN_KEY).envs(environment.iter().copied());
        Self::launch(command).await
    }

    /// Starts a server from a command without arguments; nothing chooses the administrator's key for it.
    pub async fn launch(command: Command) -> Self {
        Self::launch_at(command, "127.0.0.1:0").await
    }

    /// The same, on a port that the caller has chosen.
    pub async fn launch_at(mut command: Command, address: &str) -> Self {
        let output = tempfile::tempdir().expect("the temporary folder is writable");
        let file = |name| File::create(output.path().join(name)).expect("a file can be made");
        command.args(["serve", "--listen", address]).stdout(file("stdout")).stderr(file("stderr"));
        let began = Instant::now();
        let child = command.stdin(Stdio::null()).spawn().expect("the program starts");
        let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(30)).build().expect("a client");
        let mut process = Self { child, base: String::new(), start_took: Duration::ZERO, client, output };
        process.base = process.wait_until_ready(began + PATIENCE).await;
        process.start_took = began.elapsed();
        process
    }

    async fn wait_until_ready(&mut self, deadline: Instant) -> String {
        while Instant::now() < deadline {
            if let Some(address) = address(&self.printed()) {
                return address;
            }
            let ended = self.child.try_wait().expect("it can be waited for");
            assert!(ended.is_none(), "the server ended before it was ready: {ended:?}");
            tokio::time::sleep(POLL).await;
        }
        panic!("the server does not say that it is ready");
    }

    /// The process's number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What it has printed for people and pipes.
    pub fn printed(&self) -> String {
        self.read("stdout")
    }

    /// What it has logged.
    pub fn log(&self) -> String {
        self.read("stderr")
    }

    fn read(&self, name: &str) -> String {
        let bytes = fs::read(self.output.path().join(name)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The site administrator.
    pub fn admin(&self) -> Person {
        self.person("admin", ADMIN_KEY)
    }

    /// Someone who presents these credentials.
    pub fn person(&self, name: &str, key: &str) -> Person {
        Person::new(self.client.clone(), self.base.clone(), Some((name.to_owned(), key.to_owned())))
    }

    /// The same, for those who change their credentials while they go on.
    pub fn people(&self) -> impl Fn(&str, &str) -> Person + Send + 'static {
        let (client, base) = (self.client.clone(), self.base.clone());
        move |name, key| Person::new(client.clone(), base.clone(), Some((name.to_owned(), key.to_owned())))
    }

    /// Someone without credentials.
    pub fn anyone(&self) -> Person {
        Person::new(self.client.clone(), self.base.clone(), None)
    }

    /// A new user of this name.
    pub async fn user(&self, name: &str) -> Person {
        let created = self.admin().post("/users").json(serde_json::json!({ "name": name })).await.expect(201).json();
        self.person(name, created["api_key"].as_str().expect("a new user has a key"))
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

    /// The code it ends with, when it ends in time. `None` is for an end by a signal.
    pub async fn ends_within(&mut self, limit: Duration) -> Option<i32> {
        let deadline = Instant::now() + limit;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                return status.code();
            }
            tokio::time::sleep(POLL).await;
        }
        panic!("the server still runs after {} ms", limit.as_millis());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
        if std::thread::panicking() {
            let log = self.log();
            let lines: Vec<_> = log.lines().collect();
            let tail = lines[lines.len().saturating_sub(LOG_TAIL_LINES)..].join("\n");
            eprintln!("the end of the server's log:\n{tail}");
        }
    }
}

/// The address in the line that names the pages, once the line is whole.
fn address(printed: &str) -> Option<String> {
    let (whole, _) = printed.rsplit_once('\n')?;
    let address = whole.lines().find_map(|line| line.trim().strip_prefix("pages"))?;
    Some(address.trim().trim_end_matches('/').to_owned())
}

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    /// Its exit code; `None` for an end by a signal.
    pub code: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it said besides.
    pub stderr: String,
}

impl Ended {
    /// Runs a command to its end.
    pub async fn run(command: Command) -> Self {
        let mut command = tokio::process::Command::from(command);
        let output = command.kill_on_drop(true).stdin(Stdio::null()).output();
        let output = tokio::time::timeout(PATIENCE, output).await.expect("the command ends").expect("it starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }

    /// Insists that it went well, and returns what it printed, without the line's end.
    #[track_caller]
    pub fn succeeds(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.stdout.trim_end().to_owned()
    }

    /// Insists on exit code 1 and on nothing printed, and returns the reason that it gave after its log.
    #[track_caller]
    pub fn fails(self) -> String {
        assert_eq!(self.code, Some(1), "{self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
        let reason = self.stderr.split_once("packhouse: ").map(|(_, reason)| reason.trim_end().to_owned());
        reason.unwrap_or_else(|| panic!("no reason: {self:?}"))
    }
}
