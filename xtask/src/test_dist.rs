//! `cargo xtask test-dist`: installs the packages of a release in clean roots, starts them, and lets a server host them.

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use crate::cargo;
use crate::failure::{Attempt, Failure, Result};
use crate::tools;

/// The Debian of the clean roots.
const SUITE: &str = "bookworm";

/// The options of `cargo xtask test-dist`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder with the packages [default: target/packages]
    #[arg(long)]
    packages: Option<PathBuf>,
    /// Run only tests whose names contain one of these strings
    filters: Vec<String>,
}

/// Finds the packages and the clean root, then builds and runs the tests.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    if !nix::unistd::geteuid().is_root() {
        return Err(Failure::new("this installs packages and changes roots; run it as root"));
    }
    let packages = match &options.packages {
        Some(folder) => folder.clone(),
        None => cargo::target_folder()?.join("packages"),
    };
    if !packages.join("SHA256SUMS").is_file() {
        return Err(Failure::new(format!("{} has no packages; run `cargo xtask dist` first", packages.display())));
    }
    tools::ensure_roots()?;
    let mut tests = cargo::command("test");
    tests
        .args(["--package", "dist", "--features", "dist/roots", "--test", "roots", "--"])
        .args(&options.filters)
        .env("PACKHOUSE_TEST_PACKAGES", packages.canonicalize().attempt("the folder of packages is missing")?)
        .env("PACKHOUSE_TEST_DEBIAN", debian()?);
    let status = tests.status().attempt("cannot start cargo")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Finds or downloads a small Debian. Returns the path of its archive.
fn debian() -> Result<PathBuf> {
    let archive = tools::path_of(&format!("debian-{SUITE}.tar"))?;
    if !archive.is_file() {
        eprintln!("downloading Debian {SUITE}");
        // The name at the end says what it is; a part of an archive has another one.
        let partial = archive.with_extension("partial.tar");
        let mut command = Command::new("mmdebstrap");
        command.args(["--quiet", "--variant=minbase", "--include=adduser", SUITE]).arg(&partial).stdin(Stdio::null());
        tools::run(&mut command)?;
        std::fs::rename(&partial, &archive).attempt("cannot store Debian")?;
    }
    Ok(archive)
}
