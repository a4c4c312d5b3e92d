//! The index file of a crate: one line of JSON for each version.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    features::{self, Features},
    release::{CrateDependency, CrateProfile, CrateRelease},
};

/// Renders everything of a line that the `.crate` file itself says: an object without its end.
pub fn start_of_line(release: &CrateRelease) -> String {
    let (old, new) = features::split(&release.features);
    let mut line = Map::new();
    line.insert("name".to_owned(), json!(release.name));
    line.insert("vers".to_owned(), json!(release.version));
    line.insert("deps".to_owned(), release.dependencies.iter().map(dependency).collect());
    line.insert("features".to_owned(), json!(old));
    line.insert("links".to_owned(), json!(release.links));
    if !new.is_empty() {
        line.insert("features2".to_owned(), json!(new));
        line.insert("v".to_owned(), json!(2));
    }
    if let Some(rust_version) = &release.rust_version {
        line.insert("rust_version".to_owned(), json!(rust_version));
    }
    let mut text = Value::Object(line).to_string();
    text.pop();
    text
}

/// Adds the line of a release: its rendered start, the SHA-256 of its file, and whether it is yanked.
pub fn push_line(index: &mut String, start: &str, sha256: &str, is_yanked: bool) {
    let yanked = if is_yanked { "true" } else { "false" };
    for part in [start, ",\"cksum\":\"", sha256, "\",\"yanked\":", yanked, "}\n"] {
        index.push_str(part);
    }
}

/// Leaves out the URL of the registry's own index, so that dependencies in the same registry are found there wherever it
/// moves.
pub fn without_registry(start: &str, own: &str) -> String {
    start.replace(&format!("\"registry\":{}", json!(own)), "\"registry\":null")
}

/// Reads the release from the start of its line.
pub fn parse_start(start: &[u8]) -> Result<CrateRelease, String> {
    let damaged = |error: &dyn std::fmt::Display| format!("the stored facts are damaged: {error}");
    let line: Line = serde_json::from_slice(&[start, b"}"].concat()).map_err(|error| damaged(&error))?;
    Ok(CrateRelease {
        name: line.name,
        version: line.vers,
        dependencies: line.deps,
        features: line.features.into_iter().chain(line.features2).collect(),
        links: line.links,
        rust_version: line.rust_version,
        profile: CrateProfile::default(),
    })
}

#[derive(Deserialize)]
struct Line {
    name: String,
    vers: String,
    deps: Vec<CrateDependency>,
    features: Features,
    #[serde(default)]
    features2: Features,
    links: Option<String>,
    rust_version: Option<String>,
}

fn dependency(dependency: &CrateDependency) -> Value {
    json!({
        "name": dependency.name,
        "req": dependency.req,
        "features": dependency.features,
        "optional": dependency.optional,
        "default_features": dependency.default_features,
        "target": dependency.target,
        "kind": dependency.kind,
        "registry": dependency.registry,
        "package": dependency.package,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cargo::publish;

    const SHA256: &str = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    fn release(features: &Value) -> CrateRelease {
        let document = json!({
            "name": "My-Lib", "vers": "0.1.0", "features": features, "rust_version": "1.80", "deps": [
                { "name": "serde", "version_req": "^1.0", "features": ["derive"], "optional": true,
                  "default_features": true, "target": null, "kind": "normal", "registry": null },
                { "name": "real", "version_req": "^2", "features": [], "optional": false, "default_features": false,
                  "target": "cfg(unix)", "kind": "build", "registry": "https://github.com/rust-lang/crates.io-index",
                  "explicit_name_in_toml": "alias" },
            ],
        });
        publish::parse(document.to_string().as_bytes()).expect("valid")
    }

    fn line(release: &CrateRelease, is_yanked: bool) -> String {
        let mut index = String::new();
        push_line(&mut index, &start_of_line(release), SHA256, is_yanked);
        index
    }

    fn parsed(release: &CrateRelease, is_yanked: bool) -> Value {
        serde_json::from_str(&line(release, is_yanked)).expect("JSON")
    }

    #[test]
    fn a_line_has_all_that_cargo_reads() {
        let release = release(&json!({ "fast": [], "full": ["dep:serde"] }));
        let expected = json!({
            "name": "My-Lib", "vers": "0.1.0", "cksum": SHA256, "features": { "fast": [] },
            "features2": { "full": ["dep:serde"] }, "yanked": false, "links": null, "v": 2, "rust_version": "1.80",
            "deps": [
                { "name": "serde", "req": "^1.0", "features": ["derive"], "optional": true, "default_features": true,
                  "target": null, "kind": "normal", "registry": null, "package": null },
                { "name": "alias", "req": "^2", "features": [], "optional": false, "default_features": false,
                  "target": "cfg(unix)", "kind": "build", "package": "real",
                  "registry": "https://github.com/rust-lang/crates.io-index" },
            ],
        });
        assert_eq!(parsed(&release, false), expected);
    }

    #[test]
    fn old_features_need_no_second_version_of_the_index() {
        let release = release(&json!({ "fast": ["serde/std"] }));
        let line = parsed(&release, true);
        assert_eq!((line.get("v"), line.get("features2"), &line["yanked"]), (None, None, &json!(true)));
    }

    #[test]
    fn dependencies_in_the_same_registry_name_none() {
        let mut release = release(&json!({}));
        release.dependencies[0].registry = Some("sparse+https://a.example/".to_owned());
        release.dependencies[0].target = Some("\"registry\":\"sparse+https://a.example/\"".to_owned());
        let start = without_registry(&start_of_line(&release), "sparse+https://a.example/");
        let mut expected = CrateRelease { profile: CrateProfile::default(), ..release };
        expected.dependencies[0].registry = None;
        assert_eq!(parse_start(start.as_bytes()), Ok(expected), "only the key changes, and no text that looks like it");
    }

    #[test]
    fn releases_are_read_from_their_lines() {
        let release = release(&json!({ "fast": [], "full": ["dep:serde"] }));
        assert!(line(&release, true).ends_with("\",\"yanked\":true}\n"));
        let expected = CrateRelease { profile: CrateProfile::default(), ..release.clone() };
        assert_eq!(parse_start(start_of_line(&release).as_bytes()), Ok(expected));
        assert!(parse_start(b"{").is_err());
    }

    proptest! {
        #[test]
        fn any_text_stays_in_its_line(links in "\\PC{0,20}", target in "\\PC{0,20}", feature in "[a-z]{1,5}") {
            let mut release = release(&json!({}));
            release.links = Some(links);
            release.dependencies[0].target = Some(target);
            release.features.insert(feature, vec!["serde?/x".to_owned()]);
            prop_assert_eq!(line(&release, false).lines().count(), 1);
            let expected = CrateRelease { profile: CrateProfile::default(), ..release.clone() };
            prop_assert_eq!(parse_start(start_of_line(&release).as_bytes()), Ok(expected));
        }
    }
}
