//! What clients see, recorded as it is: responses, pages, documents, metrics and log lines.
//!
//! Other tests say what is right. These record what is there, so that a change of the sources that must change nothing
//! else can be compared with them. Where something is meant to change, `INSTA_UPDATE=always` records it, and the
//! difference is part of the change.
//!
//! A script in `scripts` is a list of requests, one a line. It runs in a house that `scripts/scene.txt` has furnished, on
//! whichever stack the run uses; both give the same bytes. What no two runs share is masked.

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

/// Holds a text against the snapshot of this name, which stays where modules are renamed. Behind several nodes nothing is
/// compared: nginx has headers of its own.
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
