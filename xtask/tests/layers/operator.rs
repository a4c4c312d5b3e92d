//! Nobody on the network is the operator: only the command line and tests call `Caller::operator`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::groups::{lines_of_code, rust_files};

/// The crates that may call `Caller::operator`: the program's command line, and the vocabulary of tests.
const CALLERS: &[&str] = &["packhouse", "suite"];

/// The files that may name `Principal::Operator`: the one that creates it, and those that check its rights.
const DECIDERS: &[&str] =
    &["operations/src/access/mod.rs", "operations/src/caller.rs", "operations/src/downloads/signed_urls/maker.rs"];

/// The file that creates operators.
const MAKER: &str = "operations/src/caller.rs";

const RULE: &str = "an operator comes from the command line, never from a request";

#[test]
fn no_request_makes_an_operator() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let files: Vec<PathBuf> = rust_files(&crates);
    let mut wrong = Vec::new();
    for file in &files {
        let inside = file.strip_prefix(&crates).expect("a file of a crate").display().to_string();
        wrong.extend(breach(&inside, &fs::read_to_string(file).expect("readable")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}\n{RULE}");
}

#[test]
fn the_files_that_decide_about_operators_are_there() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    for file in DECIDERS {
        let text = fs::read_to_string(crates.join(file)).expect("readable");
        assert!(names(&lines_of_code(&text), "Operator"), "{file} does not name the operator; take it off the list");
    }
    let maker = fs::read_to_string(crates.join(MAKER)).expect("readable");
    assert_eq!(maker.matches("principal: Principal::Operator").count(), 1, "one function makes operators");
}

#[test]
fn a_file_that_makes_an_operator_is_found() {
    let calls = "let caller = Caller::operator();";
    assert!(breach("packhouse/src/admin.rs", calls).is_none() && breach("suite/tests/http/x.rs", calls).is_none());
    assert!(breach("operations/src/caller.rs", "pub fn operator() -> Self").is_none());
    for file in ["server/src/caller.rs", "web/src/caller.rs", "operations/src/maintenance/site.rs"] {
        assert!(breach(file, calls).is_some(), "{file}");
        assert!(breach(file, "map_or_else(Caller::operator, Caller::of)").is_some(), "{file}");
        assert!(breach(file, "let principal = Principal::Operator;").is_some(), "{file}");
        assert!(breach(file, "use operations::Principal::{Operator, User};").is_some(), "{file}");
        assert!(breach(file, "use operations::Principal::*;").is_some(), "{file}");
        assert!(breach(file, "/// The operator of [`Caller::operator`].\nlet operator = 1;").is_none(), "{file}");
    }
    let made = "let caller = Caller { principal: Principal::Operator, ..caller };";
    assert!(breach("operations/src/access/mod.rs", made).is_some());
    assert!(breach("operations/src/access/mod.rs", "Principal::Operator => true,").is_none());
}

/// Returns an error message if a file names operators but may not.
fn breach(file: &str, text: &str) -> Option<String> {
    let code = lines_of_code(text);
    let name = file.split('/').next().unwrap_or_default();
    let calls = code.contains("::operator") && !CALLERS.contains(&name) && file != MAKER;
    let decides = (names(&code, "Operator") || code.contains("Principal::*")) && !DECIDERS.contains(&file);
    let makes = code.contains("principal: Principal::Operator") && file != MAKER;
    (calls || decides || makes).then(|| format!("{file} names the operator"))
}

/// Returns whether code contains this word.
fn names(code: &str, word: &str) -> bool {
    code.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|found| found == word)
}
