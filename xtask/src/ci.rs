//! `cargo xtask ci`: everything that CI checks, except the tests.

use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use crate::cargo;
use crate::failure::{Attempt, Failure, Result};

/// Runs all checks, even after one has failed, and reports the failed ones at the end.
pub(crate) fn run() -> Result<ExitCode> {
    let mut failed = Vec::new();
    let mut check = |name: &'static str, command: &mut Command| -> Result<()> {
        if !step(name, command)? {
            failed.push(name);
        }
        Ok(())
    };

    check("format", cargo::command("fmt").args(["--all", "--check"]))?;
    check("lints", &mut lints())?;
    check("docs", &mut docs()?)?;
    if cargo::has("deny") {
        let kinds = ["check", "bans", "licenses", "sources"];
        check("dependencies", cargo::command("deny").args(kinds))?;
        if is_advisory_database_reachable() {
            check("advisories", cargo::command("deny").args(["check", "advisories"]))?;
        } else {
            println!("ci: advisories skipped: their database is not reachable");
        }
    } else {
        println!(
            "ci: dependencies skipped: cargo-deny was not found; \
             install it with `cargo install cargo-deny --locked`"
        );
    }

    if failed.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    Err(Failure::new(format!("failed: {}", failed.join(", "))))
}

/// What the lints are run with.
const LINT_ARGUMENTS: [&str; 2] = ["-D", "warnings"];

fn lints() -> Command {
    let mut command = cargo::command("clippy");
    command.args(["--workspace", "--all-targets", "--locked"]).args(cargo::ALL_TESTS).arg("--").args(LINT_ARGUMENTS);
    command
}

// With the compiler and the arguments of the lints: cargo then uses what they have checked, instead of checking the
// workspace again.
fn docs() -> Result<Command> {
    let mut command = cargo::command("doc");
    command
        .args(["--workspace", "--no-deps", "--locked"])
        .args(cargo::ALL_TESTS)
        .env("RUSTDOCFLAGS", "-Dwarnings")
        .env("RUSTC_WORKSPACE_WRAPPER", cargo::sysroot()?.join("bin/clippy-driver"))
        .env("CLIPPY_ARGS", LINT_ARGUMENTS.map(|argument| format!("{argument}__CLIPPY_HACKERY__")).concat());
    Ok(command)
}

fn step(name: &str, command: &mut Command) -> Result<bool> {
    println!("ci: {name}");
    let started = Instant::now();
    let status = command.status().attempt("cannot start cargo")?;
    let verdict = if status.success() { "ok" } else { "failed" };
    println!("ci: {name} {verdict} in {:.1} s", started.elapsed().as_secs_f32());
    Ok(status.success())
}

fn is_advisory_database_reachable() -> bool {
    cargo::command("deny")
        .args(["fetch", "db"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
