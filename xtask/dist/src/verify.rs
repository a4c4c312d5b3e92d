//! `cargo xtask dist --verify`: builds the newest commit twice, in two folders, and compares the programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;
use xtask::cargo;
use xtask::failure::{Attempt, Failure, Result};

use crate::compile;
use crate::sums::sha256;

/// Builds the newest commit of a repository twice. Fails if the programs differ. Takes twice as long as a build.
pub fn run(root: &Path) -> Result<()> {
    let folder = TempDir::new_in(cargo::target_folder()?).attempt("cannot create a folder")?;
    let mut sums = Vec::new();
    for name in ["one", "another-one"] {
        let sources = folder.path().join(name);
        export(root, &sources)?;
        let program = compile::build(&sources, &folder.path().join(format!("{name}-target")))?;
        compile::check(&program)?;
        sums.push(sha256(&fs::read(&program).attempt("cannot read the program")?));
    }
    println!("{}\n{}", sums[0], sums[1]);
    if sums[0] == sums[1] { Ok(()) } else { Err(Failure::new("two builds of the same commit differ")) }
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
