//! The server as a process with a pipe to its standard input, as tests run it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A running server. Dropping it stops it.
pub(crate) struct Server(pub(crate) Child);

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        self.0.wait().map(drop).unwrap_or_default();
    }
}

pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_s3-server"));
    command.args(["--access-key", "access", "--secret-key", "secret"]);
    command
}

/// Starts a server with further options and returns it with its address.
pub(crate) fn start(root: &Path, options: &[&str]) -> (Server, String) {
    let mut command = command();
    command.arg("--root").arg(root).args(options).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut server = command.spawn().expect("the server starts");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    (Server(server), line.trim_end().strip_prefix("http://").expect("a URL").to_owned())
}
