//! Compares the manifest of a publish document with `package.json` in the tarball. With a difference,
//! the registry would list other dependencies or scripts than those that are installed.

use serde_json::{Map, Value, json};

use super::manifest::{self, INSTALL_SCRIPTS, InstallFiles};

/// The script that npm adds for an addon that is compiled.
const GYP_SCRIPT: &str = "node-gyp rebuild";

/// Keys that must be equal. Empty maps and lists are like missing ones.
const KEYS: &[&str] = &[
    "name",
    "version",
    "dependencies",
    "optionalDependencies",
    "peerDependencies",
    "bundleDependencies",
    "bin",
    "engines",
    "os",
    "cpu",
];

/// Checks that the sent manifest says the same as the one in the tarball.
pub(super) fn check(sent: &Map<String, Value>, inspected: &Map<String, Value>) -> Result<(), String> {
    let sent = manifest::normalize(sent.clone(), InstallFiles::default())?;
    for key in KEYS {
        // npm lists the files of that folder in `bin`.
        let is_listed =
            *key == "bin" && inspected.get("directories").is_some_and(|folders| folders.get("bin").is_some());
        if !is_listed && comparable(sent.get(*key)) != comparable(inspected.get(*key)) {
            return Err(differs(key));
        }
    }
    let is_compiled = inspected.contains_key("hasInstallScript");
    for script in INSTALL_SCRIPTS {
        let of =
            |manifest: &Map<String, Value>| manifest.get("scripts").and_then(|scripts| scripts.get(script)).cloned();
        let (left, right) = (of(&sent), of(inspected));
        let is_added = *script == "install" && is_compiled && right.is_none() && left == Some(json!(GYP_SCRIPT));
        if left != right && !is_added {
            return Err(differs(&format!("scripts.{script}")));
        }
    }
    Ok(())
}

fn differs(key: &str) -> String {
    format!("the document and package.json of the tarball differ in '{key}'")
}

/// Returns a value in one form: a single text is a list of one, and nothing is like an empty map.
fn comparable(value: Option<&Value>) -> Option<Value> {
    match value? {
        Value::Null | Value::Bool(false) => None,
        Value::Array(list) if list.is_empty() => None,
        Value::Object(map) if map.is_empty() => None,
        Value::String(text) => Some(json!([text])),
        other => Some(other.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(sent: &Value, inside: &Value, files: InstallFiles) -> Result<(), String> {
        let with_name = |value: &Value| {
            let mut map = value.as_object().expect("an object").clone();
            map.entry("name").or_insert(json!("a"));
            map.entry("version").or_insert(json!("1.0.0"));
            map
        };
        let inspected = manifest::parse(Value::Object(with_name(inside)).to_string().as_bytes(), files).expect("valid");
        check(&with_name(sent), &inspected)
    }

    #[test]
    fn other_forms_of_the_same_pass() {
        let compare = |sent, inside| compare(&sent, &inside, InstallFiles::default());
        assert_eq!(compare(json!({ "bin": { "a": "cli.js" } }), json!({ "bin": "./cli.js" })), Ok(()));
        assert_eq!(compare(json!({ "dependencies": {} }), json!({})), Ok(()));
        assert_eq!(compare(json!({ "os": ["linux"] }), json!({ "os": "linux" })), Ok(()));
        assert_eq!(compare(json!({ "bundleDependencies": ["b"] }), json!({ "bundledDependencies": ["b"] })), Ok(()));
        assert_eq!(compare(json!({ "bin": { "x": "bin/x" } }), json!({ "directories": { "bin": "bin" } })), Ok(()));
        assert_eq!(compare(json!({ "scripts": { "start": "node server.js" } }), json!({ "_id": "b" })), Ok(()));
    }

    #[test]
    fn differences_are_refused() {
        for (sent, inside) in [
            (json!({ "name": "b" }), json!({})),
            (json!({ "version": "1.0.1" }), json!({})),
            (json!({}), json!({ "dependencies": { "evil": "1" } })),
            (json!({ "dependencies": { "b": "1" } }), json!({ "dependencies": { "b": "2" } })),
            (json!({}), json!({ "peerDependencies": { "b": "1" } })),
            (json!({}), json!({ "bin": "x" })),
            (json!({}), json!({ "engines": { "node": ">=20" } })),
            (json!({}), json!({ "cpu": ["x64"] })),
            (json!({}), json!({ "scripts": { "postinstall": "evil" } })),
            (json!({ "scripts": { "install": "node-gyp rebuild" } }), json!({})),
        ] {
            assert!(compare(&sent, &inside, InstallFiles::default()).is_err(), "{sent} {inside}");
        }
    }

    #[test]
    fn the_script_of_an_addon_may_be_added() {
        let files = InstallFiles { has_gyp: true, ..InstallFiles::default() };
        assert_eq!(compare(&json!({ "scripts": { "install": "node-gyp rebuild" } }), &json!({}), files), Ok(()));
        assert!(compare(&json!({ "scripts": { "install": "evil" } }), &json!({}), files).is_err());
    }
}
