//! A throw-away S3 server: a separate process that serves a folder on the loopback address.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::cargo;
use crate::failure::{Attempt, Failure, Result};

/// The name of the server's package and program.
pub(crate) const PROGRAM: &str = "s3-server";

/// The bucket that exists from the start.
pub(crate) const BUCKET: &str = "packhouse-test";
/// The only access key that the server accepts.
pub(crate) const ACCESS_KEY: &str = "packhouse-test-access";
/// The secret of the access key; it is valid only for throw-away servers.
pub(crate) const SECRET_KEY: &str = "packhouse-test-secret";

/// A running server. Dropping it stops it.
pub(crate) struct S3Server {
    child: Child,
    endpoint: String,
}

impl S3Server {
    /// Starts a server that stores its objects in `folder`.
    pub(crate) fn start(folder: &Path) -> Result<Self> {
        use std::os::unix::process::CommandExt;

        std::fs::create_dir_all(folder.join(BUCKET)).attempt("cannot create the bucket")?;
        let mut child = Command::new(cargo::built(PROGRAM)?)
            .args(["--access-key", ACCESS_KEY, "--secret-key", SECRET_KEY, "--root"])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .attempt("cannot start the S3 server")?;
        let mut endpoint = String::new();
        let stdout = child.stdout.take().expect("standard output is a pipe");
        let read = BufReader::new(stdout).read_line(&mut endpoint);
        let server = Self { child, endpoint: endpoint.trim_end().to_owned() };
        read.attempt("cannot read from the S3 server")?;
        if server.endpoint.is_empty() {
            return Err(Failure::new("the S3 server exited before it was ready"));
        }
        Ok(server)
    }

    /// Returns its URL, such as `http://127.0.0.1:port`.
    pub(crate) fn endpoint(&self) -> &str {
        &self.endpoint
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        // It may have exited by itself; other errors cannot be reported here.
        self.child.kill().unwrap_or_default();
        self.child.wait().map(drop).unwrap_or_default();
    }
}
