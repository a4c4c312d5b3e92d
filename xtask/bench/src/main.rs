//! `cargo xtask bench`: measures how fast the release build responds, on real database engines.

mod build;
mod catalogue;
mod client;
#[cfg(target_os = "linux")]
mod cluster;
#[cfg(target_os = "linux")]
mod content;
#[cfg(target_os = "linux")]
mod events;
#[cfg(target_os = "linux")]
mod formats;
mod house;
#[cfg(target_os = "linux")]
mod indexes;
mod measure;
#[cfg(target_os = "linux")]
mod oci;
mod owner;
mod pages;
#[cfg(target_os = "linux")]
mod processes;
mod start;
mod table;

use std::process::ExitCode;

use clap::Parser;
use xtask::failure::{Attempt, Result};

/// Benchmark the release build on data of several sizes, and print tables
#[derive(Parser)]
#[command(name = "cargo xtask bench", bin_name = "cargo xtask bench")]
struct Arguments {
    #[command(subcommand)]
    bench: Bench,
}

/// A benchmark.
#[derive(clap::Subcommand)]
enum Bench {
    /// Build the program from nothing, and check it after a change
    Build(build::Options),
    /// Load packages, then request their details, lists and searches
    Catalogue(catalogue::Options),
    /// Send requests to one, two and three nodes that share their stores, and compare the cost of each request
    #[cfg(target_os = "linux")]
    Cluster(cluster::Options),
    /// Download and upload files, in comparison with nginx on the same machine
    #[cfg(target_os = "linux")]
    Content(content::Options),
    /// Publish a thousand versions as npm, twine and Cargo do, and compare their indexes with nginx, verdaccio and pypiserver
    #[cfg(target_os = "linux")]
    Formats(formats::Options),
    /// Push and pull container images, in comparison with Docker's registry on the same machine
    #[cfg(target_os = "linux")]
    Oci(oci::Options),
    /// Publish one more Debian package to repositories of several sizes, in comparison with reprepro and aptly
    #[cfg(target_os = "linux")]
    Indexes(indexes::Options),
    /// Request pages as a signed-in user
    Pages(pages::Options),
    /// Start the program with an empty database and with a full one, until it answers
    Start(start::Options),
    /// Count very many downloads, and request the statistics of a year
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

/// Runs a benchmark, and prints tables for `docs/performance.md`.
fn run(bench: &Bench) -> Result<ExitCode> {
    let runtime = tokio::runtime::Runtime::new().attempt("cannot start the runtime")?;
    match bench {
        Bench::Build(options) => build::run(options),
        Bench::Catalogue(options) => runtime.block_on(catalogue::run(options)),
        Bench::Pages(options) => runtime.block_on(pages::run(options)),
        Bench::Start(options) => runtime.block_on(start::run(options)),
        #[cfg(target_os = "linux")]
        Bench::Cluster(options) => runtime.block_on(cluster::run(options)),
        #[cfg(target_os = "linux")]
        Bench::Content(options) => runtime.block_on(content::run(options)),
        #[cfg(target_os = "linux")]
        Bench::Formats(options) => runtime.block_on(formats::run(options)),
        #[cfg(target_os = "linux")]
        Bench::Oci(options) => runtime.block_on(oci::run(options)),
        #[cfg(target_os = "linux")]
        Bench::Indexes(options) => runtime.block_on(indexes::run(options)),
        #[cfg(target_os = "linux")]
        Bench::Events(options) => runtime.block_on(events::run(options)),
    }
}
