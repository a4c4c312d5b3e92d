//! The index file of a crate: one line of JSON for each version.

use serde_json::{Map, Value, json};

use super::{
    features,
    release::{CrateDependency, CrateRelease},
};

/// A release in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexRelease<'a> {
    /// The release.
    pub release: &'a CrateRelease,
    /// The SHA-256 of the `.crate` file, in hexadecimal digits.
    pub sha256: &'a str,
    /// Whether it is yanked.
    pub is_yanked: bool,
}

/// The index file of a crate's releases, in the order of their publication.
pub fn index_text(releases: &[IndexRelease<'_>]) -> String {
    releases.iter().map(|release| line(release) + "\n").collect()
}

/// The line of one release, without a line end.
pub fn line(entry: &IndexRelease<'_>) -> String {
    let release = entry.release;
    let (old, new) = features::split(&release.features);
    let mut line = Map::new();
    line.insert("name".to_owned(), json!(release.name));
    line.insert("vers".to_owned(), json!(release.version));
    line.insert("deps".to_owned(), release.dependencies.iter().map(dependency).collect());
    line.insert("cksum".to_owned(), json!(entry.sha256));
    line.insert("features".to_owned(), json!(old));
    line.insert("yanked".to_owned(), json!(entry.is_yanked));
    line.insert("links".to_owned(), json!(release.links));
    if !new.is_empty() {
        line.insert("features2".to_owned(), json!(new));
        line.insert("v".to_owned(), json!(2));
    }
    if let Some(rust_version) = &release.rust_version {
        line.insert("rust_version".to_owned(), json!(rust_version));
    }
    Value::Object(line).to_string()
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

    fn parsed(entry: &IndexRelease<'_>) -> Value {
        serde_json::from_str(&line(entry)).expect("JSON")
    }

    #[test]
    fn a_line_has_all_that_cargo_reads() {
        let release = release(&json!({ "fast": [], "full": ["dep:serde"] }));
        let entry = IndexRelease { release: &release, sha256: SHA256, is_yanked: false };
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
        assert_eq!(parsed(&entry), expected);
    }

    #[test]
    fn old_features_need_no_second_version_of_the_index() {
        let release = release(&json!({ "fast": ["serde/std"] }));
        let line = parsed(&IndexRelease { release: &release, sha256: SHA256, is_yanked: true });
        assert_eq!((line.get("v"), line.get("features2"), &line["yanked"]), (None, None, &json!(true)));
    }

    #[test]
    fn releases_are_lines_in_order() {
        let release = release(&json!({}));
        let first = IndexRelease { release: &release, sha256: SHA256, is_yanked: false };
        let second = IndexRelease { is_yanked: true, ..first };
        assert_eq!(index_text(&[first, second]), format!("{}\n{}\n", line(&first), line(&second)));
        assert_eq!(index_text(&[]), "");
    }
}
