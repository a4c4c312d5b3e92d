//! A differential test: the same bytes have the same outcome on a connection with replays and on one without.

mod backend;
mod script;

pub use script::{Step, script};

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    task::Poll,
    time::Duration,
};

use hyper_util::server::graceful::GracefulShutdown;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

use crate::{
    Draining, Options, Proxies,
    client::Peer,
    connections::{Connections, From},
    http_connection::{HttpConnection, http},
    service::Service,
};
use backend::TestBackend;

/// How often the test yields to other tasks before a connection counts as quiet.
const TURNS: usize = 100;

/// The size of the buffer: enough for everything that a connection sends in one step.
const BUFFER: usize = 4 << 20;

/// Runs a script on both connections and compares them after each step: the bytes except ids and dates, whether the
/// connection is closed, and which downloads were counted. Returns the number of replays, or the difference.
pub async fn differential(script: &[Step]) -> Result<usize, String> {
    let (mut replaying, mut ordinary) = (Side::start(true), Side::start(false));
    for (number, step) in script.iter().enumerate() {
        let (one, other) = (replaying.play(step).await, ordinary.play(step).await);
        if one != other {
            return Err(format!("step {number}, {step:?}:\nwith replays:    {one:?}\nwithout replays: {other:?}"));
        }
    }
    Ok(replaying.backend.replays())
}

/// One connection and the service behind it.
struct Side {
    backend: TestBackend,
    draining: Draining,
    far: DuplexStream,
    is_closed: bool,
}

/// The outcome of a step.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    received: String,
    is_closed: bool,
    completed: Vec<String>,
}

impl Side {
    fn start(has_replays: bool) -> Self {
        let (backend, draining, options) = (TestBackend::default(), Draining::default(), options());
        let service = Service::new(backend.clone(), &options, draining.clone());
        let address = [127, 0, 0, 1].into();
        let connections = Connections::new(1, 100, 1);
        let slot = connections.enter(address, From::Loopback).expect("the only connection");
        let peer = Peer { address, is_tls: false };
        let head_timeout = options.head_timeout;
        let standing = slot.standing().clone();
        let mut connection = HttpConnection::new(service, peer, http(head_timeout), head_timeout, standing);
        connection.has_replays = has_replays;
        let (near, far) = tokio::io::duplex(BUFFER);
        tokio::spawn(async move {
            let _slot = slot;
            connection.serve(near, GracefulShutdown::new().watcher()).await;
        });
        Self { backend, draining, far, is_closed: false }
    }

    async fn play(&mut self, step: &Step) -> Outcome {
        match step {
            // Writing to a closed connection fails; reading from it shows that it is closed.
            Step::Write(bytes) => drop(self.far.write_all(bytes).await),
            Step::Invalidate => self.backend.invalidate(),
            Step::Drain => self.draining.begin(),
        }
        let received = self.read().await;
        Outcome { received: mask(&received), is_closed: self.is_closed, completed: self.backend.completed_downloads() }
    }

    /// Reads until the connection is quiet.
    async fn read(&mut self) -> Vec<u8> {
        let mut received = Vec::new();
        for _ in 0..TURNS {
            tokio::task::yield_now().await;
            let mut buffer = [0; 8 << 10];
            while !self.is_closed {
                let read = pin!(self.far.read(&mut buffer));
                let Some(read) = poll_once(read).await else { break };
                let count = read.unwrap_or(0);
                self.is_closed = count == 0;
                received.extend_from_slice(&buffer[..count]);
            }
        }
        received
    }
}

/// Returns the output of a future, if it is ready now.
async fn poll_once<F: Future>(mut future: Pin<&mut F>) -> Option<F::Output> {
    poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

/// Masks the values that differ in each response.
fn mask(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.split_inclusive("\r\n").map(|line| match line.split_once(": ") {
        Some((name @ ("x-request-id" | "date"), _)) => format!("{name}: -\r\n"),
        _ => line.to_owned(),
    });
    lines.collect()
}

fn options() -> Options {
    let long = Duration::from_secs(3_600);
    Options {
        proxies: Proxies::default(),
        connections: 1,
        anonymous_percent: 100,
        connections_per_address: 1,
        head_timeout: long,
        body_gap: long,
        body_grace: long,
        body_bytes_per_sec: 1,
        drain: long,
    }
}
