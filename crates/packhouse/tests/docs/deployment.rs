//! Compares the files in `deploy` with the manuals.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

const OPERATING: &str = include_str!("../../../../docs/operating.md");
const SETTINGS: &str = include_str!("../../../../docs/settings.md");

#[test]
fn every_variable_in_a_deployment_file_is_in_the_manual() {
    let mut files = String::new();
    collect_texts(&top().join("deploy"), &mut files);
    let words = files.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let named: BTreeSet<&str> = words.filter(|word| word.starts_with("PACKHOUSE_")).collect();
    assert!(named.contains("PACKHOUSE_MASTER_KEY_FILE"), "only these were found: {named:?}");
    let unknown: Vec<&&str> = named.iter().filter(|name| !SETTINGS.contains(&format!("`{name}`"))).collect();
    assert!(unknown.is_empty(), "deploy names variables that docs/settings.md does not: {unknown:?}");
}

#[test]
fn the_deployment_files_that_the_manual_points_to_are_there() {
    let links = OPERATING.split("](../").skip(1).filter_map(|rest| rest.split(')').next());
    let pointed_to: Vec<&str> = links.filter(|link| link.starts_with("deploy/")).collect();
    assert!(pointed_to.len() > 4, "only these were found: {pointed_to:?}");
    let missing: Vec<&&str> = pointed_to.iter().filter(|link| !top().join(link).exists()).collect();
    assert!(missing.is_empty(), "docs/operating.md points to nothing: {missing:?}");
}

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn collect_texts(folder: &Path, texts: &mut String) {
    for entry in fs::read_dir(folder).expect("the folder is readable") {
        let path = entry.expect("the folder is readable").path();
        if path.is_dir() {
            collect_texts(&path, texts);
        } else {
            texts.push_str(&fs::read_to_string(&path).expect("the file is a text"));
        }
    }
}
