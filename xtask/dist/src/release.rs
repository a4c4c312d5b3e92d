//! The version of a release, and its date.

use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::failure::{Attempt, Failure, Result};

/// The version and the date that all packages of a release carry.
pub struct Release {
    /// The version of the workspace.
    pub version: String,
    /// The date in all packages, in seconds since 1970: that of the commit, not of the build.
    pub epoch: u32,
    /// The sources.
    pub root: PathBuf,
    /// Whether to compress quickly rather than well, for tests of large programs.
    pub is_quick: bool,
}

impl Release {
    /// Reads the version from the manifest, and the date from `SOURCE_DATE_EPOCH` or the newest commit.
    pub fn of(root: &Path) -> Result<Self> {
        let manifest = std::fs::read_to_string(root.join("Cargo.toml")).attempt("cannot read Cargo.toml")?;
        let manifest: toml::Table = manifest.parse().attempt("cannot parse Cargo.toml")?;
        let version = manifest["workspace"]["package"]["version"].as_str();
        let version = version.ok_or_else(|| Failure::new("Cargo.toml has no version"))?.to_owned();
        let epoch = match std::env::var("SOURCE_DATE_EPOCH") {
            Ok(seconds) => seconds,
            Err(_) => commit_date(root)?,
        };
        let epoch = epoch.trim().parse().attempt("the date of the commit is no number")?;
        Ok(Self { version, epoch, root: root.to_owned(), is_quick: false })
    }

    /// Reads a file of the sources.
    pub(crate) fn read(&self, path: &str) -> Result<Vec<u8>> {
        std::fs::read(self.root.join(path)).attempt(format!("cannot read {path}"))
    }

    /// Returns the date as `2026-11-18T00:00:00Z`.
    pub(crate) fn date(&self) -> Result<String> {
        let date = jiff::Timestamp::from_second(self.epoch.into()).attempt("the date of the commit is out of range")?;
        Ok(date.to_string())
    }
}

fn commit_date(root: &Path) -> Result<String> {
    let git = Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(root).output();
    let git = git.attempt("cannot start `git`")?;
    if !git.status.success() {
        return Err(Failure::new("the sources are no git checkout; set SOURCE_DATE_EPOCH to the date of the release"));
    }
    Ok(String::from_utf8_lossy(&git.stdout).into_owned())
}
