//! Benchmarks pages as browsers request them: for the owner of a repository, for a customer with an access key, and for
//! the administrator of the site.

mod addresses;
mod scene;

use std::process::ExitCode;
use std::time::Duration;

use crate::catalogue::Catalogue;
use crate::client::Call;
use crate::house::{Engines, build};
use crate::measure::{Effort, ROUNDS, Rounds};
use crate::table::{Row, markdown};
use xtask::failure::{Failure, Result};
use xtask::signals::Signals;

/// The options of `cargo xtask bench pages`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The database engine
    #[arg(long, value_enum, default_value_t = Engines::Both)]
    engine: Engines,
    #[command(flatten)]
    effort: Effort,
}

/// The number of packages in the repository.
const PACKAGES: u64 = 100_000;

/// The longest allowed median duration of a page.
const BOUND: Duration = Duration::from_millis(5);

/// Prints a table for each engine, and fails if a page takes too long.
pub(crate) async fn run(options: &Options) -> Result<ExitCode> {
    let signals = Signals::listen()?;
    let program = build()?;
    let mut slow = Vec::new();
    for engine in options.engine.each() {
        let catalogue = Catalogue::create(&program, *engine, PACKAGES, &signals).await?;
        let callers = scene::set(&catalogue.caller).await?;
        let mut rows = Vec::new();
        for (pages, caller) in [
            (addresses::OWNER_PAGES, &callers.owner),
            (addresses::CUSTOMER_PAGES, &callers.customer),
            (addresses::ADMIN_PAGES, &callers.admin),
        ] {
            for (call, address) in pages {
                let asked = move |number| Call::get(address(number));
                let mut rounds = Rounds::default();
                Rounds::warm_up(caller, options.effort, asked).await?;
                for round in 0..ROUNDS {
                    signals.check()?;
                    rounds.go(caller, options.effort, round, asked).await?;
                }
                rows.push(Row { call, bound: None, seen: vec![rounds.finish()?] });
            }
        }
        println!("\n{}:\n\n{}", engine.name(), markdown("packages", &[PACKAGES], &rows));
        let late = rows.iter().filter(|row| row.seen.iter().any(|seen| seen.p50 > BOUND));
        slow.extend(late.map(|row| format!("{}: {} takes too long", engine.name(), row.call)));
    }
    if slow.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(Failure::new(slow.join("; "))) }
}
