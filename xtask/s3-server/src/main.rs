//! An S3 server for tests: serves a folder on the loopback address until its standard input ends.

mod copies;

use std::io::{self, Read, Write};
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use clap::Parser;
use hyper::body::Incoming;
use hyper::header::CONTENT_LENGTH;
use hyper::service::service_fn;
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s::{Body, HttpError, HttpResponse};
use s3s_fs::FileSystem;
use tokio::net::TcpListener;

use crate::copies::Copies;

/// Serve S3 from a folder until standard input ends, and print the URL
#[derive(Parser)]
#[command(name = "s3-server")]
struct Options {
    /// The folder whose subfolders are the buckets
    #[arg(long)]
    root: PathBuf,
    /// The port on the loopback address; 0 chooses a free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// The only access key that the server accepts
    #[arg(long)]
    access_key: String,
    /// The secret of the access key
    #[arg(long)]
    secret_key: String,
    /// The most bytes that one request copies, as in S3
    #[arg(long, default_value_t = 5 << 30)]
    max_copy_bytes: u64,
}

fn main() -> ExitCode {
    match serve(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Exits together with the parent: the pipe to standard input closes no matter how the parent dies.
fn serve(options: &Options) -> Result<(), String> {
    let until_parent_ends = || {
        io::stdin().read_to_end(&mut Vec::new()).unwrap_or_default();
        std::process::exit(0);
    };
    let thread = thread::Builder::new().name("parent".into()).spawn(until_parent_ends);
    thread.map_err(|cause| format!("cannot start a thread: {cause}"))?;
    let runtime = tokio::runtime::Runtime::new().map_err(|cause| format!("cannot start the runtime: {cause}"))?;
    runtime.block_on(accept(options))
}

async fn accept(options: &Options) -> Result<(), String> {
    let service = service(options)?;
    let copies = Copies { root: options.root.clone(), max_bytes: options.max_copy_bytes };
    let cannot = |what: &'static str| move |cause: io::Error| format!("cannot {what}: {cause}");
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).await.map_err(cannot("listen"))?;
    let address = listener.local_addr().map_err(cannot("get the address"))?;
    let mut stdout = io::stdout();
    writeln!(stdout, "http://{address}").and_then(|()| stdout.flush()).map_err(cannot("print the address"))?;

    loop {
        // Most likely no descriptors are left; some will be free a moment later.
        let Ok((socket, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        // Otherwise a body that follows its headers waits until the client has acknowledged those, 40 ms later.
        socket.set_nodelay(true).unwrap_or_default();
        let (service, copies) = (service.clone(), copies.clone());
        tokio::spawn(async move {
            let server = auto::Builder::new(TokioExecutor::new());
            let answer = service_fn(move |request| answer(service.clone(), copies.clone(), request));
            // Errors of a client's connection are ignored.
            server.serve_connection(TokioIo::new(socket), answer).await.unwrap_or_default();
        });
    }
}

/// Answers like S3: a copy has a limit, and the end of an upload that is not there is 404, where the library says 403.
async fn answer(service: S3Service, copies: Copies, request: Request<Incoming>) -> Result<HttpResponse, HttpError> {
    if let Some(refused) = copies.refuse(request.headers()) {
        return Ok(refused);
    }
    let is_abort =
        request.method() == Method::DELETE && request.uri().query().is_some_and(|query| query.contains("uploadId="));
    let mut response = service.call(request.map(Body::from)).await?;
    if is_abort && response.status() == StatusCode::FORBIDDEN {
        *response.status_mut() = StatusCode::NOT_FOUND;
        *response.body_mut() = "<Error><Code>NoSuchUpload</Code></Error>".to_owned().into();
        response.headers_mut().remove(CONTENT_LENGTH);
    }
    Ok(response)
}

fn service(options: &Options) -> Result<S3Service, String> {
    let files = FileSystem::new(&options.root)
        .map_err(|cause| format!("cannot serve `{}`: {cause:?}", options.root.display()))?;
    let mut builder = S3ServiceBuilder::new(files);
    builder.set_auth(SimpleAuth::from_single(options.access_key.as_str(), options.secret_key.as_str()));
    Ok(builder.build())
}
