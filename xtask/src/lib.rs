//! The chores of this repository: `cargo xtask test`, `attack`, `soak`, `test-cluster`, `ci`, `bench` and `servers`.

mod attack;
mod axe;
mod bench;
pub mod cargo;
mod ci;
pub mod failure;
#[cfg(target_os = "linux")]
mod garage;
mod guard;
mod helm;
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
mod test_cluster;
pub mod tools;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Chores of the repository
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
    /// Run the attacks that once worked, in a network of their own that reaches nothing but this machine
    ///
    /// It needs Linux and namespaces: run it as root, or where users may make them.
    Attack(attack::Options),
    /// Run the tests that kill servers over and over with all their rounds, on both stacks
    Soak(soak::Options),
    /// Start a whole cluster on this machine, run the HTTP suite on it, and see what it does while parts of it fail
    ///
    /// Three nodes behind nginx, PostgreSQL and three nodes of Garage. The first run builds Garage, which takes a
    /// while; a run takes half an hour. It is no part of `cargo xtask test`.
    #[cfg(target_os = "linux")]
    TestCluster(test_cluster::Options),
    /// Run the checks of CI other than the tests: format, lints, docs, dependencies
    Ci,
    /// Measure the released program on data of several sizes, and print tables
    #[command(disable_help_flag = true)]
    Bench(bench::Options),
    /// Take pictures of the pages for the README, with a real browser
    Pictures,
    /// Start the throw-away PostgreSQL and S3 servers and print the environment the tests read
    ///
    /// Runs until Ctrl-C, then stops the servers and deletes what they stored. Paste the printed
    /// lines into another shell to run single tests there with plain `cargo test`.
    Servers,
    /// Own the servers until standard input ends
    #[command(hide = true)]
    Guard {
        /// Where `initdb` and `postgres` are
        #[arg(long)]
        postgres: PathBuf,
    },
    /// Run PostgreSQL from a folder until standard input ends, and print its address and its process
    #[command(hide = true)]
    PostgresServer {
        /// Where `initdb` and `postgres` are
        #[arg(long)]
        programs: PathBuf,
        /// The folder of its data, which is made where it is missing
        #[arg(long)]
        folder: PathBuf,
        /// The port on the loopback address
        #[arg(long)]
        port: u16,
    },
}

/// Runs the chore that the command line names.
pub fn run() -> ExitCode {
    let outcome = match Arguments::parse().chore {
        Chore::Test(options) => test::run(&options),
        Chore::Attack(options) => attack::run(&options),
        Chore::Soak(options) => soak::run(&options),
        #[cfg(target_os = "linux")]
        Chore::TestCluster(options) => test_cluster::run(&options),
        Chore::Ci => ci::run(),
        Chore::Bench(options) => bench::run(&options),
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
