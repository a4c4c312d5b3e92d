//! Benchmarks download statistics for each day of a year, requested for thirty days at a time.

use std::path::Path;
use std::time::Duration;

use database::testing::bulk::{self, BulkPackage};
use database::{Database, Options as Opening, ScopedFutureExt};
use model::{
    day::{Day, Days},
    id::RepoId,
};

use crate::catalogue::packages::{loaded, name, version};
use crate::client::{Call, Caller};
use crate::events::{Options, REPO, open};
use crate::house::{Engine, find_repo};
use crate::measure::Rounds;
use crate::owner::OWNER;
use crate::table::{Row, markdown};
use xtask::failure::{Attempt, Result};
use xtask::signals::Signals;

const VERSIONS_OF_A_PACKAGE: u64 = 100;

/// The days of 2025.
const YEAR: Days = Days { first: Day::from_number(20_089), last: Day::from_number(20_453) };

/// The longest allowed median duration of a response.
const BOUND: Duration = Duration::from_millis(10);

/// The number of packages whose statistics are written in one transaction: some 365,000 rows.
const TRANSACTION: u64 = 10;

/// The time-out of statements: the final step of the bulk load may take long.
const TIMEOUT: Duration = Duration::from_secs(3600);

/// Prints a table, and returns the missed bounds.
pub(super) async fn measure(
    program: &Path,
    engine: Engine,
    options: &Options,
    signals: &Signals,
) -> Result<Vec<String>> {
    let (place, house, owner) = open(program, engine).await?;
    drop(house);
    let packages = options.versions / VERSIONS_OF_A_PACKAGE;
    eprintln!("loading statistics of {} versions into {}", packages * VERSIONS_OF_A_PACKAGE, engine.name());
    load(&place.database_url(), packages, signals).await?;
    let house = place.serve(program)?;
    let owner = Caller { address: house.address.clone(), ..owner };
    let mut rows = Vec::new();
    for (call, address) in KINDS {
        let asked = move |number: u64| Call::get(format!("{}?{DAYS}", address(number % packages, number)));
        let mut rounds = Rounds::default();
        Rounds::warm_up(&owner, options.effort, asked).await?;
        rounds.go(&owner, options.effort, 0, asked).await?;
        rows.push(Row { call, bound: None, seen: vec![rounds.finish()?] });
    }
    println!("\n{}", markdown("versions", &[packages * VERSIONS_OF_A_PACKAGE], &rows));
    let slow = rows.iter().filter(|row| row.seen.iter().any(|seen| seen.p50 > BOUND));
    Ok(slow.map(|row| format!("{}: {} takes too long", engine.name(), row.call)).collect())
}

const DAYS: &str = "from=2025-06-01&to=2025-06-30";

/// Creates a URL from the number of a package and any other number.
type Address = fn(u64, u64) -> String;

const KINDS: [(&str, Address); 4] = [
    ("30 days of a version, by day", |package, number| {
        let version = number / 7 % VERSIONS_OF_A_PACKAGE + 1;
        format!("{}/versions/{version}.0/stats/time_range_downloads", package_path(package))
    }),
    ("30 days of a package with 100 versions, by day", |package, _| {
        format!("{}/stats/time_range_downloads", package_path(package))
    }),
    ("the same, in total", |package, _| format!("{}/stats/total_downloads", package_path(package))),
    ("the same, by country", |package, _| format!("{}/stats/country_downloads", package_path(package))),
];

fn package_path(number: u64) -> String {
    format!("/api/packages/{OWNER}/{REPO}/{}", name(number))
}

async fn load(url: &str, packages: u64, signals: &Signals) -> Result<()> {
    let opening = Opening { connections: 2, timeout: TIMEOUT, ..Opening::default() };
    let db = Database::open(url, &opening).await.attempt("cannot open the database")?;
    let repo_id = find_repo(&db, REPO).await?;
    let dropped = bulk::prepare(&db).await.attempt("cannot prepare the database")?;
    for first in (0..packages).step_by(usize::try_from(TRANSACTION).unwrap_or(usize::MAX)) {
        signals.check()?;
        let written: database::Result<()> = db
            .write(|tx| {
                async move {
                    for number in first..packages.min(first + TRANSACTION) {
                        let package = package(number, repo_id);
                        bulk::insert(tx, std::slice::from_ref(&package)).await?;
                        bulk::insert_downloads(tx, package.package.id, YEAR).await?;
                    }
                    Ok(())
                }
                .scope_boxed()
            })
            .await;
        written.attempt("cannot load statistics")?;
    }
    bulk::finish(&db, repo_id, dropped).await.attempt("cannot finish the bulk load")
}

fn package(number: u64, repo_id: RepoId) -> BulkPackage {
    let package = loaded(number, repo_id);
    let ordinals = 1..=VERSIONS_OF_A_PACKAGE.cast_signed();
    let versions = ordinals.map(|ordinal| version(package.package.id, ordinal, VERSIONS_OF_A_PACKAGE.cast_signed()));
    BulkPackage { versions: versions.collect(), attributes: Vec::new(), ..package }
}
