//! `cargo xtask bench`: how fast the released program answers, on real engines.

mod catalogue;
mod client;
#[cfg(target_os = "linux")]
mod cluster;
#[cfg(target_os = "linux")]
mod content;
#[cfg(target_os = "linux")]
mod events;
mod house;
mod measure;
mod owner;
mod pages;
#[cfg(target_os = "linux")]
mod processes;
mod table;

use std::process::ExitCode;

use clap::Parser;
use xtask::failure::{Attempt, Result};

/// Measure the released program on data of several sizes, and print tables
#[derive(Parser)]
#[command(name = "cargo xtask bench", bin_name = "cargo xtask bench")]
struct Arguments {
    #[command(subcommand)]
    bench: Bench,
}

/// What is measured.
#[derive(clap::Subcommand)]
enum Bench {
    /// Load packages, then ask for their details, lists and searches
    Catalogue(catalogue::Options),
    /// Ask one node, two and three that share their stores, and compare what each request costs
    #[cfg(target_os = "linux")]
    Cluster(cluster::Options),
    /// Download and upload files, side by side with nginx on the same machine
    #[cfg(target_os = "linux")]
    Content(content::Options),
    /// Ask for pages, as somebody who has signed in
    Pages(pages::Options),
    /// Count very many downloads, and ask for the numbers of a year
    #[cfg(target_os = "linux")]
    Events(events::Options),
}

fn main() -> ExitCode {
    match run(&Arguments::parse().bench) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Measures, and prints tables that fit into `docs/performance.md`.
fn run(bench: &Bench) -> Result<ExitCode> {
    let runtime = tokio::runtime::Runtime::new().attempt("cannot start the runtime")?;
    match bench {
        Bench::Catalogue(options) => runtime.block_on(catalogue::run(options)),
        Bench::Pages(options) => runtime.block_on(pages::run(options)),
        #[cfg(target_os = "linux")]
        Bench::Cluster(options) => runtime.block_on(cluster::run(options)),
        #[cfg(target_os = "linux")]
        Bench::Content(options) => runtime.block_on(content::run(options)),
        #[cfg(target_os = "linux")]
        Bench::Events(options) => runtime.block_on(events::run(options)),
    }
}
