//! Layers are crates: compares the allowed dependencies, which are listed here, with the manifests.

mod compiled_once;
mod groups;
mod operator;

use std::{collections::BTreeSet, fs, path::Path};

/// A crate, and the crates of this workspace that it may use.
struct Layer {
    name: &'static str,
    may_use: &'static [&'static str],
}

const LAYERS: &[Layer] = &[
    Layer { name: "model", may_use: &[] },
    Layer { name: "boxed", may_use: &[] },
    Layer { name: "api", may_use: &[] },
    Layer { name: "database", may_use: &["model"] },
    Layer { name: "blobs", may_use: &["model"] },
    Layer { name: "operations", may_use: &["model", "boxed", "database", "blobs"] },
    Layer { name: "formats", may_use: &["model", "operations"] },
    Layer { name: "settings", may_use: &["model"] },
    Layer { name: "edge", may_use: &["model"] },
    Layer { name: "web", may_use: &["model", "api", "operations", "settings", "edge"] },
    Layer { name: "pages", may_use: &["model", "operations", "settings", "web"] },
    Layer {
        name: "server",
        may_use: &["model", "api", "blobs", "operations", "formats", "settings", "edge", "web", "pages"],
    },
    Layer { name: "cli", may_use: &["api"] },
    Layer { name: "packhouse", may_use: &["model", "operations", "settings", "server", "cli"] },
    Layer { name: "suite", may_use: &["model", "api", "database", "blobs", "operations", "settings", "server"] },
];

/// Libraries that belong to a layer, and the crates that may depend on them.
const OWNED: &[(&str, &[&str])] = &[
    ("axum", &["web", "pages", "server"]),
    ("askama", &["pages"]),
    ("hyper", &["edge"]),
    ("http", &["settings", "edge"]),
    ("tokio-rustls", &["edge"]),
    ("rusqlite", &["database"]),
    ("tokio-postgres", &["database"]),
    ("deadpool-postgres", &["database"]),
    ("object_store", &["blobs"]),
    ("syn", &["boxed"]),
];

const RULE: &str = "layers are crates: model <- database, blobs <- operations <- formats <- server; edge, settings <- web <- pages <- server; api <- web, cli";

#[test]
fn no_crate_uses_what_stands_above_it() {
    for layer in LAYERS {
        let used = dependencies(layer.name);
        let crates: Vec<&String> = used.iter().filter(|name| LAYERS.iter().any(|layer| layer.name == *name)).collect();
        let upward: Vec<_> = crates.iter().filter(|name| !layer.may_use.contains(&name.as_str())).collect();
        assert!(upward.is_empty(), "`{}` uses {upward:?}; {RULE}", layer.name);
    }
}

#[test]
fn each_library_stays_in_its_layer() {
    for (library, owners) in OWNED {
        let users: Vec<&str> =
            LAYERS.iter().map(|layer| layer.name).filter(|name| dependencies(name).contains(*library)).collect();
        let strangers: Vec<_> = users.iter().filter(|name| !owners.contains(name)).collect();
        assert!(strangers.is_empty(), "`{library}` is used by {strangers:?} and belongs to {owners:?}; {RULE}");
    }
}

/// The modules of `model` that the edge may use: nothing about packages.
const EDGE_MODEL: [&str; 3] = ["model::target", "model::timestamp", "model::access::Country"];

#[test]
fn the_edge_knows_no_packages() {
    let strange = |line: &str| line.contains("model::") && !EDGE_MODEL.iter().any(|module| line.contains(module));
    for path in groups::rust_files(&groups::sources("edge")) {
        let text = fs::read_to_string(&path).expect("readable");
        let lines: Vec<&str> = text.lines().filter(|line| strange(line)).collect();
        assert!(lines.is_empty(), "{}: {lines:?}; the edge may name {EDGE_MODEL:?}", path.display());
    }
}

#[test]
fn every_crate_has_its_place() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let crates: BTreeSet<String> = fs::read_dir(folder)
        .expect("the crates are there")
        .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
        .collect();
    let layers: BTreeSet<String> = LAYERS.iter().map(|layer| layer.name.to_owned()).collect();
    assert_eq!(crates, layers, "a new crate needs a line in LAYERS; {RULE}");
}

/// Returns the dependencies in the crate's manifest, without those of its tests, which may use more.
fn dependencies(name: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates").join(name).join("Cargo.toml");
    let manifest: toml::Table = fs::read_to_string(path).expect("readable").parse().expect("a manifest");
    manifest["dependencies"].as_table().expect("a table").keys().cloned().collect()
}
