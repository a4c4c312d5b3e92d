//! The page of a folder on the download surface. It has no layout: it is the same for everyone who may see the folder.

use askama::Template;
use axum::response::Response;
use model::target::Target;
use operations::downloads::{Folder, FolderEntry};

use crate::layout::render_plain;

#[derive(Template)]
#[template(path = "folder.html")]
struct Page {
    title: String,
    has_parent: bool,
    parent: &'static str,
    lines: Vec<Line>,
    is_cut: bool,
}

struct Line {
    name: String,
    address: String,
    size: String,
    changed: String,
    is_staged: bool,
}

/// Renders the folder as a page. Links are relative to the client's URL, because hosts and proxies may change the path
/// in front: `./name` below a URL that ends in a slash, else `./folder/name`.
pub fn page(target: &Target, folder: &Folder) -> Response {
    let last = target.segments.last().filter(|_| !target.is_folder);
    let address = |name: &String| {
        let segments = last.into_iter().chain([name]).cloned().collect();
        format!(".{}", Target { segments, ..Target::default() }.canonical_path())
    };
    let line = |entry: &FolderEntry| {
        let slash = if entry.file.is_some() { "" } else { "/" };
        Line {
            name: format!("{}{slash}", entry.name),
            address: format!("{}{slash}", address(&entry.name)),
            size: entry.file.as_ref().map(|file| file.size.to_string()).unwrap_or_default(),
            changed: entry.file.as_ref().map(|file| file.changed.to_string()).unwrap_or_default(),
            is_staged: entry.file.as_ref().is_some_and(|file| !file.is_published),
        }
    };
    let page = Page {
        title: target.segments.get(1..).unwrap_or_default().join("/"),
        has_parent: target.segments.len() > 3,
        parent: if target.is_folder { "../" } else { "./" },
        lines: folder.entries.iter().map(line).collect(),
        is_cut: folder.is_cut,
    };
    render_plain(&page)
}
