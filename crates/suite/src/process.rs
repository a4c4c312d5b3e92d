//! The real program as a separate process, which can be killed.

use std::{
    fs::{self, File},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use tempfile::TempDir;

use crate::{Browser, Person, Stack, local_client};

/// The administrator's key of every process under test.
pub const ADMIN_KEY: &str = "the-key-of-the-administrator-in-tests";

/// How long a start or a command may take before the test gives up.
const PATIENCE: Duration = Duration::from_secs(120);

/// How often to check a process while waiting for it.
const POLL: Duration = Duration::from_millis(2);

/// The number of log lines that a failed test prints.
const LOG_TAIL_LINES: usize = 40;

/// A running server.
pub struct Process {
    child: Child,
    /// Its URL, as it printed it.
    pub base: String,
    /// The time from its start until it printed that it is ready.
    pub start_took: Duration,
    client: reqwest::Client,
    /// Files instead of pipes: a server never waits for a test that reads too slowly.
    output: TempDir,
}

impl Process {
    /// Returns a command of the program on these stores, ready for more arguments.
    pub fn command(program: &Path, stack: &Stack) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(std::env::vars().filter(|(name, _)| !name.starts_with("PACKHOUSE_")));
        for (key, value) in stack.settings() {
            command.env(format!("PACKHOUSE_{}", key.replace('.', "__").to_uppercase()), value);
        }
        command.current_dir(stack.data.path());
        command
    }

    /// Starts a server on a free port and waits until it reports that it is ready.
    pub async fn start(program: &Path, stack: &Stack) -> Self {
        Self::start_with(program, stack, &[]).await
    }

    /// Starts a server with additional environment variables.
    pub async fn start_with(program: &Path, stack: &Stack, environment: &[(&str, &str)]) -> Self {
        let mut command = Self::command(program, stack);
        command.env("PACKHOUSE_ADMIN_KEY", ADMIN_KEY).envs(environment.iter().copied());
        Self::launch(command).await
    }

    /// Starts a server from a command without arguments and without a preset administrator key.
    pub async fn launch(command: Command) -> Self {
        Self::launch_at(command, "127.0.0.1:0").await
    }

    /// Starts a server from a command on a port that the caller has chosen.
    pub async fn launch_at(mut command: Command, address: &str) -> Self {
        let output = tempfile::tempdir().expect("the temporary folder is writable");
        let file = |name| File::create(output.path().join(name)).expect("a file can be made");
        command.args(["serve", "--listen", address]).stdout(file("stdout")).stderr(file("stderr"));
        let began = Instant::now();
        let child = command.stdin(Stdio::null()).spawn().expect("the program starts");
        let client = local_client::builder().timeout(Duration::from_secs(30)).build().expect("a client");
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

    /// Returns the process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns its standard output.
    pub fn printed(&self) -> String {
        self.read("stdout")
    }

    /// Returns its log.
    pub fn log(&self) -> String {
        self.read("stderr")
    }

    fn read(&self, name: &str) -> String {
        let bytes = fs::read(self.output.path().join(name)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Returns the site administrator.
    pub fn admin(&self) -> Person {
        self.person("admin", ADMIN_KEY)
    }

    /// Returns a caller with these credentials.
    pub fn person(&self, name: &str, key: &str) -> Person {
        Person::new(self.client.clone(), self.base.clone(), Some((name.to_owned(), key.to_owned())))
    }

    /// Returns a function that creates callers, for tests that change credentials while the server runs.
    pub fn people(&self) -> impl Fn(&str, &str) -> Person + Send + 'static {
        let (client, base) = (self.client.clone(), self.base.clone());
        move |name, key| Person::new(client.clone(), base.clone(), Some((name.to_owned(), key.to_owned())))
    }

    /// Returns a caller without credentials.
    pub fn anyone(&self) -> Person {
        Person::new(self.client.clone(), self.base.clone(), None)
    }

    /// Returns a browser that is not signed in.
    pub fn browser(&self) -> Browser {
        let client = local_client::builder().redirect(reqwest::redirect::Policy::none());
        let person = Person::new(client.build().expect("a client"), self.base.clone(), None);
        Browser::new(person, self.base.clone())
    }

    /// Creates a user with this name.
    pub async fn user(&self, name: &str) -> Person {
        let created = self.admin().post("/users").json(serde_json::json!({ "name": name })).await.expect(201).json();
        self.person(name, created["api_key"].as_str().expect("a new user has a key"))
    }

    /// Kills the process without warning, as a power cut would.
    pub fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// Waits until it exits, and returns whether it succeeded.
    pub fn wait(&mut self) -> bool {
        self.child.wait().expect("it ends").success()
    }

    /// Returns its exit code if it exits in time; `None` if a signal ended it.
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

/// Returns the URL in the line that names the pages, as soon as the line is complete.
fn address(printed: &str) -> Option<String> {
    let (whole, _) = printed.rsplit_once('\n')?;
    let address = whole.lines().find_map(|line| line.trim().strip_prefix("pages"))?;
    Some(address.trim().trim_end_matches('/').to_owned())
}

/// The result of a command.
#[derive(Debug)]
pub struct Ended {
    /// Its exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

impl Ended {
    /// Runs a command until it exits.
    pub async fn run(command: Command) -> Self {
        let mut command = tokio::process::Command::from(command);
        let output = command.kill_on_drop(true).stdin(Stdio::null()).output();
        let output = tokio::time::timeout(PATIENCE, output).await.expect("the command ends").expect("it starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }

    /// Asserts that it succeeded, and returns its output without the final line break.
    #[track_caller]
    pub fn succeeds(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.stdout.trim_end().to_owned()
    }

    /// Asserts exit code 1 and an empty standard output, and returns the error message after its log.
    #[track_caller]
    pub fn fails(self) -> String {
        assert_eq!(self.code, Some(1), "{self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
        let reason = self.stderr.split_once("packhouse: ").map(|(_, reason)| reason.trim_end().to_owned());
        reason.unwrap_or_else(|| panic!("no reason: {self:?}"))
    }
}
