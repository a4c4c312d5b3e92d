//! Benchmarks indexes of Debian repositories: one more package, a hundred publishers at once, the removal of an old
//! package, and downloads of the index.

mod debs;
mod scene;
mod served;
mod steps;
mod tools;

use std::process::ExitCode;

use crate::content::Effort;
use crate::content::report::Report;
use crate::house::{Engine, build};
use crate::indexes::scene::Scene;
use crate::indexes::steps::Steps;
use crate::table::grouped;
use xtask::failure::{Failure, Result};
use xtask::signals::Signals;

/// The options of `cargo xtask bench indexes`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The numbers of packages
    #[arg(long, value_delimiter = ',', default_values_t = [1, 1_000, 10_000, 100_000])]
    sizes: Vec<u64>,
    /// How many packages to publish one by one at each size
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    publishes: u32,
    /// How often to measure each server that sends the index, in turns
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// How many seconds to request the index in each round
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    /// The largest repository that is also made with reprepro and aptly; 0 for none
    #[arg(long, default_value_t = 10_000)]
    others_up_to: u64,
    /// The database
    #[arg(long, value_enum, default_value_t = Engine::Sqlite)]
    engine: Engine,
}

/// Prints tables, and fails if a bound is missed.
pub(crate) async fn run(options: &Options) -> Result<ExitCode> {
    let nginx = xtask::tools::ensure_bench()?;
    let signals = Signals::listen()?;
    let program = build()?;
    let effort = Effort::new(options.rounds, options.seconds, &signals);
    let (mut report, mut steps) = (Report::default(), Vec::new());
    for size in &options.sizes {
        signals.check()?;
        eprintln!("{} packages", grouped(*size as f64));
        let scene = Scene::set(&program, options.engine, *size, &signals).await?;
        let mut step = Steps::measure(&scene, options.publishes).await?;
        if *size <= options.others_up_to {
            step.others = tools::measure(*size, &signals)?;
        }
        served::measure(&scene, step.packages(), &nginx, &effort, &mut report).await?;
        steps.push(step);
    }
    println!("\n{}\n{}", steps::markdown(&steps), report.markdown());
    let misses = [steps.iter().flat_map(Steps::misses).collect(), report.misses()].concat();
    if misses.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(Failure::new(misses.join("; "))) }
}
