//! `cargo xtask pictures`: screenshots of the pages, for the README and for the test that compares them.

use std::process::ExitCode;

use crate::cargo;
use crate::failure::{Attempt, Result};
use crate::tools;

/// The tests that take the screenshots.
const TESTS: [&str; 2] = ["pictures::the_pages_have_their_pictures", "screenshots::ten_pages_look_as_they_did"];

/// Takes the screenshots with a real browser, and saves them in `docs/pictures` and beside the test.
pub(crate) fn run() -> Result<ExitCode> {
    tools::ensure()?;
    let mut test = cargo::command("test");
    // The whole workspace, so that nothing is built twice.
    test.args(["--workspace", "--test", "browser", "--", "--exact"]).args(TESTS);
    test.env("PACKHOUSE_KEEP_SCREENSHOTS", "1");
    test.env("PACKHOUSE_PICTURES", cargo::workspace_root().join("docs/pictures"));
    let status = test.status().attempt("cannot start cargo")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
