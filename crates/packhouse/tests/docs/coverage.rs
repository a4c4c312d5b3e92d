//! No block of a document is left out: a test follows it or checks it, or a note says why not.

use std::{
    fs,
    path::{Path, PathBuf},
};

use suite::documents::{Block, blocks};

use crate::{collect_sources, links::documents};

/// What tests check without running it: see `snippets`.
const CHECKED: [&str; 4] = ["toml", "json", "yaml", "nginx"];

/// How a reason for a command that no test runs begins.
const REASONS: [&str; 5] = ["needs ", "takes ", "asks for ", "runs until ", "measures"];

#[test]
fn every_block_is_followed_or_checked_or_says_why_not() {
    let sources = sources();
    let (mut problems, mut followed, mut excused) = (Vec::new(), 0, 0);
    for file in manuals() {
        let name = file.strip_prefix(top()).expect("below the top").display().to_string();
        for block in blocks(&fs::read_to_string(&file).expect("a text")) {
            followed += usize::from(block.is_followed());
            excused += usize::from(block.note("not run").is_some());
            if let Some(problem) = problem(&name, &block, &sources) {
                problems.push(format!("{name}:{}: {problem}", block.line));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(followed > 4 * excused, "{followed} blocks are followed, {excused} are not");
}

fn problem(name: &str, block: &Block, sources: &str) -> Option<String> {
    if let Some(reason) = block.note("not run") {
        return (!is_reason(block, reason)).then(|| format!("`{reason}` is no reason"));
    }
    if block.is_followed() {
        return (!sources.contains(name)).then(|| format!("no test follows the commands of {name}"));
    }
    let is_checked = CHECKED.contains(&block.language.as_str());
    (!is_checked).then(|| format!("a block of the language `{}` has no note", block.language))
}

/// A command needs a reason of the list; other texts may also show something. A program that is missing must not be one
/// of those that the suite installs, and a program that is too old must be the one that it installs.
fn is_reason(block: &Block, reason: &str) -> bool {
    let quoted = reason.split('`').nth(1);
    let installer = ["tools/list.rs", "clients.rs", "dotnet.rs", "helm.rs"]
        .map(|file| fs::read_to_string(top().join("xtask/src").join(file)).expect("a source"))
        .concat();
    match quoted {
        Some(version) if reason.contains("newer") => installer.contains(&format!("\"{version}\"")),
        Some(program) => !installer.contains(&format!("is_on_path(\"{program}\")")),
        None if block.language == "sh" => REASONS.iter().any(|start| reason.starts_with(start)),
        None => reason.starts_with("shows ") || REASONS.iter().any(|start| reason.starts_with(start)),
    }
}

/// The manuals: all documents in `docs` but the decisions, and the readme.
pub(crate) fn manuals() -> Vec<PathBuf> {
    let is_manual = |file: &PathBuf| {
        let name = file.strip_prefix(top()).expect("below the top");
        name == Path::new("README.md") || (name.starts_with("docs") && !name.starts_with("docs/decisions"))
    };
    documents().into_iter().filter(is_manual).collect()
}

/// The tests of documents.
fn sources() -> String {
    let mut sources = String::new();
    for folder in ["docs", "clients/pages"] {
        collect_sources(&top().join("crates/packhouse/tests").join(folder), &mut sources);
    }
    sources
}

/// The folder of the sources.
pub(crate) fn top() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).expect("it exists")
}
