//! Details, lists and searches of few and of very many packages.

mod calls;
mod load;
mod packages;

use std::path::Path;
use std::process::ExitCode;

use serde_json::json;

use crate::bench::client::{Call, Caller, Client};
use crate::bench::house::{Engine, Place, build};
use crate::bench::measure::{Effort, Seen, measure};
use crate::bench::owner::{OWNER, create_owner};
use crate::bench::table::{Row, markdown};
use crate::failure::{Failure, Result};
use crate::signals::Signals;

/// What to load, and where.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// How many packages the repository has, one after the other
    #[arg(long, value_delimiter = ',', default_value = "1000,100000,1000000", value_parser = clap::value_parser!(u64).range(100..))]
    packages: Vec<u64>,
    /// Where they are kept
    #[arg(long, value_enum, default_value_t = Engines::Both)]
    engine: Engines,
    #[command(flatten)]
    effort: Effort,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Engines {
    /// SQLite, in a file
    Sqlite,
    /// A throw-away PostgreSQL server
    Postgres,
    /// One after the other
    Both,
}

impl Engines {
    fn each(self) -> &'static [Engine] {
        match self {
            Self::Sqlite => &[Engine::Sqlite],
            Self::Postgres => &[Engine::Postgres],
            Self::Both => &[Engine::Sqlite, Engine::Postgres],
        }
    }
}

const REPO: &str = "catalogue";

/// Prints a table for each engine, and fails when something grew more than it may.
pub(crate) async fn run(options: &Options) -> Result<ExitCode> {
    let signals = Signals::listen()?;
    let program = build()?;
    let mut excesses = Vec::new();
    for engine in options.engine.each() {
        let mut rows: Vec<Row> = Vec::new();
        for count in &options.packages {
            let seen = measure_size(&program, *engine, *count, options.effort, &signals).await?;
            match rows.is_empty() {
                true => rows = seen,
                false => rows.iter_mut().zip(seen).for_each(|(row, more)| row.seen.extend(more.seen)),
            }
        }
        println!("\n{}:\n\n{}", engine.name(), markdown("packages", &options.packages, &rows));
        excesses.extend(rows.iter().filter_map(|row| Some(format!("{}: {}", engine.name(), row.excess()?))));
    }
    if excesses.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(Failure::new(excesses.join("; "))) }
}

async fn measure_size(
    program: &Path,
    engine: Engine,
    count: u64,
    effort: Effort,
    signals: &Signals,
) -> Result<Vec<Row>> {
    let place = Place::new(engine)?;
    let house = place.serve(program)?;
    let owner = create_owner(&house.address).await?;
    Client::connect(&owner).await?.send(&Call::post(format!("/api/repos/{OWNER}/{REPO}"), json!({}))).await?;
    drop(house);
    eprintln!("loading {count} packages into {}", engine.name());
    load::load(&place.database_url(), count, signals).await?;
    let house = place.serve(program)?;
    let caller = Caller { address: house.address.clone(), ..owner };
    let mut rows = Vec::new();
    for kind in calls::KINDS {
        signals.check()?;
        let seen: Seen = measure(&caller, effort, move |number| (kind.call)(number, count)).await?;
        eprintln!("{}: {:.2} ms", kind.name, seen.p50.as_secs_f64() * 1_000.0);
        rows.push(Row { call: kind.name, bound: kind.bound, seen: vec![seen] });
    }
    Ok(rows)
}
