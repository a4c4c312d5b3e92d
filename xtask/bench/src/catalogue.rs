//! Benchmarks details, lists and searches in small and very large catalogues.

mod calls;
pub(crate) mod load;
pub(crate) mod packages;

use std::path::Path;
use std::process::ExitCode;

use serde_json::json;

use crate::catalogue::calls::CallKind;
use crate::client::{Call, Caller, Client};
use crate::house::{Engine, Engines, House, HouseFolder, build};
use crate::measure::{Ask, Effort, ROUNDS, Rounds, Seen};
use crate::owner::{OWNER, create_owner};
use crate::table::{Row, markdown};
use xtask::failure::{Failure, Result};
use xtask::signals::Signals;

/// The options of `cargo xtask bench catalogue`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The number of packages in each repository to measure
    #[arg(long, value_delimiter = ',', default_value = "1000,100000,1000000", value_parser = clap::value_parser!(u64).range(100..))]
    packages: Vec<u64>,
    /// The database engine
    #[arg(long, value_enum, default_value_t = Engines::Both)]
    engine: Engines,
    #[command(flatten)]
    effort: Effort,
}

/// The repository with all packages.
pub(crate) const REPO: &str = "catalogue";

/// Prints a table for each engine, and fails if a cost grew more than allowed.
pub(crate) async fn run(options: &Options) -> Result<ExitCode> {
    let signals = Signals::listen()?;
    let program = build()?;
    let mut excesses = Vec::new();
    for engine in options.engine.each() {
        let rows = measure(&program, *engine, options, &signals).await?;
        println!("\n{}:\n\n{}", engine.name(), markdown("packages", &options.packages, &rows));
        excesses.extend(rows.iter().filter_map(|row| Some(format!("{}: {}", engine.name(), row.excess()?))));
    }
    if excesses.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(Failure::new(excesses.join("; "))) }
}

/// Measures catalogues of all sizes in turns, so that other load on the machine slows all of them.
async fn measure(program: &Path, engine: Engine, options: &Options, signals: &Signals) -> Result<Vec<Row>> {
    let mut catalogues = Vec::new();
    for count in &options.packages {
        catalogues.push(Catalogue::create(program, engine, *count, signals).await?);
    }
    let mut rows = Vec::new();
    for kind in calls::KINDS {
        let mut rounds: Vec<Rounds> = catalogues.iter().map(|_| Rounds::default()).collect();
        for catalogue in &catalogues {
            Rounds::warm_up(&catalogue.caller, options.effort, catalogue.asked(kind)).await?;
        }
        for round in 0..ROUNDS {
            for (catalogue, rounds) in catalogues.iter().zip(&mut rounds) {
                signals.check()?;
                rounds.go(&catalogue.caller, options.effort, round, catalogue.asked(kind)).await?;
            }
        }
        let seen = rounds.into_iter().map(Rounds::finish).collect::<Result<Vec<Seen>>>()?;
        let row = Row { call: kind.name, bound: kind.bound, seen };
        eprintln!("{}", row.line());
        rows.push(row);
    }
    Ok(rows)
}

/// A running server with `count` packages.
pub(crate) struct Catalogue {
    /// The owner of the packages.
    pub(crate) caller: Caller,
    count: u64,
    // Stopped before its place is deleted.
    _house: House,
    _place: HouseFolder,
}

impl Catalogue {
    /// Loads `count` packages, and starts the server.
    pub(crate) async fn create(program: &Path, engine: Engine, count: u64, signals: &Signals) -> Result<Self> {
        let place = HouseFolder::new(engine)?;
        let house = place.serve(program)?;
        let owner = create_owner(&house.address).await?;
        Client::connect(&owner).await?.send(&Call::post(format!("/api/repos/{OWNER}/{REPO}"), json!({}))).await?;
        drop(house);
        eprintln!("loading {count} packages into {}", engine.name());
        load::load(&place.database_url(), REPO, 0..count, signals).await?;
        let house = place.serve(program)?;
        Ok(Self { caller: Caller { address: house.address.clone(), ..owner }, count, _house: house, _place: place })
    }

    /// Returns the calls of a kind for the size of this catalogue.
    fn asked(&self, kind: &'static CallKind) -> impl Ask {
        let count = self.count;
        move |number| (kind.call)(number, count)
    }
}
