//! `cargo xtask test-cluster`: starts a whole cluster, runs the HTTP suite on it, and tests it while parts of it fail.

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use crate::cargo;
use crate::failure::Result;
use crate::garage;
use crate::runner;
use crate::signals::Signals;
use crate::tools;

/// The options of `cargo xtask test-cluster`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run only tests whose names contain one of these strings
    filters: Vec<String>,
}

/// The test that runs the HTTP suite.
const HTTP_SUITE: &str = "http_suite::";

/// Finds all programs, then runs the tests one after the other. The tests start and stop all servers themselves.
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
            // The output of the tests is part of the result; in parallel, they would starve each other.
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
    // First the tests without faults, then those with faults.
    let went_well = match options.filters.as_slice() {
        [] => run(&[HTTP_SUITE.into()])? & run(&["--skip".into(), HTTP_SUITE.into()])?,
        filters => run(filters)?,
    };
    Ok(if went_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Paths of the test binaries.
struct Built {
    cluster: PathBuf,
    http: PathBuf,
}

/// Builds both together: one alone would have other features of the shared dependencies, and be built again.
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
    let [cluster, http] = ["packhouse/tests/cluster/main.rs", "suite/tests/http/main.rs"];
    Ok(Built { cluster: runner::executable(&told, cluster)?, http: runner::executable(&told, http)? })
}
