//! Benchmarks the start of the program: the time until it answers, with an empty database and with a full one.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::catalogue::{REPO, load};
use crate::client::{Call, Caller, Client};
use crate::house::{ADMIN_KEY, Engine, Engines, HouseFolder, build};
use crate::owner::{OWNER, create_owner};
use crate::table::{grouped, milliseconds};
use xtask::failure::{Failure, Result};
use xtask::signals::Signals;

/// The options of `cargo xtask bench start`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The number of packages in the full database
    #[arg(long, default_value_t = 100_000)]
    packages: u64,
    /// The number of starts of each
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    starts: u64,
    /// The database engine
    #[arg(long, value_enum, default_value_t = Engines::Both)]
    engine: Engines,
}

/// The longest allowed median on SQLite. On PostgreSQL, a start waits for connections to another server.
const BOUND: Duration = Duration::from_millis(50);

/// The URL that answers with 200 when the program can work.
const READY: &str = "/readyz";

/// Prints a table, and fails if a start on SQLite takes too long.
pub(crate) async fn run(options: &Options) -> Result<ExitCode> {
    let signals = Signals::listen()?;
    let program = build()?;
    println!("| median / longest | empty | {} packages |\n|---|---|---|", grouped(options.packages as f64));
    let mut slow = Vec::new();
    for engine in options.engine.each() {
        let (empty, full) = measure(&program, *engine, options, &signals).await?;
        println!("| {} | {} | {} |", engine.name(), empty.cell(), full.cell());
        if *engine == Engine::Sqlite && full.median() > BOUND {
            slow.push(format!("a start with {} packages takes {}", options.packages, full.cell()));
        }
    }
    if slow.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(Failure::new(slow.join("; "))) }
}

/// Starts the program with an empty database and with a full one in turns, so that other load slows both.
async fn measure(program: &Path, engine: Engine, options: &Options, signals: &Signals) -> Result<(Starts, Starts)> {
    let folders = [HouseFolder::new(engine)?, HouseFolder::new(engine)?];
    let [empty, full] = &folders;
    // The first start creates the database.
    drop(empty.serve(program)?);
    fill(program, full, options.packages, signals).await?;
    let (mut without, mut with) = (Starts::default(), Starts::default());
    for _ in 0..options.starts {
        signals.check()?;
        without.0.push(start(program, empty).await?);
        with.0.push(start(program, full).await?);
    }
    Ok((without, with))
}

/// Loads packages into a new database.
async fn fill(program: &Path, folder: &HouseFolder, packages: u64, signals: &Signals) -> Result<()> {
    let house = folder.serve(program)?;
    let owner = create_owner(&house.address).await?;
    Client::connect(&owner).await?.send(&Call::post(format!("/api/repos/{OWNER}/{REPO}"), json!({}))).await?;
    drop(house);
    eprintln!("loading {packages} packages");
    load::load(&folder.database_url(), REPO, 0..packages, signals).await?;
    // The jobs of the first start after the load are done before the next ones are measured.
    let house = folder.serve(program)?;
    tokio::time::sleep(Duration::from_secs(10)).await;
    drop(house);
    Ok(())
}

/// Starts the program, and returns the time until it has answered.
async fn start(program: &Path, folder: &HouseFolder) -> Result<Duration> {
    let began = Instant::now();
    let house = folder.serve(program)?;
    let caller = Caller { address: house.address.clone(), name: "admin".to_owned(), key: ADMIN_KEY.to_owned() };
    Client::connect(&caller).await?.send(&Call::get(READY)).await?;
    Ok(began.elapsed())
}

/// The durations of several starts.
#[derive(Default)]
struct Starts(Vec<Duration>);

impl Starts {
    fn median(&self) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }

    /// Returns its cell of the table.
    fn cell(&self) -> String {
        let longest = self.0.iter().max().copied().unwrap_or_default();
        format!("{} / {} ms", milliseconds(self.median()), milliseconds(longest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_one_in_the_middle() {
        let starts = Starts([40, 10, 20].map(Duration::from_millis).to_vec());
        assert_eq!(starts.cell(), "20.0 / 40.0 ms");
    }
}
