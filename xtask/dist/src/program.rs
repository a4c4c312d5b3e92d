//! The program that is packaged, with the manual pages and completions that it prints.

use std::path::Path;
use std::process::{Command, Stdio};

use xtask::failure::{Attempt, Failure, Result};

/// The shells with completions.
const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

/// A program and the files that it writes about itself.
pub struct Program {
    /// The executable.
    pub(crate) bytes: Vec<u8>,
    /// The manual pages, by file name, in order.
    pub(crate) pages: Vec<(String, Vec<u8>)>,
    /// The completions, by shell.
    pub(crate) completions: Vec<(&'static str, Vec<u8>)>,
}

impl Program {
    /// Reads an executable, and runs it for its pages and completions.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).attempt(format!("cannot read {}", path.display()))?;
        let completions = SHELLS.map(|shell| Ok((shell, run(path, &["completions", shell])?)));
        let completions = completions.into_iter().collect::<Result<_>>()?;
        Ok(Self { bytes, pages: pages(path)?, completions })
    }

    /// Returns the completions for a shell.
    pub(crate) fn completions(&self, shell: &str) -> &[u8] {
        let found = self.completions.iter().find(|(name, _)| *name == shell);
        found.map(|(_, text)| text.as_slice()).expect("a shell of the list")
    }
}

fn pages(program: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let folder = tempfile::tempdir().attempt("cannot create a temporary folder")?;
    run(program, &["man", "--folder", &folder.path().display().to_string()])?;
    let mut pages = Vec::new();
    for entry in folder.path().read_dir().attempt("cannot list the manual pages")? {
        let entry = entry.attempt("cannot list the manual pages")?;
        let text = std::fs::read(entry.path()).attempt("cannot read a manual page")?;
        pages.push((entry.file_name().to_string_lossy().into_owned(), text));
    }
    if pages.is_empty() {
        return Err(Failure::new(format!("`{} man` wrote no pages", program.display())));
    }
    pages.sort();
    Ok(pages)
}

/// Runs the program without the settings of this machine, and returns what it prints.
fn run(program: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let mut command = Command::new(program);
    command.env_clear().args(arguments).stdin(Stdio::null()).stderr(Stdio::inherit());
    let ran = command.output().attempt(format!("cannot start {}", program.display()))?;
    if ran.status.success() {
        return Ok(ran.stdout);
    }
    Err(Failure::new(format!("`{} {}` failed", program.display(), arguments.join(" "))))
}
