//! Snapshots of everything that clients see: responses, pages, documents, metrics and log lines.
//!
//! Other tests check what is right. These record the current behaviour, so that a refactoring can be compared with it.
//! For an intended change, `INSTA_UPDATE=always` records the new behaviour, and the difference is part of the change.
//!
//! A script in `scripts` is a list of requests, one per line. It runs in a house that `scripts/scene.txt` has filled,
//! on the stack of the run; both stacks give the same bytes. Values that differ between runs are masked.

mod callers;
mod calls;
mod documents;
mod forms;
mod json;
mod log;
mod mask;
mod pages;
mod pattern;
mod record;
mod scene;
mod script;
mod shown;
mod step;
mod visits;

/// Compares a text with the snapshot of this name, which does not depend on module names. With several nodes nothing is
/// compared, because nginx adds its own headers.
#[track_caller]
fn assert_recorded(name: &str, text: &str) {
    if std::env::var("PACKHOUSE_TEST_NODES").is_ok() {
        return;
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}
