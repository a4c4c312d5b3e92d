//! Debian's own tools with the same packages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use serde_json::json;
use tempfile::TempDir;

use crate::indexes::debs::{deb, file_name};
use xtask::failure::{Attempt, Failure, Result};
use xtask::signals::Signals;

/// The number of packages in one command: its arguments have a limit.
const BATCH: usize = 2_000;

/// What another tool takes for one more package.
pub(crate) struct Other {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its processor time, in milliseconds.
    pub(crate) processor_ms: f64,
}

/// Makes a repository of this size with each tool that is installed, and adds one more package.
pub(crate) fn measure(size: u64, signals: &Signals) -> Result<Vec<Other>> {
    let folder = TempDir::with_prefix("packhouse-debs-").attempt("cannot create a temporary folder")?;
    let debs = folder.path().join("debs");
    fs::create_dir(&debs).attempt("cannot create a folder")?;
    for number in 0..size {
        fs::write(debs.join(file_name(number)), deb(number)?).attempt("cannot write a package")?;
    }
    let extra = folder.path().join(file_name(size));
    fs::write(&extra, deb(size)?).attempt("cannot write a package")?;
    let mut others = Vec::new();
    for (name, run) in [("reprepro", reprepro as Tool), ("aptly", aptly)] {
        signals.check()?;
        if Command::new(name).arg("version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
            eprintln!("{name} is not installed");
            continue;
        }
        let own = folder.path().join(name);
        fs::create_dir(&own).attempt("cannot create a folder")?;
        others.push(Other { name, processor_ms: run(&own, &debs, &extra)? });
    }
    Ok(others)
}

type Tool = fn(&Path, &Path, &Path) -> Result<f64>;

fn reprepro(own: &Path, debs: &Path, extra: &Path) -> Result<f64> {
    fs::create_dir(own.join("conf")).attempt("cannot create a folder")?;
    let configuration = "Codename: bench\nArchitectures: amd64\nComponents: main\n";
    fs::write(own.join("conf/distributions"), configuration).attempt("cannot configure reprepro")?;
    let add = |files: &[PathBuf]| {
        let mut command = Command::new("reprepro");
        run(command.arg("-b").arg(own).args(["--ignore=extension", "includedeb", "bench"]).args(files))
    };
    let entries = fs::read_dir(debs).attempt("cannot list the packages")?;
    let files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.chunks(BATCH).try_for_each(add)?;
    timed(|| add(&[extra.to_owned()]))
}

fn aptly(own: &Path, debs: &Path, extra: &Path) -> Result<f64> {
    let settings = json!({
        "rootDir": own.join("root"), "gpgDisableSign": true, "gpgDisableVerify": true, "skipContentsPublishing": true,
    });
    let file = own.join("aptly.conf");
    fs::write(&file, settings.to_string()).attempt("cannot configure aptly")?;
    let aptly = |arguments: &[&str], path: Option<&Path>| {
        let mut command = Command::new("aptly");
        run(command.arg(format!("-config={}", file.display())).args(arguments).args(path))
    };
    aptly(&["repo", "create", "b"], None)?;
    aptly(&["repo", "add", "b"], Some(debs))?;
    aptly(&["publish", "repo", "-skip-signing", "-distribution=bench", "-architectures=amd64", "b"], None)?;
    timed(|| {
        aptly(&["repo", "add", "b"], Some(extra))?;
        aptly(&["publish", "update", "-skip-signing", "bench"], None)
    })
}

fn run(command: &mut Command) -> Result<()> {
    let output = command.stdin(Stdio::null()).output().attempt("cannot start a tool")?;
    let failed = || Failure::new(format!("{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr)));
    output.status.success().then_some(()).ok_or_else(failed)
}

/// Returns the processor time of the commands that are run, in milliseconds.
fn timed(act: impl FnOnce() -> Result<()>) -> Result<f64> {
    let before = children_ms()?;
    act()?;
    Ok(children_ms()? - before)
}

fn children_ms() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).attempt("cannot read the processor time")?;
    Ok((usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64 / 1_000.0)
}
