//! `cargo xtask test-clients`: runs all tests with real package managers on both stacks.

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use crate::cargo;
use crate::clients;
use crate::dotnet;
use crate::failure::{Attempt, Failure, Result};
use crate::helm;
use crate::matrix::{self, Results};
use crate::memory;
use crate::runner;
use crate::servers::{self, Servers};
use crate::signals::Signals;
use crate::test::Stack;
use crate::tools;

/// The formats that have such tests, the clients that are generated from the API, the orders of versions, and the pages
/// of the documents. Formats with indexes of whole repositories have those of their clients.
const FORMATS: [&str; 22] = [
    "apt", "apt_file", "cargo", "composer", "conan", "conda", "dnf", "docker", "dput", "go", "helm", "npm", "nuget",
    "openapi", "oracles", "pacman", "pages", "pypi", "r", "rubygems", "vagrant", "zypper",
];

/// The number of servers behind nginx.
const NODES: &str = "3";

/// The options of `cargo xtask test-clients`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run on one stack instead of both
    #[arg(long, value_enum)]
    stack: Option<Stack>,
    /// Run three servers behind nginx on the stack of clusters, instead of one server on each stack
    #[arg(long, conflicts_with = "stack")]
    nodes: bool,
    /// Run only the tests of this format
    #[arg(value_parser = FORMATS)]
    format: Option<String>,
    /// Run only tests whose names contain this string
    filter: Option<String>,
}

/// Builds the tests, and runs them on each stack.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let postgres = tools::ensure()?;
    let clients = [clients::ensure()?, vec![dotnet::ensure()?, helm::ensure()?]].concat();
    let signals = Signals::listen()?;
    servers::build()?;
    let tests = build(&signals)?;
    let folder = memory::folder()?;
    let servers = Servers::start_in(&postgres, folder.path())?;
    let temporary = [("TMPDIR".to_owned(), folder.path().display().to_string())];
    let mut environment = [servers.environment(), &clients, &temporary].concat();
    let stacks = match &options.stack {
        Some(stack) => std::slice::from_ref(stack),
        None if options.nodes => &[Stack::Cluster],
        None => &Stack::BOTH[..],
    };
    if options.nodes {
        let nginx = tools::ensure_balancer()?;
        environment.push(("PACKHOUSE_TEST_NODES".into(), NODES.into()));
        environment.push(("PACKHOUSE_TEST_NGINX".into(), nginx.display().to_string()));
    }
    let results = tempfile::tempdir().attempt("cannot create the folder of results")?;
    let mut went_well = true;
    for stack in stacks {
        println!("stack {}", stack.name());
        for (package, tests) in &tests {
            let mut command = Command::new(tests);
            command
                .current_dir(cargo::workspace_root().join("crates").join(package))
                .args(filter(options))
                .stdin(Stdio::null())
                .envs(environment.iter().map(|(name, value)| (name, value)))
                .env("PACKHOUSE_TEST_CLIENT_RESULTS", results.path())
                .env("PACKHOUSE_TEST_STACK", stack.name());
            went_well &= signals.finish(&mut signals.spawn(&mut command)?)?;
        }
    }
    drop(servers);
    // A run of single tests says nothing about the others of its client.
    if options.filter.is_none() {
        matrix::update(&Results::read(results.path())?, &last_run(stacks)?)?;
    }
    if went_well { Ok(ExitCode::SUCCESS) } else { Err(Failure::new("tests failed, see above")) }
}

/// The day, and the stacks.
fn last_run(stacks: &[Stack]) -> Result<String> {
    let day = Command::new("date").args(["-u", "+%F"]).output().attempt("cannot start `date`")?;
    let names: Vec<&str> = stacks.iter().map(|stack| stack.name()).collect();
    Ok(format!("{} {}", String::from_utf8_lossy(&day.stdout).trim(), names.join(", ")))
}

/// The tests of a format are in modules that begin with its name.
fn filter(options: &Options) -> Vec<String> {
    match (&options.format, &options.filter) {
        (Some(format), Some(name)) => vec![format!("{format}::{name}")],
        (Some(format), None) => vec![format!("{format}::")],
        (None, _) => Vec::new(),
    }
}

/// Builds the tests; returns the executable of each package that has some.
fn build(signals: &Signals) -> Result<[(&'static str, PathBuf); 2]> {
    let mut build = cargo::command("test");
    build.args(["--package", "packhouse", "--package", "suite", "--features", "packhouse/clients"]).args([
        "--test",
        "clients",
        "--no-run",
        "--message-format",
        "json-render-diagnostics",
    ]);
    let messages = runner::succeed(signals, build.stdout(Stdio::piped()))?;
    let executable = |package: &'static str| {
        let found = runner::executable(&messages, &format!("{package}/tests/clients/main.rs"));
        found.map(|path| (package, path))
    };
    Ok([executable("packhouse")?, executable("suite")?])
}
