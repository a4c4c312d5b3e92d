//! Benchmarks the counting of downloads, and the statistics of a whole year.

mod downloads;
mod year;

use std::path::Path;
use std::process::ExitCode;

use serde_json::json;

use crate::client::{Call, Caller, Client};
use crate::house::{Engine, Engines, House, HouseFolder, build};
use crate::measure::Effort;
use crate::owner::{OWNER, create_owner};
use xtask::failure::{Failure, Result};
use xtask::signals::Signals;

/// The options of `cargo xtask bench events`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The number of downloads per second
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    rate: u64,
    /// How many seconds to download
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(2..))]
    seconds: u64,
    /// The number of versions with statistics for each day of a year
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1_000..))]
    versions: u64,
    /// Measure only this
    #[arg(long, value_enum)]
    only: Option<Part>,
    /// The database engine
    #[arg(long, value_enum, default_value_t = Engines::Both)]
    engine: Engines,
    #[command(flatten)]
    effort: Effort,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Very many downloads, all of which must be counted
    Downloads,
    /// The statistics of a year
    Year,
}

const REPO: &str = "events";

/// Prints the results, and fails if a download is lost, memory grows, or statistics take too long.
pub(crate) async fn run(options: &Options) -> Result<ExitCode> {
    let signals = Signals::listen()?;
    let program = build()?;
    let mut misses = Vec::new();
    for engine in options.engine.each() {
        println!("\n{}:\n", engine.name());
        if options.only != Some(Part::Year) {
            misses.extend(downloads::measure(&program, *engine, options, &signals).await?);
        }
        if options.only != Some(Part::Downloads) {
            misses.extend(year::measure(&program, *engine, options, &signals).await?);
        }
    }
    if misses.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(Failure::new(misses.join("; "))) }
}

/// Starts a server with an empty repository.
async fn open(program: &Path, engine: Engine) -> Result<(HouseFolder, House, Caller)> {
    let place = HouseFolder::new(engine)?;
    let house = place.serve(program)?;
    let owner = create_owner(&house.address).await?;
    Client::connect(&owner).await?.send(&Call::post(format!("/api/repos/{OWNER}/{REPO}"), json!({}))).await?;
    Ok((place, house, owner))
}
