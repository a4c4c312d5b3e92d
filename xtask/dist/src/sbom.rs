//! The software bill of materials: every crate in the program, and the C library, in the format of CycloneDX.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::{Value, json};
use xtask::cargo;
use xtask::failure::{Attempt, Failure, Result};

use crate::compile::TARGET;
use crate::{Artifact, Release};

/// Makes `packhouse-VERSION.cdx.json` from cargo's metadata and the checksums of the lock file.
pub(crate) fn make(release: &Release) -> Result<Artifact> {
    let metadata = metadata(release)?;
    let edges = edges(&metadata);
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let of = |id: &str| packages.iter().find(|package| package["id"] == id);
    let root =
        packages.iter().find(|package| package["name"] == "packhouse").and_then(|package| package["id"].as_str());
    let root = root.ok_or_else(|| Failure::new("cargo's metadata has no package `packhouse`"))?;
    let checksums = checksums(release)?;
    let used = used(root, &edges);
    let component = |id: &&str| of(id).map(|package| component(package, &checksums));
    let mut components: Vec<Value> = used.iter().filter(|id| **id != root).filter_map(component).collect();
    let mut dependencies: Vec<Value> = used
        .iter()
        .filter_map(|id| {
            let names: BTreeSet<String> = edges[id].iter().filter_map(|id| of(id)).map(reference).collect();
            Some(json!({ "ref": reference(of(id)?), "dependsOn": names }))
        })
        .collect();
    components.push(c_library()?);
    components.sort_by_key(|component| component["bom-ref"].to_string());
    dependencies.sort_by_key(|dependency| dependency["ref"].to_string());
    let mut program = component(&root).unwrap_or_default();
    program["type"] = json!("application");
    let document = json!({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": { "timestamp": release.date()?, "component": program },
        "components": components, "dependencies": dependencies,
    });
    let text = serde_json::to_string_pretty(&document).attempt("cannot write the list of components")?;
    Ok(Artifact { name: format!("packhouse-{}.cdx.json", release.version), bytes: (text + "\n").into_bytes() })
}

/// Asks cargo for the packages of the shipped program only.
fn metadata(release: &Release) -> Result<Value> {
    let mut command = cargo::command("metadata");
    command.args(["--format-version", "1", "--locked", "--filter-platform", TARGET]).current_dir(&release.root);
    let output = command.output().attempt("cannot start cargo")?;
    if !output.status.success() {
        return Err(Failure::new(format!("`cargo metadata` failed: {}", String::from_utf8_lossy(&output.stderr))));
    }
    serde_json::from_slice(&output.stdout).attempt("cannot read cargo's metadata")
}

/// Returns what each package needs to build and to run, without what only its tests need.
fn edges(metadata: &Value) -> BTreeMap<&str, Vec<&str>> {
    let list = |value: &'_ Value| value.as_array().cloned().unwrap_or_default();
    let is_shipped = |dependency: &Value| list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"] != "dev");
    let nodes = metadata["resolve"]["nodes"].as_array().into_iter().flatten();
    let edges = nodes.filter_map(|node| {
        let needed = node["deps"].as_array()?.iter().filter(|dependency| is_shipped(dependency));
        Some((node["id"].as_str()?, needed.filter_map(|dependency| dependency["pkg"].as_str()).collect()))
    });
    edges.collect()
}

/// Returns a package and all that it needs, directly or not.
fn used<'a>(root: &'a str, edges: &BTreeMap<&'a str, Vec<&'a str>>) -> BTreeSet<&'a str> {
    let (mut used, mut next) = (BTreeSet::from([root]), vec![root]);
    while let Some(id) = next.pop() {
        next.extend(edges.get(id).into_iter().flatten().filter(|needed| used.insert(needed)));
    }
    used
}

/// Returns the checksums of the lock file, by name and version.
fn checksums(release: &Release) -> Result<BTreeMap<(String, String), String>> {
    let lock = String::from_utf8(release.read("Cargo.lock")?).attempt("Cargo.lock is no text")?;
    let lock: toml::Table = lock.parse().attempt("cannot parse Cargo.lock")?;
    let packages = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    let text = |package: &toml::Value, field: &str| Some(package.get(field)?.as_str()?.to_owned());
    let entry = |package| Some(((text(package, "name")?, text(package, "version")?), text(package, "checksum")?));
    Ok(packages.filter_map(entry).collect())
}

/// Describes the C library of this system, which is in the program.
fn c_library() -> Result<Value> {
    let getconf = Command::new("getconf").arg("GNU_LIBC_VERSION").output().attempt("cannot start `getconf`")?;
    let text = String::from_utf8_lossy(&getconf.stdout);
    let version = text.trim().strip_prefix("glibc ");
    let version = version.ok_or_else(|| Failure::new("the C library of this system is not glibc"))?;
    let reference = format!("pkg:generic/glibc@{version}");
    Ok(json!({
        "type": "library", "bom-ref": reference, "name": "glibc", "version": version, "purl": reference,
        "licenses": [{ "expression": "LGPL-2.1-or-later" }],
    }))
}

fn reference(package: &Value) -> String {
    let text = |field: &str| package[field].as_str().unwrap_or_default();
    format!("pkg:cargo/{}@{}", text("name"), text("version"))
}

fn component(package: &Value, checksums: &BTreeMap<(String, String), String>) -> Value {
    let text = |field: &str| package[field].as_str().unwrap_or_default().to_owned();
    let mut component = json!({
        "type": "library", "bom-ref": reference(package), "name": package["name"], "version": package["version"],
        "purl": reference(package),
    });
    if let Some(licence) = package["license"].as_str() {
        // An old way to write OR.
        component["licenses"] = json!([{ "expression": licence.replace('/', " OR ") }]);
    }
    if let Some(checksum) = checksums.get(&(text("name"), text("version"))) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    component
}
