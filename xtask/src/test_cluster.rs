//! `cargo xtask test-cluster`: a whole cluster, the HTTP suite on it, and what it does while parts of it fail.

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use crate::cargo;
use crate::failure::Result;
use crate::garage;
use crate::runner;
use crate::signals::Signals;
use crate::tools;

/// What to run.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only run tests whose names have one of these texts
    filters: Vec<String>,
}

/// The test that runs the HTTP suite.
const HTTP_SUITE: &str = "http_suite::";

/// Finds all programs, then runs the tests one after the other. They start and stop every server by themselves.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let postgres = tools::ensure()?;
    let nginx = tools::ensure_balancer()?;
    let garage = garage::ensure()?;
    let xtask = cargo::built("xtask")?;
    let signals = Signals::listen()?;
    let built = build(&signals)?;
    let run = |filters: &[String]| -> Result<bool> {
        let mut tests = Command::new(&built.cluster);
        tests
            .current_dir(cargo::workspace_root().join("crates/packhouse"))
            // What they have seen is part of the outcome; side by side they would starve each other.
            .args(["--nocapture", "--test-threads", "1"])
            .args(filters)
            .stdin(Stdio::null())
            .env("PACKHOUSE_TEST_XTASK", &xtask)
            .env("PACKHOUSE_TEST_POSTGRES_PROGRAMS", &postgres)
            .env("PACKHOUSE_TEST_NGINX", &nginx)
            .env("PACKHOUSE_TEST_GARAGE", &garage)
            .env("PACKHOUSE_TEST_HTTP_SUITE", &built.http);
        signals.finish(&mut signals.spawn(&mut tests)?)
    };
    // First what has to hold while all is well, then the faults.
    let went_well = match options.filters.as_slice() {
        [] => run(&[HTTP_SUITE.into()])? & run(&["--skip".into(), HTTP_SUITE.into()])?,
        filters => run(filters)?,
    };
    Ok(if went_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Programs with tests.
struct Built {
    cluster: PathBuf,
    http: PathBuf,
}

/// Builds both together: one alone would have other features of what they share, and be built again.
fn build(signals: &Signals) -> Result<Built> {
    let mut build = cargo::command("test");
    build.args(["--package", "packhouse", "--package", "suite", "--features", "packhouse/cluster"]).args([
        "--test",
        "cluster",
        "--test",
        "http",
        "--no-run",
        "--message-format",
        "json-render-diagnostics",
    ]);
    let told = runner::succeed(signals, build.stdout(Stdio::piped()))?;
    Ok(Built { cluster: runner::executable(&told, "cluster")?, http: runner::executable(&told, "http")? })
}
