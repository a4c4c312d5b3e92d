//! The accessibility checker for pages: axe-core, an npm package.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::failure::{Attempt, Result};
use crate::tools;

const VERSION: &str = "4.14.0";

/// Finds or downloads axe-core. Returns the environment variable that tells tests where it is.
pub(crate) fn ensure() -> Result<(String, String)> {
    let script = tools::path_of(&format!("axe-{VERSION}.js"))?;
    if !script.is_file() {
        fetch(&script)?;
    }
    Ok(("PACKHOUSE_TEST_AXE".into(), script.display().to_string()))
}

fn fetch(script: &Path) -> Result<()> {
    eprintln!("downloading axe-core {VERSION}");
    let folder = TempDir::with_prefix("axe").attempt("cannot create a temporary folder")?;
    tools::run(
        Command::new("npm").args(["pack", "--silent", &format!("axe-core@{VERSION}")]).current_dir(folder.path()),
    )?;
    let archive = format!("axe-core-{VERSION}.tgz");
    tools::run(Command::new("tar").args(["-xzf", &archive, "package/axe.min.js"]).current_dir(folder.path()))?;
    fs::copy(folder.path().join("package/axe.min.js"), script).attempt("cannot store axe-core").map(drop)
}
