//! How long answers take, and how many come in a second.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::bench::client::{Call, Caller, Client};
use crate::failure::{Attempt, Failure, Result};

/// How a measurement is made.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct Effort {
    /// Requests of each kind
    #[arg(long, default_value_t = 4_000)]
    requests: u64,
    /// Connections that ask at the same time, each one thing after the other
    #[arg(long, default_value_t = 4)]
    connections: usize,
}

/// Slow requests are fewer: no kind takes longer than this.
const LONGEST: Duration = Duration::from_secs(20);

/// Of so many requests, the first is for warming up.
const WARM_UP: u64 = 10;

/// What was seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// Half of the answers took no longer.
    pub(crate) p50: Duration,
    /// Of a hundred answers, one took longer.
    pub(crate) p99: Duration,
    /// Answers in a second, on all connections.
    pub(crate) per_second: f64,
}

/// Asks what `call` makes of numbers that look random, and are the same each time.
pub(crate) async fn measure(
    caller: &Caller,
    effort: Effort,
    call: impl Fn(u64) -> Call + Send + Sync + 'static,
) -> Result<Seen> {
    let call = Arc::new(call);
    ask(caller, Effort { requests: effort.requests / WARM_UP, ..effort }, Arc::clone(&call)).await?;
    let began = Instant::now();
    let mut took = ask(caller, effort, call).await?;
    let elapsed = began.elapsed();
    took.sort_unstable();
    let nth = |hundredths: usize| took.get((took.len() * hundredths / 100).min(took.len().saturating_sub(1))).copied();
    match (nth(50), nth(99)) {
        (Some(p50), Some(p99)) => Ok(Seen { p50, p99, per_second: took.len() as f64 / elapsed.as_secs_f64() }),
        _ => Err(Failure::new("nothing was asked")),
    }
}

async fn ask<F>(caller: &Caller, effort: Effort, call: Arc<F>) -> Result<Vec<Duration>>
where
    F: Fn(u64) -> Call + Send + Sync + 'static,
{
    let (asked, deadline) = (Arc::new(AtomicU64::new(0)), Instant::now() + LONGEST);
    let mut connections = Vec::new();
    for _ in 0..effort.connections {
        let (mut client, asked, call) = (Client::connect(caller).await?, Arc::clone(&asked), Arc::clone(&call));
        connections.push(tokio::spawn(async move {
            let mut took = Vec::new();
            while Instant::now() < deadline {
                let number = asked.fetch_add(1, Ordering::Relaxed);
                if number >= effort.requests {
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
    for connection in connections {
        took.extend(connection.await.attempt("a connection ended")??);
    }
    Ok(took)
}

/// A number of all sizes for each number: the last step of SplitMix64.
fn scattered(number: u64) -> u64 {
    let mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
