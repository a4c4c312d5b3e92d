//! The links of all documents lead somewhere, and the index leads to every page.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut broken = Vec::new();
    let mut count = 0;
    for file in documents() {
        let text = fs::read_to_string(&file).expect("a document is a text");
        for link in links(&text) {
            count += 1;
            if !leads_somewhere(&file, link) {
                broken.push(format!("{}: {link}", file.display()));
            }
        }
    }
    assert!(count > 100, "only {count} links were found");
    assert!(broken.is_empty(), "links to nowhere:\n{}", broken.join("\n"));
}

#[test]
fn the_index_names_every_page() {
    let docs = top().join("docs");
    let index = fs::read_to_string(docs.join("README.md")).expect("the index");
    let linked: BTreeSet<&str> = links(&index).into_iter().map(|link| link.split('#').next().unwrap_or(link)).collect();
    let pages = ["", "migrate"].iter().flat_map(|folder| fs::read_dir(docs.join(folder)).expect("a folder"));
    let pages = pages.map(|entry| entry.expect("listed").path()).filter(|path| is_document(path));
    let names = pages.map(|path| path.strip_prefix(&docs).expect("below docs").display().to_string());
    let missing: Vec<String> = names.filter(|name| name != "README.md" && !linked.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "docs/README.md does not name {missing:?}");
}

fn leads_somewhere(from: &Path, link: &str) -> bool {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if path.is_empty() { from.to_owned() } else { from.parent().expect("a folder").join(path) };
    if !target.exists() {
        return false;
    }
    anchor.is_empty() || headings(&fs::read_to_string(target).unwrap_or_default()).contains(anchor)
}

/// The targets of the links in a document, without those to other servers and those in code.
fn links(text: &str) -> Vec<&str> {
    let mut is_code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if !is_code {
            found.extend(line.split("](").skip(1).filter_map(|rest| rest.split(')').next()));
        }
    }
    found.retain(|link| !link.contains("://") && !link.starts_with("mailto:") && !link.contains(' '));
    found
}

/// The anchors of the headings, as the pages of code hosts make them.
fn headings(text: &str) -> BTreeSet<String> {
    let slug = |heading: &str| {
        let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    };
    text.lines().filter(|line| line.starts_with('#')).map(|line| slug(line.trim_start_matches('#').trim())).collect()
}

pub(crate) fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in ["docs", "deploy", ""] {
        collect(&top().join(folder), !folder.is_empty(), &mut found);
    }
    found
}

fn collect(folder: &Path, is_deep: bool, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is readable") {
        let path = entry.expect("the folder is readable").path();
        if path.is_dir() && is_deep {
            collect(&path, true, found);
        } else if is_document(&path) {
            found.push(path);
        }
    }
}

fn is_document(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

fn top() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).expect("it exists")
}
