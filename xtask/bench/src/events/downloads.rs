//! Downloads at a steady rate, stops the server right after the last one, and checks that all were counted.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Call, Caller, Client};
use crate::events::{Options, REPO, open};
use crate::house::Engine;
use crate::owner::OWNER;
use crate::processes::{processor_seconds, resident};
use crate::table::grouped;
use xtask::failure::{Attempt, Result};
use xtask::signals::Signals;

const PACKAGES: u64 = 10;
const VERSIONS: u64 = 10;
const CONNECTIONS: usize = 32;

/// How much more memory the second half may use than the first, in MiB: allocators do not return all memory.
const GROWTH: f64 = 16.0;

/// The fraction of the requested rate that must be reached.
const REACHED: f64 = 0.95;

/// Prints a table, and returns the missed bounds.
pub(super) async fn measure(
    program: &Path,
    engine: Engine,
    options: &Options,
    signals: &Signals,
) -> Result<Vec<String>> {
    let (place, house, owner) = open(program, engine).await?;
    publish(&owner).await?;
    let asked = options.rate * options.seconds;
    eprintln!("downloading {} files in {} s", grouped(asked as f64), options.seconds);
    let used_before = processor_seconds(house.pid())?;
    let began = Instant::now();
    let clients = tokio::spawn(download(owner.clone(), options.rate, asked));
    let mut memory = Vec::new();
    while !clients.is_finished() {
        signals.check()?;
        tokio::time::sleep(Duration::from_secs(1)).await;
        memory.push(resident(house.pid())?);
    }
    clients.await.attempt("a client failed")??;
    let (took, used) = (began.elapsed().as_secs_f64(), processor_seconds(house.pid())? - used_before);
    drop(house);
    let house = place.serve(program)?;
    let counted = counted(&Caller { address: house.address.clone(), ..owner }).await?;
    let seen = Seen { asked, counted, took, used, memory };
    println!("{}", seen.table());
    Ok(seen.misses(options.rate))
}

struct Seen {
    asked: u64,
    counted: u64,
    took: f64,
    used: f64,
    memory: Vec<f64>,
}

impl Seen {
    /// Returns the peak of resident memory in the first half and in the second.
    fn halves(&self) -> (f64, f64) {
        let (first, second) = self.memory.split_at(self.memory.len() / 2);
        let most = |part: &[f64]| part.iter().copied().fold(0.0, f64::max);
        (most(first), most(second))
    }

    fn table(&self) -> String {
        let (first, second) = self.halves();
        let rate = grouped((self.asked as f64 / self.took).round());
        let each = self.used / self.asked as f64 * 1e6;
        format!(
            "| downloads | a second | counted after a stop | processor time for each | resident, first half | second half |\n\
             |---|---|---|---|---|---|\n\
             | {} | {rate} | {} | {each:.1} µs | {first:.0} MiB | {second:.0} MiB |",
            grouped(self.asked as f64),
            grouped(self.counted as f64),
        )
    }

    fn misses(&self, rate: u64) -> Vec<String> {
        let (first, second) = self.halves();
        let mut misses = Vec::new();
        if self.counted != self.asked {
            misses.push(format!("{} downloads were made but {} counted", self.asked, self.counted));
        }
        if second > first + GROWTH {
            misses.push(format!("memory grew from {first:.0} to {second:.0} MiB"));
        }
        if (self.asked as f64 / self.took) < rate as f64 * REACHED {
            misses.push(format!("{} downloads took {:.0} s", self.asked, self.took));
        }
        misses
    }
}

async fn publish(owner: &Caller) -> Result<()> {
    let mut client = Client::connect(owner).await?;
    for package in 0..PACKAGES {
        let new = json!({ "name": format!("p{package}"), "licenses": ["MIT"], "vcs_url": "https://example.com/p.git" });
        client.send(&Call::post(format!("/api/packages/{OWNER}/{REPO}"), new)).await?;
        for version in 0..VERSIONS {
            let path = format!("/api/content/{OWNER}/{REPO}/p{package}/{version}/{}", file(package, version));
            let content = json!(format!("{version}").repeat(4_000));
            client.send(&Call::put(format!("{path};publish=1"), content)).await?;
        }
    }
    Ok(())
}

fn file(package: u64, version: u64) -> String {
    format!("p{package}-{version}.bin")
}

/// Makes `rate` downloads per second, each at its time or as soon as a connection is free.
async fn download(owner: Caller, rate: u64, count: u64) -> Result<()> {
    let (next, start) = (Arc::new(AtomicU64::new(0)), tokio::time::Instant::now());
    let mut asking = Vec::new();
    for _ in 0..CONNECTIONS {
        let (mut client, next) = (Client::connect(&owner).await?, Arc::clone(&next));
        asking.push(tokio::spawn(async move {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    return Ok(());
                }
                tokio::time::sleep_until(start + Duration::from_secs_f64(number as f64 / rate as f64)).await;
                let name = file(number % PACKAGES, number / PACKAGES % VERSIONS);
                client.send(&Call::get(format!("/dl/{OWNER}/{REPO}/{name}"))).await?;
            }
        }));
    }
    for connection in asking {
        connection.await.attempt("a client failed")??;
    }
    Ok(())
}

/// Returns the total number of downloads in the statistics of all packages.
async fn counted(owner: &Caller) -> Result<u64> {
    let mut client = Client::connect(owner).await?;
    let mut sum = 0;
    for package in 0..PACKAGES {
        let path = format!("/api/packages/{OWNER}/{REPO}/p{package}/stats/total_downloads");
        let totals: Value =
            serde_json::from_slice(&client.send(&Call::get(path)).await?).attempt("cannot read totals")?;
        let counts = totals["records"].as_array().into_iter().flatten().filter_map(|record| record["count"].as_u64());
        sum += counts.sum::<u64>();
    }
    Ok(sum)
}
