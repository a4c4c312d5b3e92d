//! Measures what a change costs while other nodes cache responses, and what it leaves in their caches.

use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use crate::client::{Call, Caller, Client};
use crate::cluster::{DOWNLOAD, Scene, UPLOADS};
use xtask::failure::{Attempt, Failure, Result};

/// The number of changes of each kind.
const CHANGES: usize = 200;

/// The number of downloads while others publish.
const DOWNLOADS: usize = 5_000;

/// The longest that a node that hangs may delay a change, with a little for the change itself.
const LONGEST_HANG: Duration = Duration::from_millis(1_500);

/// The lowest allowed share of downloads that come from the cache while others publish.
const LEAST_HITS: f64 = 0.9;

/// The figures of one number of nodes.
pub(crate) struct Coherence {
    nodes: usize,
    /// The median duration of publishing a new path.
    new_path: Duration,
    /// The median duration of replacing a file.
    replacement: Duration,
    /// The first replacement after a node has hung, and the next.
    after_hang: Option<[Duration; 2]>,
    /// The share of downloads that come from the cache while others publish.
    hits: f64,
}

impl Coherence {
    /// Measures the nodes of a scene.
    pub(crate) async fn measure(scene: &Scene) -> Result<Self> {
        let nodes = scene.nodes.len();
        let publisher = &scene.owner;
        let new_path = median(publisher, |n| format!("{UPLOADS}{nodes}-{n}.bin?publish=1")).await?;
        let replacement = median(publisher, |_| format!("{UPLOADS}changing.bin?publish=1&override=1")).await?;
        let hits = hits(scene).await?;
        let after_hang = if nodes > 1 { Some(after_hang(scene).await?) } else { None };
        Ok(Self { nodes, new_path, replacement, after_hang, hits })
    }

    /// Returns a message for each bound that is missed.
    pub(crate) fn misses(&self) -> Vec<String> {
        let slow = self.after_hang.iter().flatten().filter(|time| **time > LONGEST_HANG);
        let mut misses: Vec<String> =
            slow.map(|time| format!("a node that hangs delays a change by {time:?}")).collect();
        if self.hits < LEAST_HITS {
            misses.push(format!("{:.0} % of downloads come from the cache on {} nodes", self.hits * 100.0, self.nodes));
        }
        misses
    }

    /// Prints the figures of all numbers of nodes.
    pub(crate) fn print(all: &[Self]) {
        println!(
            "\n| nodes | new path | replacement | replacement after a node has hung, the next | cached downloads |"
        );
        println!("|---|---|---|---|---|");
        let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
        for one in all {
            let hang = one.after_hang.map_or_else(String::new, |times| times.map(ms).join(", "));
            let (new_path, replacement) = (ms(one.new_path), ms(one.replacement));
            println!("| {} | {new_path} | {replacement} | {hang} | {:.1} % |", one.nodes, one.hits * 100.0);
        }
    }
}

async fn median(publisher: &Caller, path: impl Fn(usize) -> String) -> Result<Duration> {
    let mut client = Client::connect(publisher).await?;
    let mut times = Vec::new();
    for number in 0..CHANGES {
        times.push(timed(&mut client, &path(number), number).await?);
    }
    times.sort_unstable();
    Ok(times[times.len() / 2])
}

async fn timed(client: &mut Client, path: &str, content: usize) -> Result<Duration> {
    let call = Call::put(path, json!({ "content": content, "at": path }));
    let began = Instant::now();
    client.send(&call).await?;
    Ok(began.elapsed())
}

/// Stops a node, and replaces a file twice before it goes on.
async fn after_hang(scene: &Scene) -> Result<[Duration; 2]> {
    let Some(last) = scene.nodes.last() else { return Err(Failure::new("there are no nodes")) };
    let pid = Pid::from_raw(last.pid().try_into().attempt("a process id is too large")?);
    let mut client = Client::connect(&scene.owner).await?;
    let path = format!("{UPLOADS}changing.bin?publish=1&override=1");
    kill(pid, Signal::SIGSTOP).attempt("cannot stop a node")?;
    let mut times = Vec::new();
    for number in [1, 2] {
        times.push(timed(&mut client, &path, CHANGES + number).await);
    }
    kill(pid, Signal::SIGCONT).attempt("cannot continue a node")?;
    let times = times.into_iter().collect::<Result<Vec<_>>>()?;
    times.try_into().map_err(|_| Failure::new("two changes were measured"))
}

/// Downloads from the last node while the first one publishes new paths.
async fn hits(scene: &Scene) -> Result<f64> {
    let Some(last) = scene.nodes.last() else { return Err(Failure::new("there are no nodes")) };
    let reader = Caller { address: last.address.clone(), ..scene.owner.clone() };
    let (owner, nodes) = (scene.owner.clone(), scene.nodes.len());
    let publishing = tokio::spawn(async move {
        let mut client = Client::connect(&owner).await?;
        for number in 0.. {
            timed(&mut client, &format!("{UPLOADS}stream-{nodes}-{number}.bin?publish=1"), number).await?;
        }
        Result::Ok(())
    });
    let mut client = Client::connect(&reader).await?;
    let before = counts(&mut client).await?;
    for _ in 0..DOWNLOADS {
        client.send(&Call::get(DOWNLOAD)).await?;
    }
    let after = counts(&mut client).await?;
    if publishing.is_finished() {
        publishing.await.attempt("the publisher panicked")??;
    } else {
        publishing.abort();
    }
    let [hits, misses] = [after[0] - before[0], after[1] - before[1]];
    Ok(hits / (hits + misses))
}

/// Reads how many downloads came from the cache, and how many did not.
async fn counts(client: &mut Client) -> Result<[f64; 2]> {
    let metrics = client.send(&Call::get("/metrics")).await?;
    let metrics = String::from_utf8_lossy(&metrics).into_owned();
    let read = |name: &str| {
        let lines = metrics.lines().filter_map(|line| line.strip_prefix(name)?.trim().parse::<f64>().ok());
        lines.sum::<f64>()
    };
    Ok(["packhouse_download_cache_hits_total", "packhouse_download_cache_misses_total"].map(read))
}
