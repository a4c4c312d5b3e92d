//! Downloads as they are written down, and their numbers of a whole year.

mod downloads;
mod year;

use std::path::Path;
use std::process::ExitCode;

use serde_json::json;

use crate::client::{Call, Caller, Client};
use crate::house::{Engine, Engines, House, Place, build};
use crate::measure::Effort;
use crate::owner::{OWNER, create_owner};
use xtask::failure::{Failure, Result};
use xtask::signals::Signals;

/// How much, for how long, and where.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Downloads in each second
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    rate: u64,
    /// How long they go on
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(2..))]
    seconds: u64,
    /// Versions that have numbers for each day of a year
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1_000..))]
    versions: u64,
    /// Measure this only
    #[arg(long, value_enum)]
    only: Option<Part>,
    /// Where they are kept
    #[arg(long, value_enum, default_value_t = Engines::Both)]
    engine: Engines,
    #[command(flatten)]
    effort: Effort,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Very many downloads, none of which may be lost
    Downloads,
    /// The numbers of a year
    Year,
}

const REPO: &str = "events";

/// Prints what was seen, and fails when a download is lost, memory grows, or numbers take long.
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

/// A house with an empty repository.
async fn open(program: &Path, engine: Engine) -> Result<(Place, House, Caller)> {
    let place = Place::new(engine)?;
    let house = place.serve(program)?;
    let owner = create_owner(&house.address).await?;
    Client::connect(&owner).await?.send(&Call::post(format!("/api/repos/{OWNER}/{REPO}"), json!({}))).await?;
    Ok((place, house, owner))
}
