//! Requests for a manifest by its tag.

use std::time::{Duration, Instant};

use super::client::Registry;
use xtask::failure::{Attempt, Failure, Result};

/// How long the responses took.
pub(super) struct Manifests {
    pub(super) p50: Duration,
    pub(super) p99: Duration,
    pub(super) per_second: f64,
}

/// Requests a manifest again and again, on several connections.
pub(super) async fn measure(registry: &Registry, tag: &str, connections: usize, requests: u64) -> Result<Manifests> {
    let (path, each) = (format!("manifests/{tag}"), requests / connections.max(1) as u64);
    let began = Instant::now();
    let mut running = Vec::new();
    for _ in 0..connections {
        let (mut connection, path) = (registry.connect().await?, path.clone());
        running.push(tokio::spawn(async move {
            let mut took = Vec::new();
            for _ in 0..each {
                let began = Instant::now();
                connection.get(&path).await?;
                took.push(began.elapsed());
            }
            Ok::<_, Failure>(took)
        }));
    }
    let mut took = Vec::new();
    for task in running {
        took.extend(task.await.attempt("a client failed")??);
    }
    let per_second = took.len() as f64 / began.elapsed().as_secs_f64();
    took.sort_unstable();
    let nth = |hundredths: usize| took.get(took.len() * hundredths / 100).copied();
    match (nth(50), nth(99)) {
        (Some(p50), Some(p99)) => Ok(Manifests { p50, p99, per_second }),
        _ => Err(Failure::new("no manifest was requested")),
    }
}
