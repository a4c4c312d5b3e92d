//! The development tasks of this repository: `cargo xtask test`, `attack`, `soak`, `test-clients`, `test-cluster`,
//! `test-dist`, `ci`, `bench`, `dist`, `pictures` and `servers`.

mod attack;
mod axe;
mod bench;
pub mod cargo;
mod ci;
pub mod clients;
#[cfg(target_os = "linux")]
mod dist;
mod dotnet;
pub mod failure;
#[cfg(target_os = "linux")]
mod garage;
mod guard;
mod helm;
pub mod matrix;
mod memory;
mod pictures;
mod postgres;
mod runner;
mod s3;
pub mod servers;
pub mod signals;
mod slowest;
mod soak;
mod summary;
mod test;
#[cfg(target_os = "linux")]
mod test_clients;
#[cfg(target_os = "linux")]
mod test_cluster;
#[cfg(target_os = "linux")]
mod test_dist;
pub mod tools;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Development tasks of this repository
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Run the whole suite on both stacks, with throw-away servers
    Test(test::Options),
    /// Run the attacks that once worked, in a separate network that reaches only this machine
    ///
    /// Needs Linux and namespaces: run it as root, or on a system where users may create namespaces.
    Attack(attack::Options),
    /// Run the tests that repeatedly kill servers, with the full number of rounds, on both stacks
    Soak(soak::Options),
    /// Publish and install with real package managers on both stacks: all clients, and everything that must fail
    ///
    /// The first run installs pip, twine, uv, poetry, npm, pnpm and yarn into the folder of cargo's build output.
    #[cfg(target_os = "linux")]
    TestClients(test_clients::Options),
    /// Start a whole cluster on this machine, run the HTTP suite on it, and test it while parts of it fail
    ///
    /// The cluster has three nodes behind nginx, PostgreSQL and three nodes of Garage. The first run builds Garage,
    /// which takes a while. A run takes half an hour and is not part of `cargo xtask test`.
    #[cfg(target_os = "linux")]
    TestCluster(test_cluster::Options),
    /// Install the packages of a release in clean roots, start them, and let a server host them
    ///
    /// Needs root. Uses the packages that `cargo xtask dist` has made.
    #[cfg(target_os = "linux")]
    TestDist(test_dist::Options),
    /// Run all checks of CI except the tests: format, lints, docs, dependencies
    Ci,
    /// Benchmark the release build on data of several sizes, and print tables
    #[command(disable_help_flag = true)]
    Bench(bench::Options),
    /// Build the static program, and make its tarball, packages and image
    #[cfg(target_os = "linux")]
    #[command(disable_help_flag = true)]
    Dist(dist::Options),
    /// Take screenshots of the pages for the README, with a real browser
    Pictures,
    /// Start the throw-away PostgreSQL and S3 servers and print the environment variables for the tests
    ///
    /// Runs until Ctrl-C, then stops the servers and deletes their data. Paste the printed lines into another shell to
    /// run single tests there with plain `cargo test`.
    Servers,
    /// Run the throw-away servers until standard input ends
    #[command(hide = true)]
    Guard {
        /// The folder with `initdb` and `postgres`
        #[arg(long)]
        postgres: PathBuf,
    },
    /// Run PostgreSQL from a folder until standard input ends, and print its URL and process id
    #[command(hide = true)]
    PostgresServer {
        /// The folder with `initdb` and `postgres`
        #[arg(long)]
        programs: PathBuf,
        /// The folder for its data, which is created if it is missing
        #[arg(long)]
        folder: PathBuf,
        /// The port on the loopback address
        #[arg(long)]
        port: u16,
    },
}

/// Runs the task that the command line names.
pub fn run() -> ExitCode {
    let outcome = match Arguments::parse().chore {
        Chore::Test(options) => test::run(&options),
        Chore::Attack(options) => attack::run(&options),
        Chore::Soak(options) => soak::run(&options),
        #[cfg(target_os = "linux")]
        Chore::TestClients(options) => test_clients::run(&options),
        #[cfg(target_os = "linux")]
        Chore::TestCluster(options) => test_cluster::run(&options),
        #[cfg(target_os = "linux")]
        Chore::TestDist(options) => test_dist::run(&options),
        Chore::Ci => ci::run(),
        Chore::Bench(options) => bench::run(&options),
        #[cfg(target_os = "linux")]
        Chore::Dist(options) => dist::run(&options),
        Chore::Pictures => pictures::run(),
        Chore::Servers => servers::run(),
        Chore::Guard { postgres } => guard::run(&postgres),
        Chore::PostgresServer { programs, folder, port } => postgres::serve(&programs, &folder, port),
    };
    match outcome {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}
