//! Snapshots of the program's output for the operator: its help, and the log of a run.
//!
//! Snapshots of responses to clients are in `crates/suite/tests/http/baseline`.

mod help;
mod log;

use std::path::Path;

/// The program that this test run has built.
fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_packhouse"))
}

/// Compares a text with the snapshot of this name, which does not depend on module names.
#[track_caller]
fn assert_recorded(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}
