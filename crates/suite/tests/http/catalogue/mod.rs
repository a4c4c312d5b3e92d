//! Helpers that create repositories, packages and versions.

pub(crate) mod attribute_property;
pub(crate) mod attributes;
pub(crate) mod cached_objects;
pub(crate) mod documents;
pub(crate) mod drafts;
pub(crate) mod file_lists_details;
pub(crate) mod file_lists_search;
pub(crate) mod files;
pub(crate) mod input;
pub(crate) mod licenses;
pub(crate) mod linked_files;
pub(crate) mod links;
pub(crate) mod marks;
pub(crate) mod misspelt_fields;
pub(crate) mod names;
pub(crate) mod package_list;
pub(crate) mod packages;
pub(crate) mod refused_names;
pub(crate) mod repos;
pub(crate) mod versions;
pub(crate) mod windows;

use serde_json::{Value, json};
use suite::{Answer, Person};

/// Creates a repository with default settings.
pub(crate) async fn new_repo(by: &Person, repo: &str) {
    by.post(&format!("/repos/{repo}")).json(json!({})).await.expect(201);
}

/// Creates a private repository.
pub(crate) async fn new_private_repo(by: &Person, repo: &str) {
    by.post(&format!("/repos/{repo}")).json(json!({"private": true})).await.expect(201);
}

/// Creates a package in `subject/repo`.
pub(crate) async fn new_package(by: &Person, repo: &str, name: &str) {
    by.post(&format!("/packages/{repo}")).json(json!({ "name": name })).await.expect(201);
}

/// Creates a version of `subject/repo/package`.
pub(crate) async fn new_version(by: &Person, package: &str, name: &str) {
    by.post(&format!("/packages/{package}/versions")).json(json!({ "name": name })).await.expect(201);
}

/// Returns the fields of a response, one per line, in their order.
pub(crate) fn fields(answer: &Answer) -> String {
    let text = answer.text();
    // Parsed as a check only, because a parsed object loses the order.
    assert!(answer.json().is_object(), "{text}");
    let is_field = |rest: &str| rest.split_once('"').is_some_and(|(_, value)| value.starts_with(':'));
    let pieces =
        text.split(",\"").map(|piece| if is_field(piece) { format!(",\n\"{piece}") } else { format!(",\"{piece}") });
    pieces.collect::<String>().trim_start_matches([',', '"', '\n']).to_owned()
}

/// Percent-encodes a segment of a path where needed.
pub(crate) fn segment(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'~');
    name.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Returns the timestamps of a resource.
pub(crate) fn moments(shown: &Value) -> (String, String) {
    let text = |field: &str| shown[field].as_str().expect("a moment is a text").to_owned();
    (text("created"), text("updated"))
}
