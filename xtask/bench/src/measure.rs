//! Measures how long responses take, and how many arrive per second.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::client::{Call, Caller, Client};
use xtask::failure::{Attempt, Failure, Result};

/// The effort of a measurement.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct Effort {
    /// The number of requests of each kind
    #[arg(long, default_value_t = 4_000)]
    requests: u64,
    /// The number of parallel connections, each of which sends one request after the other
    #[arg(long, default_value_t = 4)]
    connections: usize,
}

/// The number of rounds in which the requests are sent, so that compared servers are measured in turns.
pub(crate) const ROUNDS: u64 = 5;

/// The longest duration of a round. It limits the number of slow requests.
const LONGEST: Duration = Duration::from_secs(4);

/// The number of measured requests for each request of the warm-up.
const WARM_UP: u64 = 10;

/// The result of a measurement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// The median duration of a response.
    pub(crate) p50: Duration,
    /// The 99th percentile of the duration.
    pub(crate) p99: Duration,
    /// Responses per second on all connections together.
    pub(crate) per_second: f64,
}

/// The durations of responses over all rounds.
#[derive(Default)]
pub(crate) struct Rounds {
    took: Vec<Duration>,
    elapsed: Duration,
}

impl Rounds {
    /// Sends requests that are not measured.
    pub(crate) async fn warm_up(caller: &Caller, effort: Effort, call: impl Ask) -> Result<()> {
        ask(caller, effort.connections, 0..effort.requests / WARM_UP, call).await.map(drop)
    }

    /// Sends the calls that `call` creates from the numbers of a round, which look random and are the same each time.
    pub(crate) async fn go(&mut self, caller: &Caller, effort: Effort, round: u64, call: impl Ask) -> Result<()> {
        let requests = effort.requests / ROUNDS;
        let began = Instant::now();
        self.took.extend(ask(caller, effort.connections, round * requests..(round + 1) * requests, call).await?);
        self.elapsed += began.elapsed();
        Ok(())
    }

    /// Returns the result of all rounds.
    pub(crate) fn finish(mut self) -> Result<Seen> {
        self.took.sort_unstable();
        let count = self.took.len();
        let nth = |hundredths: usize| self.took.get((count * hundredths / 100).min(count.saturating_sub(1))).copied();
        match (nth(50), nth(99)) {
            (Some(p50), Some(p99)) => Ok(Seen { p50, p99, per_second: count as f64 / self.elapsed.as_secs_f64() }),
            _ => Err(Failure::new("no request was sent")),
        }
    }
}

/// Creates a call from a number.
pub(crate) trait Ask: Fn(u64) -> Call + Copy + Send + Sync + 'static {}

impl<F: Fn(u64) -> Call + Copy + Send + Sync + 'static> Ask for F {}

async fn ask(caller: &Caller, connections: usize, numbers: Range<u64>, call: impl Ask) -> Result<Vec<Duration>> {
    let (next, deadline) = (Arc::new(AtomicU64::new(numbers.start)), Instant::now() + LONGEST);
    let mut asking = Vec::new();
    for _ in 0..connections {
        let (mut client, next) = (Client::connect(caller).await?, Arc::clone(&next));
        asking.push(tokio::spawn(async move {
            let mut took = Vec::new();
            while Instant::now() < deadline {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= numbers.end {
                    break;
                }
                let call = call(scattered(number));
                let began = Instant::now();
                client.send(&call).await?;
                took.push(began.elapsed());
            }
            Ok(took)
        }));
    }
    let mut took = Vec::new();
    for connection in asking {
        took.extend(connection.await.attempt("a client failed")??);
    }
    Ok(took)
}

/// Returns a pseudo-random number for each number: the last step of SplitMix64.
fn scattered(number: u64) -> u64 {
    let mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
