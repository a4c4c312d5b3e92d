//! Folders of the download surface: a page for browsers, JSON for clients that ask for it.

use axum::{
    Json,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use model::target::Target;
use operations::downloads::{Folder, FolderEntry};
use pages::folder;

/// Answers with the folder at a target.
pub(super) fn respond(target: &Target, headers: &HeaderMap, folder: &Folder) -> Response {
    let mut response = if wants_json(headers) {
        Json(folder.entries.iter().map(item).collect::<Vec<_>>()).into_response()
    } else {
        folder::page(target, folder)
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

fn item(entry: &FolderEntry) -> api::FolderEntry {
    api::FolderEntry {
        name: entry.name.clone(),
        kind: if entry.file.is_some() { "file" } else { "folder" },
        size: entry.file.as_ref().map(|file| file.size),
        modified: entry.file.as_ref().map(|file| file.changed.to_string()),
        published: entry.file.as_ref().map(|file| file.is_published),
    }
}
