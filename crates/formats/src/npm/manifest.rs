//! `package.json`, normalized as npm does.

use serde_json::{Map, Value};

use super::{name::NpmName, version};
use crate::{
    base::has_marker,
    readers::{json, quoted},
};

/// Scripts that run when a package is installed.
pub(super) const INSTALL_SCRIPTS: &[&str] = &["preinstall", "install", "postinstall"];

/// Keys that a registry sets itself, or that only fill up documents.
const DROPPED: &[&str] = &["dist", "deprecated", "readme", "readmeFilename", "hasInstallScript"];

/// Files of a tarball that change how its package is installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InstallFiles {
    /// `binding.gyp`: an addon that is compiled.
    pub has_gyp: bool,
    /// `npm-shrinkwrap.json`: fixed versions of all dependencies.
    pub has_shrinkwrap: bool,
}

/// Parses `package.json` and normalizes it.
pub fn parse(bytes: &[u8], files: InstallFiles) -> Result<Map<String, Value>, String> {
    let value = json::parse(bytes)?;
    if has_marker(&value) {
        return Err("it holds the control character U+0002".to_owned());
    }
    let Value::Object(manifest) = value else { return Err("it is not an object".to_owned()) };
    normalize(manifest, files)
}

/// Normalizes a manifest: the name and the version are valid, and keys have one form each.
pub fn normalize(mut manifest: Map<String, Value>, files: InstallFiles) -> Result<Map<String, Value>, String> {
    let text = |key: &str| manifest.get(key).and_then(Value::as_str).ok_or_else(|| format!("it has no '{key}'"));
    let (name, version) = (NpmName::parse(text("name")?)?, version::parse(text("version")?)?);
    manifest.retain(|key, _| !key.starts_with('_') && !DROPPED.contains(&key.as_str()));
    manifest.insert("name".to_owned(), name.to_string().into());
    manifest.insert("version".to_owned(), version.to_string().into());
    normalize_bin(&mut manifest, &name);
    if let Some(bundled) = manifest.remove("bundledDependencies") {
        manifest.entry("bundleDependencies").or_insert(bundled);
    }
    dedupe_optional(&mut manifest);
    check_dependencies(&manifest)?;
    if runs_on_install(&manifest) || files.has_gyp {
        manifest.insert("hasInstallScript".to_owned(), Value::Bool(true));
    }
    if files.has_shrinkwrap {
        manifest.insert("_hasShrinkwrap".to_owned(), Value::Bool(true));
    }
    Ok(manifest)
}

/// Writes `bin` as a map of names to relative paths.
fn normalize_bin(manifest: &mut Map<String, Value>, name: &NpmName) {
    let plain = |path: &str| path.trim_start_matches("./").trim_start_matches('/').to_owned();
    let bin = match manifest.remove("bin") {
        Some(Value::String(path)) => Map::from_iter([(name.base().to_owned(), Value::from(plain(&path)))]),
        Some(Value::Object(bin)) => {
            let entries =
                bin.iter().filter_map(|(name, path)| Some((name.clone(), Value::from(plain(path.as_str()?)))));
            entries.collect()
        }
        _ => return,
    };
    if !bin.is_empty() {
        manifest.insert("bin".to_owned(), Value::Object(bin));
    }
}

/// Optional dependencies may also stand among the others; they count as optional only.
fn dedupe_optional(manifest: &mut Map<String, Value>) {
    let Some(Value::Object(optional)) = manifest.get("optionalDependencies") else { return };
    let names: Vec<String> = optional.keys().cloned().collect();
    if let Some(Value::Object(dependencies)) = manifest.get_mut("dependencies") {
        dependencies.retain(|name, _| !names.contains(name));
        if dependencies.is_empty() {
            manifest.remove("dependencies");
        }
    }
}

fn check_dependencies(manifest: &Map<String, Value>) -> Result<(), String> {
    for key in ["dependencies", "optionalDependencies", "peerDependencies"] {
        match manifest.get(key) {
            None | Some(Value::Null) => {}
            Some(Value::Object(map)) => {
                if let Some((name, _)) = map.iter().find(|(name, value)| *name == "__proto__" || !value.is_string()) {
                    return Err(format!("its '{key}' has an entry that is not valid: '{}'", quoted(name)));
                }
            }
            Some(_) => return Err(format!("its '{key}' is not an object")),
        }
    }
    Ok(())
}

fn runs_on_install(manifest: &Map<String, Value>) -> bool {
    let scripts = manifest.get("scripts").and_then(Value::as_object);
    scripts.is_some_and(|scripts| INSTALL_SCRIPTS.iter().any(|name| scripts.contains_key(*name)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parsed(value: &Value) -> Result<Value, String> {
        parse(value.to_string().as_bytes(), InstallFiles::default()).map(Value::Object)
    }

    #[test]
    fn keys_have_one_form() {
        let value = json!({
            "name": "@acme/hello", "version": "v1.0.0", "bin": "./cli.js", "bundledDependencies": ["a"], "_id": "x",
            "dependencies": { "a": "1", "b": "2" }, "optionalDependencies": { "b": "2" }, "deprecated": "no", "readme": "r",
            "scripts": { "postinstall": "x" }, "dist": {}, "exports": { "import": "./a.mjs", "default": "./a.js" },
        });
        let expected = json!({
            "name": "@acme/hello", "version": "1.0.0", "bin": { "hello": "cli.js" }, "bundleDependencies": ["a"],
            "dependencies": { "a": "1" }, "optionalDependencies": { "b": "2" }, "hasInstallScript": true,
            "scripts": { "postinstall": "x" }, "exports": { "import": "./a.mjs", "default": "./a.js" },
        });
        assert_eq!(parsed(&value), Ok(expected));
    }

    #[test]
    fn files_of_the_tarball_count() {
        let files = InstallFiles { has_gyp: true, has_shrinkwrap: true };
        let manifest = parse(br#"{"name":"a","version":"1.0.0"}"#, files).expect("valid");
        assert_eq!((&manifest["hasInstallScript"], &manifest["_hasShrinkwrap"]), (&json!(true), &json!(true)));
    }

    #[test]
    fn other_documents_are_refused() {
        for bad in [
            json!([]),
            json!({ "version": "1.0.0" }),
            json!({ "name": "a" }),
            json!({ "name": "a", "version": "__proto__" }),
            json!({ "name": "A", "version": "1.0.0" }),
            json!({ "name": "a", "version": 1 }),
            json!({ "name": "a", "version": "1.0.0", "dependencies": [] }),
            json!({ "name": "a", "version": "1.0.0", "dependencies": { "b": 1 } }),
            json!({ "name": "a", "version": "1.0.0", "dependencies": { "__proto__": "1" } }),
            json!({ "name": "a", "version": "1.0.0", "description": "\u{2}base\u{2}" }),
        ] {
            assert!(parsed(&bad).is_err(), "{bad}");
        }
        let deep = format!(r#"{{"name":"a","version":"1.0.0","x":{}{}}}"#, "[".repeat(1_000), "]".repeat(1_000));
        let reason = "its JSON is nested more than 64 levels deep";
        assert_eq!(parse(deep.as_bytes(), InstallFiles::default()), Err(reason.to_owned()));
    }
}
