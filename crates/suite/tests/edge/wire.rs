//! A connection for hand-written bytes, and helpers that build requests.

use std::time::{Duration, Instant};

use base64::{Engine, prelude::BASE64_STANDARD};
use suite::{Person, RawAnswer, TestHouse, exchange};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// How long a response may take before a test gives up; far longer than any takes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// An open connection.
pub(crate) struct Wire {
    socket: TcpStream,
    /// Received bytes that were not read yet.
    received: Vec<u8>,
}

impl Wire {
    pub(crate) async fn open(house: &TestHouse) -> Self {
        let socket = TcpStream::connect(house.address).await.expect("the server listens");
        socket.set_nodelay(true).expect("a socket");
        Self { socket, received: Vec::new() }
    }

    /// Sends bytes. The server may close the connection meanwhile, which the next read shows.
    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        drop(self.socket.write_all(bytes.as_ref()).await);
    }

    /// Sends bytes, and gives the server time to read them separately from the next ones.
    pub(crate) async fn send_apart(&mut self, bytes: impl AsRef<[u8]>) {
        self.send(bytes).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }

    /// Returns the next response: its head, and its body if the head has a length.
    pub(crate) async fn answer(&mut self) -> String {
        let head = loop {
            match self.received.windows(4).position(|four| four == b"\r\n\r\n") {
                Some(end) => break end + 4,
                None => self.read_more().await,
            }
        };
        let length = body_length(&self.received[..head]);
        while self.received.len() < head + length {
            self.read_more().await;
        }
        let answer: Vec<u8> = self.received.drain(..head + length).collect();
        String::from_utf8(answer).expect("an answer is text")
    }

    async fn read_more(&mut self) {
        let read = timeout(PATIENCE, self.socket.read_buf(&mut self.received)).await;
        let count = read.expect("the server answers in time").expect("the connection is sound");
        assert!(count > 0, "closed after {:?}", String::from_utf8_lossy(&self.received));
    }

    /// Returns how long the server takes to close the connection; `None` if it stays open for `patience`.
    pub(crate) async fn time_to_close(&mut self, patience: Duration) -> Option<Duration> {
        let began = Instant::now();
        let closed = async { while matches!(self.socket.read_buf(&mut self.received).await, Ok(1..)) {} };
        timeout(patience, closed).await.ok().map(|()| began.elapsed())
    }

    /// Returns all received bytes that were not read.
    pub(crate) fn rest(&self) -> String {
        String::from_utf8_lossy(&self.received).into_owned()
    }
}

fn body_length(head: &[u8]) -> usize {
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let line = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    line.map_or(0, |length| length.trim().parse().expect("a length"))
}

/// Returns the head of the last request on a connection: these lines, a host, and `Connection: close`.
pub(crate) fn head(first_line: &str, lines: &str) -> String {
    format!("{first_line}\r\nHost: house\r\nConnection: close\r\n{lines}\r\n")
}

/// Returns a GET of this raw target.
pub(crate) fn get(target: &str) -> String {
    head(&format!("GET {target} HTTP/1.1"), "")
}

/// Returns the `Authorization` line of this person.
pub(crate) fn authorization(person: &Person) -> String {
    format!("Authorization: Basic {}\r\n", BASE64_STANDARD.encode(format!("{}:{}", person.name(), person.key())))
}

/// Sends these bytes on a new connection.
pub(crate) async fn send(house: &TestHouse, bytes: impl AsRef<[u8]>) -> RawAnswer {
    exchange(house.address, bytes.as_ref(), Duration::from_secs(2)).await
}

/// A request of a table: its name and its bytes.
pub(crate) type Case = (&'static str, Vec<u8>);

/// Returns the cases that the server did not refuse, with its responses.
pub(crate) async fn not_refused(house: &TestHouse, cases: Vec<Case>) -> Vec<String> {
    let mut accepted = Vec::new();
    for (name, bytes) in cases {
        let answer = send(house, bytes).await;
        if !answer.is_refused() {
            accepted.push(format!("{name}: {:?}, closed: {}", answer.text.lines().next(), answer.is_closed));
        }
    }
    accepted
}

/// The expected result when all cases are refused.
pub(crate) const NONE: [String; 0] = [];
