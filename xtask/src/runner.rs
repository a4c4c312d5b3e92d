//! The two test runners: nextest if it is installed, otherwise `cargo test`.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::cargo;
use crate::failure::{Attempt, Failure, Result};
use crate::signals::Signals;
use crate::slowest::Slowest;
use crate::summary::Count;

/// The tests, by package or by package and binary, whose result depends on the database or the blob store. The others
/// run once: rules without stores, and the layers in front of the calls that `suite::http` makes on every stack
/// (sockets, browsers, package managers, the command-line client, the commands of the documentation).
const STACK_DEPENDENT: [&str; 6] =
    ["database", "blobs", "operations", "suite::http", "suite::attacks", "packhouse::process"];

/// The test binaries that tasks of their own run, with what they need: `cargo xtask test-cluster` and `test-dist`.
const OTHER_TASKS: [&str; 2] = ["packhouse::cluster", "dist::roots"];

/// The profile of nextest that leaves out HTTP tests whose calls to the stores other tests make.
const STACK_PROFILE: &str = "cluster";

/// The number of tests to run at once per processor. Tests wait for timers and other processes a part of the time.
const TESTS_PER_PROCESSOR: usize = 2;

/// The packages that a run covers.
#[derive(Clone, Copy)]
pub(crate) enum Selection {
    /// All packages, and the examples in the documentation.
    Workspace,
    /// The packages of `STACK_DEPENDENT`.
    StackDependent,
}

/// A runner whose tests are built.
pub(crate) enum Runner {
    /// Runs the binaries that the files in this folder describe.
    Nextest(TempDir),
    /// Leaves the choice of binaries to cargo.
    CargoTest,
}

const METADATA: &str = "metadata.json";
const ALL_BINARIES: &str = "workspace.json";
const STACK_BINARIES: &str = "stack-dependent.json";

impl Runner {
    /// Builds all tests of the workspace, once for all runs.
    pub(crate) fn build(signals: &Signals) -> Result<Self> {
        if !cargo::has("nextest") {
            eprintln!("building the tests (`cargo nextest` is not installed, `cargo test` is slower)");
            let mut build = cargo::command("test");
            build.args(["--workspace", "--tests", "--no-run"]);
            succeed(signals, &mut build)?;
            return Ok(Self::CargoTest);
        }

        eprintln!("building the tests");
        let mut metadata = cargo::command("metadata");
        metadata.args(["--format-version", "1", "--all-features"]).args(["--filter-platform", "host-tuple"]);
        let metadata = succeed(signals, metadata.stdout(Stdio::piped()))?;
        let mut list = cargo::command("nextest");
        list.args(["list", "--workspace", "--list-type", "binaries-only"]).args(["--message-format", "json"]);
        let built = succeed(signals, list.args(cargo::ALL_TESTS).stdout(Stdio::piped()))?;
        let all = select(&built, |binary| !OTHER_TASKS.contains(&binary))?;
        let stack_dependent = select(&built, |binary| STACK_DEPENDENT.contains(&binary))?;

        let folder = TempDir::new_in(target_folder(&metadata)?).attempt("cannot create a temporary folder")?;
        let save = |name: &str, content: &[u8]| {
            std::fs::write(folder.path().join(name), content).attempt("cannot save the list of tests")
        };
        save(METADATA, &metadata)?;
        save(ALL_BINARIES, &all)?;
        save(STACK_BINARIES, &stack_dependent)?;
        Ok(Self::Nextest(folder))
    }

    /// Runs the tests that match `filters`, and counts them.
    pub(crate) fn run(
        &self,
        selection: Selection,
        filters: &[String],
        environment: &[(String, String)],
        signals: &Signals,
        slowest: &mut Slowest,
    ) -> Result<Count> {
        let variables = || environment.iter().map(|(name, value)| (name, value));
        let mut count = match self {
            Self::Nextest(folder) => {
                let mut command = nextest(folder.path(), selection);
                // Someone who names tests wants those.
                if matches!(selection, Selection::StackDependent) && filters.is_empty() {
                    command.args(["--profile", STACK_PROFILE]);
                }
                command.args(filters).envs(variables());
                let read = |line: &str| {
                    slowest.read(line);
                    Count::from_nextest(line)
                };
                watch(signals, &mut command, Stream::Stderr, read)?
            }
            // Always the whole workspace: a selection has other features and would be built again.
            Self::CargoTest => {
                let mut command = cargo::command("test");
                command.args(["--workspace", "--tests", "--no-fail-fast", "--"]).args(filters).envs(variables());
                watch(signals, &mut command, Stream::Stdout, Count::from_cargo_test)?
            }
        };
        if matches!(selection, Selection::Workspace) && filters.is_empty() {
            let mut examples = cargo::command("test");
            examples.args(["--workspace", "--doc", "--no-fail-fast"]).args(cargo::ALL_TESTS).envs(variables());
            count += watch(signals, &mut examples, Stream::Stdout, Count::from_cargo_test)?;
        }
        Ok(count)
    }
}

fn nextest(folder: &Path, selection: Selection) -> Command {
    let binaries = match selection {
        Selection::Workspace => ALL_BINARIES,
        Selection::StackDependent => STACK_BINARIES,
    };
    let file = |name: &str| -> PathBuf { folder.join(name) };
    let mut command = cargo::command("nextest");
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    command
        // Otherwise, every test with snapshots would run cargo to find it.
        .env("INSTA_WORKSPACE_ROOT", cargo::workspace_root())
        .env("NEXTEST_TEST_THREADS", (processors * TESTS_PER_PROCESSOR).to_string())
        .args(["run", "--no-tests=pass", "--cargo-metadata"])
        .arg(file(METADATA))
        .arg("--binaries-metadata")
        .arg(file(binaries));
    command
}

fn target_folder(metadata: &[u8]) -> Result<PathBuf> {
    let metadata: Value = serde_json::from_slice(metadata).attempt("cannot read cargo's metadata")?;
    let folder = metadata.get("target_directory").and_then(Value::as_str);
    folder.map(PathBuf::from).ok_or_else(|| Failure::new("cargo's metadata has no `target_directory`"))
}

// Selects among the built binaries. `--package` would build again, because other packages unify to other features of
// their shared dependencies.
fn select(binaries: &[u8], is_wanted: impl Fn(&str) -> bool) -> Result<Vec<u8>> {
    let mut list: Value = serde_json::from_slice(binaries).attempt("cannot read nextest's list of binaries")?;
    let entries = list
        .get_mut("rust-binaries")
        .and_then(Value::as_object_mut)
        .ok_or_else(|| Failure::new("nextest's list of binaries has no `rust-binaries`"))?;
    // An identifier is the name of the package, plus that of the binary unless it is the library: `suite::http`.
    entries.retain(|identifier, _| is_wanted(identifier));
    serde_json::to_vec(&list).attempt("cannot write nextest's list of binaries")
}

/// Returns the path of the test binary with this source below `crates` from cargo's messages.
#[cfg(target_os = "linux")]
pub(crate) fn executable(messages: &[u8], source: &str) -> Result<PathBuf> {
    let messages = messages.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let path = cargo::workspace_root().join("crates").join(source);
    let is_it = |message: &Value| {
        let built = message["target"]["src_path"].as_str().map(Path::new);
        built == Some(&path) && message["executable"].is_string()
    };
    let mut found = messages.filter(is_it).filter_map(|message| message["executable"].as_str().map(PathBuf::from));
    found.next().ok_or_else(|| Failure::new(format!("cargo built no test binary of `{source}`")))
}

/// Runs a command that must succeed, and returns its standard output if it is a pipe.
pub(crate) fn succeed(signals: &Signals, command: &mut Command) -> Result<Vec<u8>> {
    let mut child = signals.spawn(command)?;
    let mut output = Vec::new();
    if let Some(mut stdout) = child.stdout.take() {
        stdout.read_to_end(&mut output).attempt("cannot read from cargo")?;
    }
    if signals.finish(&mut child)? {
        return Ok(output);
    }
    Err(Failure::new("the build failed, see above"))
}

#[derive(Clone, Copy)]
enum Stream {
    Stdout,
    Stderr,
}

// Forwards the output of a runner and adds up its summary lines.
fn watch(
    signals: &Signals,
    command: &mut Command,
    stream: Stream,
    read: impl FnMut(&str) -> Option<Count>,
) -> Result<Count> {
    let (source, target): (Box<dyn Read>, Box<dyn Write>);
    let mut child;
    match stream {
        Stream::Stdout => {
            child = signals.spawn(command.stdout(Stdio::piped()))?;
            source = Box::new(child.stdout.take().expect("standard output is a pipe"));
            target = Box::new(io::stdout());
        }
        Stream::Stderr => {
            child = signals.spawn(command.stderr(Stdio::piped()))?;
            source = Box::new(child.stderr.take().expect("standard error is a pipe"));
            target = Box::new(io::stderr());
        }
    }
    let mut count = copy_and_count(source, target, read).attempt("cannot forward the output")?;
    let went_well = signals.finish(&mut child)?;
    if !went_well && count.failed == 0 {
        // A run that did not finish does not prove that its tests pass.
        eprintln!("the test runner did not finish: counted as one failure");
        count.failed = 1;
    }
    Ok(count)
}

fn copy_and_count(
    source: impl Read,
    mut target: impl Write,
    mut read: impl FnMut(&str) -> Option<Count>,
) -> io::Result<Count> {
    let mut source = BufReader::new(source);
    let mut count = Count::default();
    let mut line = Vec::new();
    while source.read_until(b'\n', &mut line)? > 0 {
        target.write_all(&line)?;
        target.flush()?;
        if let Some(closing) = read(&String::from_utf8_lossy(&line)) {
            count += closing;
        }
        line.clear();
    }
    Ok(count)
}
