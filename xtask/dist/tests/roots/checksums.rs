//! The checksums and the list of components.

use std::process::Command;

use serde_json::Value;

use crate::root::{package, succeeds};

#[test]
fn the_checksums_fit() {
    let sums = package("SHA256SUMS");
    let mut check = Command::new("sha256sum");
    let checked =
        succeeds(check.args(["--check", "--strict"]).arg(&sums).current_dir(sums.parent().expect("a folder")));
    assert_eq!(checked.lines().filter(|line| line.ends_with(": OK")).count(), 5);
}

#[test]
fn the_components_are_those_of_the_program() {
    let text = std::fs::read(package(".cdx.json")).expect("readable");
    let list: Value = serde_json::from_slice(&text).expect("JSON");
    assert_eq!(list["metadata"]["component"]["name"], "packhouse");
    let components = list["components"].as_array().expect("a list");
    let has = |name: &str| components.iter().any(|component| component["name"] == name);
    assert!(has("tokio") && has("glibc") && has("server"));
    // Only tests use these.
    assert!(!has("insta") && !has("suite") && !has("dist"));
}
