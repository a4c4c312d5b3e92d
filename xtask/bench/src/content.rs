//! Downloads and uploads, side by side with nginx.

mod big;
mod crowd;
pub(crate) mod files;
mod nginx;
mod report;
mod rounds;
mod scene;
mod small;
mod target;
mod transfer;
pub(crate) mod uploads;
pub(crate) mod wrk;

use std::process::ExitCode;

use crate::content::report::Report;
use crate::content::scene::Scene;
use crate::house::build;
use xtask::failure::{Failure, Result};
use xtask::signals::Signals;
use xtask::tools;

/// What to measure, and for how long.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// How often each server is measured, in turns
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// How long small requests are sent in each round
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    /// Measure these only
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Part>,
    /// The size of each of the hundred uploads at once; by default 1 GiB, or less where the disk is too small
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=5120))]
    upload_size: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Downloads of 4 KiB
    Small,
    /// Downloads of 64 MiB and of 1 GiB
    Big,
    /// Uploads of 4 KiB
    Put,
    /// Uploads of 1 GiB
    PutBig,
    /// A hundred large uploads at once
    Crowd,
}

impl Part {
    const ALL: [Self; 5] = [Self::Small, Self::Big, Self::Put, Self::PutBig, Self::Crowd];
}

/// How each measurement is made.
pub(crate) struct Effort<'a> {
    rounds: u32,
    seconds: u32,
    signals: &'a Signals,
}

impl Effort<'_> {
    /// Writes down what the kernel still has to: else one server waits for what the other left.
    fn settle(&self) {
        nix::unistd::sync();
    }
}

/// Prints tables, and fails when a bound is missed.
pub(crate) async fn run(options: &Options) -> Result<ExitCode> {
    let nginx = tools::ensure_bench()?;
    let signals = Signals::listen()?;
    let program = build()?;
    let effort = Effort { rounds: options.rounds, seconds: options.seconds, signals: &signals };
    let mut report = Report::default();
    let mut scene = Scene::set(&program, &nginx).await?;
    for part in Part::ALL.into_iter().filter(|part| options.only.is_empty() || options.only.contains(part)) {
        signals.check()?;
        match part {
            Part::Small => small::measure(&scene, &effort, &mut report)?,
            Part::Big => big::measure(&scene, &effort, &mut report)?,
            Part::Put => uploads::measure_small(&scene, &effort, &mut report)?,
            Part::PutBig => uploads::measure_large(&scene, &effort, &mut report)?,
            Part::Crowd => {
                // The first goes before the second comes: both need the disk.
                drop(scene);
                scene = Scene::set(&program, &nginx).await?;
                crowd::measure(&scene, options.upload_size, &mut report)?;
            }
        }
    }
    println!("\n{}", report.markdown());
    let misses = report.misses();
    if misses.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(Failure::new(misses.join("; "))) }
}
