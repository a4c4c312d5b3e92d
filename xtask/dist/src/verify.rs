//! `cargo xtask dist --verify`: builds the newest commit again in another folder, and compares the programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;
use xtask::cargo;
use xtask::failure::{Attempt, Failure, Result};

use crate::compile;
use crate::sums::sha256;

/// Builds the newest commit of a repository in two folders. Fails if the programs differ. The first one is that of the
/// repository, with what `cargo xtask dist` has built there; if files were changed there, it is a new one, too.
pub fn run(root: &Path) -> Result<()> {
    let folder = TempDir::new_in(cargo::target_folder()?).attempt("cannot create a folder")?;
    let first = if is_unchanged(root)? {
        compile::build(root, &cargo::target_folder()?)?
    } else {
        rebuild(root, &folder.path().join("one"))?
    };
    let programs = [first, rebuild(root, &folder.path().join("another-one"))?];
    let mut sums = Vec::new();
    for program in &programs {
        compile::check(program)?;
        sums.push(sha256(&fs::read(program).attempt("cannot read the program")?));
    }
    println!("{}\n{}", sums[0], sums[1]);
    if sums[0] == sums[1] { Ok(()) } else { Err(Failure::new("two builds of the same commit differ")) }
}

/// Builds the newest commit from nothing, and returns the path of the program.
fn rebuild(root: &Path, folder: &Path) -> Result<PathBuf> {
    let sources = folder.join("sources");
    export(root, &sources)?;
    compile::build(&sources, &folder.join("built"))
}

/// Whether a repository has exactly the files of its newest commit.
fn is_unchanged(root: &Path) -> Result<bool> {
    let git = Command::new("git").args(["status", "--porcelain"]).current_dir(root).stdin(Stdio::null()).output();
    let git = git.attempt("cannot start `git`")?;
    Ok(git.status.success() && git.stdout.is_empty())
}

/// Writes the files of the newest commit to a folder.
fn export(root: &Path, folder: &PathBuf) -> Result<()> {
    fs::create_dir_all(folder).attempt("cannot create a folder")?;
    let mut git = Command::new("git");
    git.args(["archive", "HEAD"]).current_dir(root).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut git = git.spawn().attempt("cannot start `git`")?;
    let files = git.stdout.take().expect("standard output is a pipe");
    tar::Archive::new(files).unpack(folder).attempt("cannot export the commit")?;
    if git.wait().attempt("cannot wait for `git`")?.success() {
        return Ok(());
    }
    Err(Failure::new("`git archive` failed, see above"))
}
