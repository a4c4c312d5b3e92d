//! Checks the order of module groups inside a crate: a file may use its own group and lower ones.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The groups of a crate, from low to high. Groups in one row are siblings and may not use each other.
struct Groups {
    name: &'static str,
    /// Modules that every group may use, and that may use each other.
    floor: &'static [&'static str],
    order: &'static [&'static [&'static str]],
    /// Modules that may use everything and that no other module uses; their re-exports are at the root of the crate.
    roof: &'static [&'static str],
}

const GROUPS: &[Groups] = &[
    Groups {
        name: "database",
        floor: &["engine"],
        order: &[
            &["accounts"],
            &["access"],
            &["catalogue"],
            &["content"],
            &["oci"],
            &["indexes"],
            &["signing", "downloads", "events", "usage", "public_sync"],
            &["search"],
            &["maintenance"],
            &["testing"],
        ],
        roof: &[],
    },
    Groups {
        name: "operations",
        floor: &[
            "audit",
            "blocking",
            "cache",
            "caller",
            "change",
            "clock",
            "entropy",
            "error",
            "fault",
            "format",
            "geo",
            "guesses",
            "ids",
            "oidc",
            "outbound",
            "passwords",
            "rendering",
            "runner",
            "sealing",
            "secrets",
            "ticks",
            "to_end",
            "token",
        ],
        order: &[
            &["access"],
            &["events"],
            &["storage"],
            &["signing"],
            &["catalogue"],
            &["accounts"],
            &["indexes"],
            &["downloads"],
            &["content"],
            &["oci"],
            &["usage"],
            &["search"],
            &["native"],
            &["public_sync"],
            &["maintenance"],
        ],
        roof: &["house", "jobs", "open"],
    },
    Groups {
        name: "edge",
        floor: &[
            "backend",
            "body_watch",
            "client",
            "connections",
            "draining",
            "file_sender",
            "framing",
            "http_date",
            "options",
            "pace",
            "request_id",
            "security_headers",
            "tls",
        ],
        order: &[
            &["replay"],
            &["parser_state"],
            &["head_timer", "response_body"],
            &["service"],
            &["replayer"],
            &["guard"],
            &["http_connection"],
            &["listener"],
            &["testing"],
        ],
        roof: &[],
    },
    Groups {
        name: "cli",
        floor: &[
            "address",
            "client",
            "clock",
            "connection_args",
            "credentials",
            "digest",
            "error",
            "output",
            "passphrase",
            "pattern",
            "progress",
            "session",
            "text_file",
        ],
        order: &[&["account", "catalogue", "content", "insight"]],
        roof: &["command"],
    },
    Groups {
        name: "pages",
        floor: &[
            "address",
            "assets",
            "band",
            "breadcrumbs",
            "cookies",
            "csv",
            "errors",
            "layout",
            "natural",
            "notice",
            "pager",
            "parts",
            "sizes",
            "times",
            "visitor",
        ],
        order: &[
            &["form"],
            &["accounts", "docs", "folder", "statistics", "webhooks", "well_known"],
            &["admin", "browse"],
            &["manage"],
        ],
        roof: &[],
    },
    Groups {
        name: "server",
        floor: &["assembly", "exposition", "metrics", "target", "traces"],
        order: &[
            &["access", "accounts", "catalogue", "downloads", "events", "health", "public_sync", "signing", "usage"],
            &["content", "objects", "oci"],
            &["search"],
            &["state"],
            &["endpoints"],
            &["docs", "native"],
            &["jobs", "router"],
            &["service"],
            &["serve"],
        ],
        roof: &[],
    },
];

/// Known upward edges. The list may only get shorter.
const UPWARD: &[&str] = &[];

const RULE: &str = "a file may use its own group and lower ones; see GROUPS";

#[test]
fn no_group_names_a_higher_one() {
    let upward: BTreeSet<String> = GROUPS.iter().flat_map(upward_edges).collect();
    let allowed: BTreeSet<String> = UPWARD.iter().map(|edge| (*edge).to_owned()).collect();
    let new: Vec<&String> = upward.difference(&allowed).collect();
    assert!(new.is_empty(), "{new:#?}\n{RULE}");
    let gone: Vec<&String> = allowed.difference(&upward).collect();
    assert!(gone.is_empty(), "these edges no longer exist; remove them from UPWARD: {gone:#?}");
}

#[test]
fn every_module_has_its_group() {
    for groups in GROUPS {
        for entry in fs::read_dir(sources(groups.name)).expect("the sources are there") {
            let path = entry.expect("readable").path();
            let module = path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
            assert!(module == "lib" || groups.level(&module).is_some(), "{}: `{module}` has no group", groups.name);
        }
    }
}

impl Groups {
    /// Returns the level of a module: 0 for the floor; the roof is above all groups.
    fn level(&self, module: &str) -> Option<usize> {
        if self.floor.contains(&module) {
            return Some(0);
        }
        if self.roof.contains(&module) {
            return Some(self.order.len() + 1);
        }
        self.order.iter().position(|row| row.contains(&module)).map(|row| row + 1)
    }

    fn is_upward(&self, from: &str, to: &str) -> bool {
        let (Some(low), Some(high)) = (self.level(from), self.level(to)) else { return false };
        high > low || (high == low && low > 0 && from != to)
    }
}

/// Returns each use of a higher group, as `crate: file -> group`.
fn upward_edges(groups: &Groups) -> Vec<String> {
    let root = sources(groups.name);
    let mut edges = Vec::new();
    for file in rust_files(&root) {
        let inside = file.strip_prefix(&root).expect("a file of the crate");
        let first = inside.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
        let from = first.trim_end_matches(".rs");
        let is_test = inside.components().any(|part| part.as_os_str().to_string_lossy().contains("tests"));
        if from == "lib" || is_test {
            continue;
        }
        let text = fs::read_to_string(&file).expect("readable");
        for to in named_modules(code(&text)) {
            if groups.is_upward(from, &to) {
                edges.push(format!("{}: {} -> {to}", groups.name, inside.display()));
            }
        }
    }
    edges
}

/// Returns the part of a file before its tests.
fn code(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod ").next().unwrap_or(text)
}

/// Returns the modules at the crate's root that a text uses: after `crate::`, and in the trees of `use crate::{..}`.
fn named_modules(text: &str) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    for rest in lines_of_code(text).split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(tree) => named.extend(branches(tree)),
            None => named.extend(word(rest)),
        }
    }
    named
}

pub(crate) fn lines_of_code(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).flat_map(|line| [line, "\n"]).collect()
}

/// Returns the first words of the branches of a tree of imports, up to its closing brace.
fn branches(tree: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, letter) in tree.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' | ',' if depth == 0 => {
                found.extend(word(tree[start..at].trim_start()));
                start = at + 1;
                if letter == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    found
}

fn word(text: &str) -> Option<String> {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    (end > 0).then(|| text[..end].to_owned())
}

pub(crate) fn sources(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates").join(name).join("src")
}

pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}
