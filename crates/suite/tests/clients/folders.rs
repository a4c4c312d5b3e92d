//! Runs programs with folders of their own.

use std::{fs, path::Path, process::Stdio, time::Duration};

use tempfile::TempDir;
use tokio::process::Command;

/// The time limit of a run on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Creates an empty folder with these folders in it.
pub(crate) fn folder(inner: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    for path in inner {
        fs::create_dir_all(folder.path().join(path)).expect("writable");
    }
    folder
}

/// Runs a program in a folder, which is also its home. Returns whether it succeeds, and its output, with the status if it
/// fails.
pub(crate) async fn run(program: &str, arguments: &[&str], folder: &Path) -> (bool, String) {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env("HOME", folder).env("LC_ALL", "C.UTF-8");
    command.stdin(Stdio::null()).kill_on_drop(true);
    let ran = tokio::time::timeout(PATIENCE, command.output()).await;
    let ran = ran.unwrap_or_else(|_| panic!("{program} {arguments:?} does not end"));
    let ran = ran.unwrap_or_else(|error| panic!("`cargo xtask test` installs {program}: {error}"));
    let text = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    if ran.status.success() { (true, text) } else { (false, format!("{text}\n{}", ran.status)) }
}

/// Runs a program that must succeed, and returns its output.
pub(crate) async fn succeeds(program: &str, arguments: &[&str], folder: &Path) -> String {
    let (is_ok, text) = run(program, arguments, folder).await;
    assert!(is_ok, "{program} {arguments:?}: {text}");
    text
}
