//! A client with one connection that sends one request at a time.

use base64::{Engine, prelude::BASE64_STANDARD};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

use xtask::failure::{Attempt, Failure, Result};

/// The server and the credentials of a client.
#[derive(Clone)]
pub(crate) struct Caller {
    /// Host and port of the server.
    pub(crate) address: String,
    /// The name of a user.
    pub(crate) name: String,
    /// The user's API key.
    pub(crate) key: String,
}

impl Caller {
    /// Returns the value of the `Authorization` header.
    pub(crate) fn authorization(&self) -> String {
        format!("Basic {}", BASE64_STANDARD.encode(format!("{}:{}", self.name, self.key)))
    }
}

/// A request that must succeed.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    method: Method,
    path: String,
    body: Option<Value>,
    upload: Option<Upload>,
    total: Option<u64>,
}

/// A body that is not JSON.
#[derive(Clone, Debug)]
struct Upload {
    media_type: String,
    bytes: Bytes,
}

impl Call {
    /// Creates a GET request.
    pub(crate) fn get(path: impl Into<String>) -> Self {
        Self { method: Method::GET, path: path.into(), body: None, upload: None, total: None }
    }

    /// Creates a POST request.
    pub(crate) fn post(path: impl Into<String>, body: Value) -> Self {
        Self { method: Method::POST, path: path.into(), body: Some(body), upload: None, total: None }
    }

    /// Creates a PUT request.
    pub(crate) fn put(path: impl Into<String>, body: Value) -> Self {
        Self { method: Method::PUT, ..Self::post(path, body) }
    }

    /// Creates a request with these bytes as its body.
    pub(crate) fn upload(method: Method, path: impl Into<String>, media_type: &str, bytes: Vec<u8>) -> Self {
        let upload = Upload { media_type: media_type.to_owned(), bytes: bytes.into() };
        Self { method, upload: Some(upload), ..Self::get(path) }
    }

    /// Creates a DELETE request.
    pub(crate) fn delete(path: impl Into<String>) -> Self {
        Self { method: Method::DELETE, ..Self::get(path) }
    }

    /// Requires this total number of results: an empty response would be a fast one.
    pub(crate) fn finds(self, total: u64) -> Self {
        Self { total: Some(total), ..self }
    }
}

/// An open connection.
pub(crate) struct Client {
    sender: SendRequest<Full<Bytes>>,
    authorization: String,
    address: String,
}

impl Client {
    /// Connects to the server.
    pub(crate) async fn connect(caller: &Caller) -> Result<Self> {
        let stream = TcpStream::connect(&caller.address).await.attempt("cannot connect to the server")?;
        stream.set_nodelay(true).attempt("cannot connect to the server")?;
        let (sender, connection) =
            http1::handshake(TokioIo::new(stream)).await.attempt("cannot connect to the server")?;
        // If the connection breaks, the next request fails.
        tokio::spawn(connection);
        Ok(Self { sender, authorization: caller.authorization(), address: caller.address.clone() })
    }

    /// Sends a request, and reads the whole response.
    pub(crate) async fn send(&mut self, call: &Call) -> Result<Bytes> {
        let mut request = Request::builder()
            .method(&call.method)
            .uri(&call.path)
            .header(HOST, &self.address)
            .header(AUTHORIZATION, &self.authorization);
        let content = match &call.upload {
            Some(upload) => {
                request = request.header(CONTENT_TYPE, &upload.media_type);
                upload.bytes.clone()
            }
            None => call.body.as_ref().map(Value::to_string).unwrap_or_default().into(),
        };
        let request = request.body(Full::from(content)).attempt("cannot write a request")?;
        let failed = format!("{} {}", call.method, call.path);
        self.sender.ready().await.attempt(&failed)?;
        let answer = self.sender.send_request(request).await.attempt(&failed)?;
        let (status, total) = (answer.status(), total(&answer));
        let body = answer.into_body().collect().await.attempt(&failed)?.to_bytes();
        if !status.is_success() {
            return Err(Failure::new(format!("{failed}: {status} {}", String::from_utf8_lossy(&body))));
        }
        match call.total {
            Some(wanted) if total != Some(wanted) => {
                Err(Failure::new(format!("{failed} found {total:?}, not {wanted}: {:?}", call.body)))
            }
            _ => Ok(body),
        }
    }
}

fn total<T>(answer: &Response<T>) -> Option<u64> {
    answer.headers().get("x-rangelimit-total")?.to_str().ok()?.parse().ok()
}
