//! Stopping: signals, requests in flight, and the drain time-out.

use std::time::Duration;

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::json;
use suite::{Process, Stack};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::program::{start, start_with};

/// The time in which an idle server stops: without a drain or a time-out.
const PROMPTLY: Duration = Duration::from_secs(2);

#[tokio::test]
async fn an_idle_server_ends_well_and_promptly_on_sigterm() {
    let stack = Stack::create().await;
    let mut server = start(&stack).await;
    // The client keeps this connection open.
    server.anyone().get("//livez").await.expect(200);

    signal(&server, Signal::SIGTERM);

    assert_eq!(server.ends_within(PROMPTLY).await, Some(0));
}

#[tokio::test]
async fn an_idle_server_ends_well_and_promptly_on_sigint() {
    let stack = Stack::create().await;
    let mut server = start(&stack).await;
    server.anyone().get("//livez").await.expect(200);

    signal(&server, Signal::SIGINT);

    assert_eq!(server.ends_within(PROMPTLY).await, Some(0));
}

#[tokio::test]
async fn a_request_in_flight_finishes_after_sigterm() {
    a_request_in_flight_finishes_after(Signal::SIGTERM).await;
}

#[tokio::test]
async fn a_request_in_flight_finishes_after_sigint() {
    a_request_in_flight_finishes_after(Signal::SIGINT).await;
}

async fn a_request_in_flight_finishes_after(stop: Signal) {
    let stack = Stack::create().await;
    let mut server = start(&stack).await;
    let slow = SlowRequest::begin(&server).await;

    signal(&server, stop);
    is_closed_to_newcomers(&server).await;
    let answer = slow.finish().await;

    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    assert!(answer.contains(r#""api_key":"phk_"#), "{answer}");
    assert_eq!(server.ends_within(PROMPTLY).await, Some(0));
    let server = start(&stack).await;
    server.admin().get("/users/ada").await.expect(200);
}

#[tokio::test]
async fn a_request_that_does_not_end_is_cut_off_when_patience_is_over() {
    let stack = Stack::create().await;
    let mut server = start_with(&stack, &[("PACKHOUSE_LIMITS__DRAIN_SECS", "1")]).await;
    let slow = SlowRequest::begin(&server).await;

    signal(&server, Signal::SIGTERM);

    assert_eq!(server.ends_within(Duration::from_secs(3)).await, Some(0));
    drop(slow);
    let server = start(&stack).await;
    server.admin().get("/users/ada").await.expect(404);
}

fn signal(server: &Process, signal: Signal) {
    let id = i32::try_from(server.id()).expect("a process number");
    kill(Pid::from_raw(id), signal).expect("it runs");
}

/// Waits until the server refuses connections because it is stopping.
async fn is_closed_to_newcomers(server: &Process) {
    let address = server.base.strip_prefix("http://").expect("an address");
    let refused = async {
        while TcpStream::connect(address).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(PROMPTLY, refused).await.expect("new connections are refused");
}

/// A `POST /users` whose head was read and whose body is still missing.
struct SlowRequest {
    socket: TcpStream,
    rest: String,
}

impl SlowRequest {
    async fn begin(server: &Process) -> Self {
        use base64::{Engine, prelude::BASE64_STANDARD};
        let address = server.base.strip_prefix("http://").expect("an address");
        let credentials = BASE64_STANDARD.encode(format!("admin:{}", server.admin().key()));
        let body = json!({"name": "ada", "full_name": "Ada L."}).to_string();
        let head = format!(
            "POST /api/users HTTP/1.1\r\nHost: {address}\r\nAuthorization: Basic {credentials}\r\n\
             Content-Length: {}\r\nExpect: 100-continue\r\n\r\n",
            body.len()
        );
        let mut socket = TcpStream::connect(address).await.expect("the server listens");
        socket.write_all(head.as_bytes()).await.expect("the head is taken");
        // This response arrives when the handler reads the body.
        let mut go_on = [0; 25];
        tokio::time::timeout(PROMPTLY, socket.read_exact(&mut go_on)).await.expect("in time").expect("an answer");
        assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
        let (begin, rest) = body.split_at(10);
        socket.write_all(begin.as_bytes()).await.expect("the body is taken");
        Self { socket, rest: rest.to_owned() }
    }

    async fn finish(mut self) -> String {
        self.socket.write_all(self.rest.as_bytes()).await.expect("the body is taken");
        let mut answer = String::new();
        let read = self.socket.read_to_string(&mut answer);
        tokio::time::timeout(PROMPTLY, read).await.expect("in time").expect("an answer");
        answer
    }
}
