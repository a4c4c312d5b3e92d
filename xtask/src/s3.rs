//! A throw-away S3 server: a process of its own that serves a folder on the loopback address.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tokio::net::TcpListener;

use crate::failure::{Attempt, Failure, Result};

/// The bucket that is there from the start.
pub(crate) const BUCKET: &str = "packhouse-test";
/// The only access key the server knows.
pub(crate) const ACCESS_KEY: &str = "packhouse-test-access";
/// What belongs to the access key; it opens nothing but throw-away servers.
pub(crate) const SECRET_KEY: &str = "packhouse-test-secret";

/// A running server; dropped is stopped.
pub(crate) struct S3Server {
    child: Child,
    endpoint: String,
}

impl S3Server {
    /// Starts a server whose objects lie under `folder`.
    pub(crate) fn start(folder: &Path) -> Result<Self> {
        use std::os::unix::process::CommandExt;

        std::fs::create_dir_all(folder.join(BUCKET)).attempt("cannot create the bucket")?;
        let program = std::env::current_exe().attempt("cannot find the path of xtask")?;
        let mut child = Command::new(program)
            .args(["s3-server", "--root"])
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
            return Err(Failure::new("the S3 server ended before it was ready"));
        }
        Ok(server)
    }

    /// Where it answers, as in `http://127.0.0.1:port`.
    pub(crate) fn endpoint(&self) -> &str {
        &self.endpoint
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        // It may have ended by itself; there is nobody left to tell about other causes.
        self.child.kill().unwrap_or_default();
        self.child.wait().map(drop).unwrap_or_default();
    }
}

/// Serves `root` until standard input ends: the pipe closes however the parent dies.
pub(crate) fn serve(root: &Path, port: u16) -> Result<ExitCode> {
    thread::Builder::new()
        .name("parent".into())
        .spawn(|| {
            io::stdin().read_to_end(&mut Vec::new()).unwrap_or_default();
            std::process::exit(0);
        })
        .attempt("cannot start a thread")?;
    let runtime = tokio::runtime::Runtime::new().attempt("cannot start the runtime")?;
    runtime.block_on(accept(root, port))
}

async fn accept(root: &Path, port: u16) -> Result<ExitCode> {
    let files =
        FileSystem::new(root).map_err(|cause| Failure::new(format!("cannot serve `{}`: {cause:?}", root.display())))?;
    let mut builder = S3ServiceBuilder::new(files);
    builder.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
    let service = builder.build();

    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.attempt("cannot listen")?;
    let address = listener.local_addr().attempt("cannot tell the address")?;
    let mut stdout = io::stdout();
    writeln!(stdout, "http://{address}").attempt("cannot print the address")?;
    stdout.flush().attempt("cannot print the address")?;

    loop {
        // Out of descriptors, most likely: some are free again a moment later.
        let Ok((socket, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let service = service.clone();
        tokio::spawn(async move {
            let server = auto::Builder::new(TokioExecutor::new());
            // A client that goes away is the client's matter.
            server.serve_connection(TokioIo::new(socket), service).await.unwrap_or_default();
        });
    }
}
