//! A server that was installed, and what it must be able to do.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::root::succeeds;

/// The administrator's key of all servers.
pub(crate) const KEY: &str = "the-key-of-the-administrator-in-tests";

/// How long a start may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server, which ends with it.
pub(crate) struct Server {
    child: Child,
    output: TempDir,
    /// Its URL.
    pub(crate) url: String,
}

impl Server {
    /// Starts a server on a free port, with a command that ends before the option for the port.
    pub(crate) fn start(mut command: Command) -> Self {
        let output = tempfile::tempdir().expect("a folder");
        let file = |name: &str| fs::File::create(output.path().join(name)).expect("a file");
        command.args(["--listen", "127.0.0.1:0"]).env("PACKHOUSE_ADMIN_KEY", KEY);
        command.stdin(Stdio::null()).stdout(file("stdout")).stderr(file("stderr"));
        let child = command.spawn().expect("the server starts");
        let mut server = Self { child, output, url: String::new() };
        server.url = server.wait();
        server
    }

    /// Waits until it prints its URL.
    fn wait(&mut self) -> String {
        let began = Instant::now();
        loop {
            let text = self.printed();
            let url = text.lines().find_map(|line| line.trim().strip_prefix("pages")).map(str::trim);
            if let Some(url) = url {
                return url.trim_end_matches('/').to_owned();
            }
            let ended = self.child.try_wait().expect("its state");
            assert!(ended.is_none() && began.elapsed() < PATIENCE, "it did not start: {ended:?}\n{text}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn printed(&self) -> String {
        ["stdout", "stderr"].map(|name| fs::read_to_string(self.output.path().join(name)).unwrap_or_default()).concat()
    }

    /// The host and the port.
    pub(crate) fn host(&self) -> &str {
        self.url.trim_start_matches("http://")
    }

    /// Asserts that it is ready, and that a package can be published and downloaded.
    pub(crate) fn publishes_and_serves(&self) {
        publishes_and_serves(&self.url);
    }

    /// Sends a request as the administrator, which must succeed, and returns the body.
    pub(crate) fn call(&self, arguments: &[&str], path: &str) -> String {
        call(&self.url, arguments, path)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("{}", self.printed());
        }
    }
}

/// Asserts that the server at a URL is ready, and that a package can be published and downloaded.
pub(crate) fn publishes_and_serves(url: &str) {
    call(url, &[], "/readyz");
    call(url, &["-d", r#"{"desc":"Small tools"}"#], "/api/repos/admin/tools");
    call(url, &["-d", r#"{"name":"cat","licenses":["MIT"]}"#], "/api/packages/admin/tools");
    call(url, &["-X", "PUT", "-d", "meow"], "/api/content/admin/tools/cat/1.0/cat.txt?publish=1");
    let got = succeeds(Command::new("curl").args(["-sS", "--fail", &format!("{url}/dl/admin/tools/cat.txt")]));
    assert_eq!(got, "meow");
}

fn call(url: &str, arguments: &[&str], path: &str) -> String {
    let credentials = format!("admin:{KEY}");
    let mut curl = Command::new("curl");
    curl.args(["-sS", "--fail-with-body", "--noproxy", "*", "-u", &credentials]).args(arguments);
    succeeds(curl.arg(format!("{url}{path}")))
}
