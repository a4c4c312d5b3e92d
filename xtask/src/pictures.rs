//! `cargo xtask pictures`: screenshots of the pages for the README.

use std::process::ExitCode;

use crate::cargo;
use crate::failure::{Attempt, Result};
use crate::tools;

/// The test that takes the screenshots.
const TEST: &str = "pictures::the_pages_have_their_pictures";

/// Takes the screenshots with a real browser, and saves them in `docs/pictures`.
pub(crate) fn run() -> Result<ExitCode> {
    tools::ensure()?;
    let mut test = cargo::command("test");
    // The whole workspace, so that nothing is built twice.
    test.args(["--workspace", "--test", "browser", "--", "--exact", TEST]);
    test.env("PACKHOUSE_PICTURES", cargo::workspace_root().join("docs/pictures"));
    let status = test.status().attempt("cannot start cargo")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
