//! Garage, a distributed object store that speaks S3. It is a crate, which is built once and stored.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cargo;
use crate::failure::{Attempt, Failure, Result};
use crate::tools;

const VERSION: &str = "2.5.0";

/// Finds or builds Garage. Returns its path.
pub(crate) fn ensure() -> Result<PathBuf> {
    let program = tools::path_of(&format!("garage-{VERSION}"))?;
    if !program.is_file() {
        build(&program)?;
    }
    Ok(program)
}

fn build(program: &Path) -> Result<()> {
    eprintln!("building Garage {VERSION}, which takes a while");
    let root = tools::path_of("garage-build")?;
    let mut install = cargo::command("install");
    install
        .args(["garage", "--version", VERSION, "--locked", "--no-default-features"])
        .args(["--features", "bundled-libs,sqlite,lmdb", "--root"])
        .arg(&root)
        // Its build files do not belong in the target folder of this workspace.
        .env_remove("CARGO_TARGET_DIR");
    let status = install.status().attempt("cannot start cargo")?;
    if !status.success() {
        return Err(Failure::new("building Garage failed, see above"));
    }
    fs::rename(root.join("bin/garage"), program).attempt("cannot store Garage")?;
    fs::remove_dir_all(&root).attempt("cannot remove the build folder of Garage")
}
