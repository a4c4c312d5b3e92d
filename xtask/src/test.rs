//! `cargo xtask test`: runs the suite on both stacks.

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use crate::axe;
use crate::clients;
use crate::failure::{Failure, Result};
use crate::helm;
use crate::memory;
use crate::runner::{Runner, Selection};
use crate::servers::Servers;
use crate::signals::Signals;
use crate::slowest::Slowest;
use crate::summary::Count;
use crate::tools;

/// The options of `cargo xtask test`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run on one stack instead of both
    #[arg(long, value_enum)]
    stack: Option<Stack>,
    /// Run only matching tests; passed to nextest unchanged (names, or `-E 'expression'`)
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    filters: Vec<String>,
}

/// A database together with a blob store.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum Stack {
    /// SQLite and a folder
    Embedded,
    /// PostgreSQL and an S3 server
    Cluster,
}

impl Stack {
    /// Both stacks, the small one first.
    pub(crate) const BOTH: [Self; 2] = [Self::Embedded, Self::Cluster];

    /// Returns its name on the command line and in variables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Embedded => "embedded",
            Self::Cluster => "cluster",
        }
    }

    // Tests that do not depend on the stack run once, on the embedded one.
    fn selection(self) -> Selection {
        match self {
            Self::Embedded => Selection::Workspace,
            Self::Cluster => Selection::StackDependent,
        }
    }
}

/// Runs the suite, or the matching tests.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    run_with(options.stack, &options.filters, &[])
}

/// Starts the servers, runs the matching tests with additional variables, stops the servers, and prints the counts.
pub(crate) fn run_with(stack: Option<Stack>, filters: &[String], variables: &[(String, String)]) -> Result<ExitCode> {
    let signals = Signals::listen()?;
    // Downloads leave most of the processors to the build.
    let (tools, runner) = thread::scope(|scope| {
        let tools = scope.spawn(Tools::ensure);
        let runner = Runner::build(&signals);
        (tools.join().unwrap_or_else(|panic| resume_unwind(panic)), runner)
    });
    let (tools, runner) = (tools?, runner?);
    let folder = memory::folder()?;
    let servers = Servers::start_in(&tools.postgres, folder.path())?;
    let temporary = [("TMPDIR".to_owned(), folder.path().display().to_string())];
    let environment = [servers.environment(), &tools.variables, variables, &temporary].concat();
    let reports = run_stacks(&runner, stack, filters, &environment, &signals);
    drop(servers);

    let mut total = Count::default();
    for report in reports? {
        if filters.is_empty() {
            println!("slowest tests:\n{}", report.slowest.join("\n"));
        }
        println!("{}", report.line);
        total += report.count;
    }
    if total.ran() == 0 {
        return Err(Failure::new("no tests match"));
    }
    println!("suite: {total}");
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What the suite needs besides its own programs.
struct Tools {
    /// The folder of PostgreSQL's programs.
    postgres: PathBuf,
    /// The environment variables that tell tests where other programs are.
    variables: Vec<(String, String)>,
}

impl Tools {
    /// Finds or installs them.
    fn ensure() -> Result<Self> {
        let postgres = tools::ensure()?;
        let variables = [vec![axe::ensure()?, helm::ensure()?], clients::ensure()?].concat();
        Ok(Self { postgres, variables })
    }
}

struct Report {
    line: String,
    count: Count,
    slowest: Vec<String>,
}

fn run_stacks(
    runner: &Runner,
    stack: Option<Stack>,
    filters: &[String],
    environment: &[(String, String)],
    signals: &Signals,
) -> Result<Vec<Report>> {
    let stacks = match &stack {
        Some(stack) => std::slice::from_ref(stack),
        None => &Stack::BOTH[..],
    };
    let mut reports = Vec::new();
    for stack in stacks {
        let mut environment = environment.to_vec();
        environment.push(("PACKHOUSE_TEST_STACK".into(), stack.name().into()));
        let (started, mut slowest) = (Instant::now(), Slowest::default());
        let count = runner.run(stack.selection(), filters, &environment, signals, &mut slowest)?;
        if filters.is_empty() && count.ran() == 0 {
            return Err(Failure::new(format!("no test ran on the {} stack", stack.name())));
        }
        let seconds = started.elapsed().as_secs();
        let line = format!("stack {}: {count} in {seconds} s", stack.name());
        reports.push(Report { line, count, slowest: slowest.lines() });
    }
    Ok(reports)
}
