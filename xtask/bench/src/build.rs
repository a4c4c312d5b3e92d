//! Measures how long the program takes to build from nothing, and to check after a change of one file.

use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant, SystemTime};

use nix::sys::resource::{UsageWho, getrusage};
use tempfile::TempDir;
use xtask::cargo;
use xtask::failure::{Attempt, Failure, Result};

/// What the README's command may take on two processors, in time and in processor time.
const RELEASE: Cost = Cost { elapsed: Duration::from_mins(8), processor: Duration::from_mins(15) };

/// What `cargo check` may take after a change of one file.
const CHECK: Duration = Duration::from_secs(10);

/// The size of the program that is shipped.
const DIST_BYTES: u64 = 25_000_000;

/// Files of crates that change often. Each check begins with a changed file.
const CHANGED: &[&str] = &["crates/pages/src/lib.rs", "crates/formats/src/lib.rs"];

/// The options of `cargo xtask bench build`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Also build what is shipped, which takes three times as long
    #[arg(long)]
    dist: bool,
}

#[derive(Clone, Copy)]
struct Cost {
    elapsed: Duration,
    processor: Duration,
}

/// Builds and checks in a new folder, and prints a table. Fails if something takes longer than it may.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let target = TempDir::new_in(cargo::workspace_root()).attempt("cannot create a folder")?;
    let mut excesses = Vec::new();
    println!("| what | time | processor time | size |\n|---|---|---|---|");
    let release = build(target.path())?;
    print_line("`cargo build --release`", release, Some(size(&target.path().join("release/packhouse"))?));
    if release.elapsed > RELEASE.elapsed || release.processor > RELEASE.processor {
        excesses.push("the release build takes longer than it may");
    }
    if options.dist {
        let (program, shipped) = measured(|| dist::compile::build(cargo::workspace_root(), target.path()))?;
        let bytes = size(&program)?;
        print_line("`cargo xtask dist`", shipped, Some(bytes));
        if bytes > DIST_BYTES {
            excesses.push("the program that is shipped is larger than it may be");
        }
    }
    check(target.path())?;
    for path in CHANGED {
        touch(path)?;
        let cost = check(target.path())?;
        print_line(&format!("`cargo check` after a change of `{path}`"), cost, None);
        if cost.elapsed > CHECK {
            excesses.push("a check takes longer than it may");
        }
    }
    excesses.iter().for_each(|excess| eprintln!("error: {excess}"));
    Ok(if excesses.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Makes a file newer, as an editor does.
#[expect(clippy::disallowed_methods, reason = "cargo compares files with the clock of the system")]
fn touch(path: &str) -> Result<()> {
    let file = File::options().append(true).open(cargo::workspace_root().join(path));
    file.and_then(|file| file.set_modified(SystemTime::now())).attempt("cannot touch a file")
}

fn build(target: &Path) -> Result<Cost> {
    measured(|| succeeds(cargo::command("build").args(["--release", "--package", "packhouse"]), target))
        .map(|((), cost)| cost)
}

fn check(target: &Path) -> Result<Cost> {
    measured(|| succeeds(cargo::command("check").args(["--package", "packhouse"]), target)).map(|((), cost)| cost)
}

fn succeeds(command: &mut Command, target: &Path) -> Result<()> {
    if command.env("CARGO_TARGET_DIR", target).status().attempt("cannot start cargo")?.success() {
        return Ok(());
    }
    Err(Failure::new("the build failed, see above"))
}

/// Returns what a build makes, and what it costs.
fn measured<T>(build: impl FnOnce() -> Result<T>) -> Result<(T, Cost)> {
    let (started, before) = (Instant::now(), processor_time()?);
    let built = build()?;
    Ok((built, Cost { elapsed: started.elapsed(), processor: processor_time()?.saturating_sub(before) }))
}

/// The processor time of all programs that have ended.
fn processor_time() -> Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).attempt("cannot read the processor time")?;
    let micros = [usage.user_time(), usage.system_time()].map(|time| time.tv_sec() * 1_000_000 + time.tv_usec());
    Ok(Duration::from_micros(micros.iter().sum::<i64>().unsigned_abs()))
}

fn size(program: &Path) -> Result<u64> {
    Ok(program.metadata().attempt("the program is missing")?.len())
}

fn print_line(what: &str, cost: Cost, bytes: Option<u64>) {
    let size = bytes.map_or(String::new(), |bytes| format!("{:.1} MB", bytes as f64 / 1e6));
    println!("| {what} | {:.1} s | {:.1} s | {size} |", cost.elapsed.as_secs_f64(), cost.processor.as_secs_f64());
}
