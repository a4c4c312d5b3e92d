//! Folders of the download surface: a page for browsers, JSON for clients that ask for it.

use askama::Template;
use axum::{
    Json,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use model::target::Target;
use operations::downloads::{Entry, Folder};

use crate::pages::render_plain;

/// Answers with the folder at a target.
pub(super) fn respond(target: &Target, headers: &HeaderMap, folder: &Folder) -> Response {
    let mut response = if wants_json(headers) {
        Json(folder.entries.iter().map(item).collect::<Vec<_>>()).into_response()
    } else {
        page(target, folder)
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("sandbox; default-src 'none'; style-src 'self'; img-src 'self'"),
    );
    headers.insert(header::VARY, HeaderValue::from_static("accept, authorization"));
    response
}

/// Browsers accept HTML; programs that want JSON ask for it.
fn wants_json(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let (mut json, mut html) = (false, false);
    for value in accepted {
        json |= value.contains("application/json");
        html |= value.contains("text/html");
    }
    json && !html
}

fn item(entry: &Entry) -> api::FolderEntry {
    api::FolderEntry {
        name: entry.name.clone(),
        kind: if entry.file.is_some() { "file" } else { "folder" },
        size: entry.file.as_ref().map(|file| file.size),
        modified: entry.file.as_ref().map(|file| file.changed.to_string()),
        published: entry.file.as_ref().map(|file| file.is_published),
    }
}

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
fn page(target: &Target, folder: &Folder) -> Response {
    let last = target.segments.last().filter(|_| !target.is_folder);
    let address = |name: &String| {
        let segments = last.into_iter().chain([name]).cloned().collect();
        format!(".{}", Target { segments, ..Target::default() }.canonical_path())
    };
    let line = |entry: &Entry| {
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
