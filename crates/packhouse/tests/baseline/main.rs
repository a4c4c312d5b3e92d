//! What the program shows the operator, recorded as it is: its help, and the log of a run.
//!
//! What its clients see is in `crates/suite/tests/http/baseline`.

mod help;
mod log;

use std::path::Path;

/// The program that this test run has built.
fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_packhouse"))
}

/// Holds a text against the snapshot of this name, which stays where modules are renamed.
#[track_caller]
fn assert_recorded(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}
