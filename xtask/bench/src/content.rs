//! Benchmarks downloads and uploads in comparison with nginx.

mod big;
mod crowd;
pub(crate) mod files;
pub(crate) mod nginx;
mod objects;
pub(crate) mod report;
pub(crate) mod rounds;
mod scene;
pub(crate) mod small;
pub(crate) mod target;
pub(crate) mod transfer;
pub(crate) mod uploads;
pub(crate) mod wrk;

use std::process::ExitCode;

use crate::content::report::Report;
use crate::content::scene::Scene;
use crate::house::{Engine, build};
use xtask::failure::{Failure, Result};
use xtask::signals::Signals;
use xtask::tools;

/// The options of `cargo xtask bench content`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// How often to measure each server, in turns
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// How many seconds to send small requests in each round
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    /// Measure only these
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Part>,
    /// The size of each of the hundred parallel uploads; by default 1 GiB, or less if the disk is too small
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=5120))]
    upload_size: Option<u64>,
    /// The database
    #[arg(long, value_enum, default_value_t = Engine::Sqlite)]
    engine: Engine,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Downloads of 4 KiB
    Small,
    /// Objects and lists of the API
    Objects,
    /// Downloads of 64 MiB and of 1 GiB
    Big,
    /// Uploads of 4 KiB
    Put,
    /// Uploads of 1 GiB
    PutBig,
    /// A hundred large uploads in parallel
    Crowd,
}

impl Part {
    const ALL: [Self; 6] = [Self::Small, Self::Objects, Self::Big, Self::Put, Self::PutBig, Self::Crowd];
}

/// The effort of each measurement.
pub(crate) struct Effort<'a> {
    pub(crate) rounds: u32,
    seconds: u32,
    pub(crate) signals: &'a Signals,
}

impl<'a> Effort<'a> {
    /// Creates the effort of other benchmarks that compare with nginx.
    pub(crate) fn new(rounds: u32, seconds: u32, signals: &'a Signals) -> Self {
        Self { rounds, seconds, signals }
    }
}

impl Effort<'_> {
    /// Flushes the kernel's dirty pages: otherwise one server waits for the writes of the other.
    fn settle(&self) {
        nix::unistd::sync();
    }
}

/// Prints tables, and fails if a bound is missed.
pub(crate) async fn run(options: &Options) -> Result<ExitCode> {
    let nginx = tools::ensure_bench()?;
    let signals = Signals::listen()?;
    let program = build()?;
    let effort = Effort { rounds: options.rounds, seconds: options.seconds, signals: &signals };
    let mut report = Report::default();
    let mut scene = Scene::set(&program, &nginx, options.engine).await?;
    for part in Part::ALL.into_iter().filter(|part| options.only.is_empty() || options.only.contains(part)) {
        signals.check()?;
        match part {
            Part::Small => small::measure(&scene, &effort, &mut report)?,
            Part::Objects => objects::measure(&scene, &effort, &mut report).await?,
            Part::Big => big::measure(&scene, &effort, &mut report)?,
            Part::Put => uploads::measure_small(&scene, &effort, &mut report)?,
            Part::PutBig => uploads::measure_large(&scene, &effort, &mut report)?,
            Part::Crowd => {
                // The old scene is deleted before the new one is created: both need disk space.
                drop(scene);
                scene = Scene::set(&program, &nginx, options.engine).await?;
                crowd::measure(&scene, options.upload_size, &mut report)?;
            }
        }
    }
    println!("\n{}", report.markdown());
    let misses = report.misses();
    if misses.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(Failure::new(misses.join("; "))) }
}
