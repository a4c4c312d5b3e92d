//! Pages of the simple API: a project's files and the list of projects, as JSON and as HTML (PEP 503, 592, 658, 691,
//! 700, 714).

#[cfg(test)]
mod tests;

use std::fmt::Write;

use model::timestamp::Timestamp;
use serde_json::{Value, json};

use super::{
    html::{encode_segment, escape},
    version,
};

/// The version of the API that pages have.
const API_VERSION: &str = "1.1";

/// A distribution file on the page of its project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimpleFile {
    /// Its name.
    pub file_name: String,
    /// The name of its version.
    pub version: String,
    /// The SHA-256 of its content, in hexadecimal digits.
    pub sha256: String,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// The time it was published.
    pub uploaded: Timestamp,
    /// The versions of Python that it runs on.
    pub requires_python: Option<String>,
    /// The SHA-256 of its metadata file, which only wheels have.
    pub metadata_sha256: Option<String>,
    /// The reason why its version is yanked, which may be empty; `None` if it is not yanked.
    pub yanked: Option<String>,
}

/// The page of a project as JSON. The name is in its normal form.
pub fn project_json(name: &str, files: &[SimpleFile]) -> String {
    let files = in_order(files);
    let mut versions: Vec<&str> = files.iter().map(|file| file.version.as_str()).collect();
    versions.dedup();
    let files: Vec<Value> = files.iter().map(|file| file_json(name, file)).collect();
    json!({ "meta": { "api-version": API_VERSION }, "name": name, "versions": versions, "files": files }).to_string()
}

fn file_json(name: &str, file: &SimpleFile) -> Value {
    // The time has milliseconds; the API's example has microseconds.
    let uploaded = file.uploaded.to_string().replace('Z', "000Z");
    let mut entry = json!({
        "filename": file.file_name,
        "url": url(name, file),
        "hashes": { "sha256": file.sha256 },
        "size": file.size_bytes,
        "upload-time": uploaded,
        "yanked": file.yanked.as_ref().map_or(Value::Bool(false), |reason| yanked_json(reason)),
    });
    if let Some(requires_python) = &file.requires_python {
        entry["requires-python"] = json!(requires_python);
    }
    if let Some(sha256) = &file.metadata_sha256 {
        entry["core-metadata"] = json!({ "sha256": sha256 });
        entry["dist-info-metadata"] = json!({ "sha256": sha256 });
    }
    entry
}

fn yanked_json(reason: &str) -> Value {
    if reason.is_empty() { Value::Bool(true) } else { Value::from(reason) }
}

/// The page of a project as HTML. The name is in its normal form.
pub fn project_html(name: &str, files: &[SimpleFile]) -> String {
    let title = format!("Links for {}", escape(name));
    let mut page = head(&title);
    let _ = writeln!(page, "<h1>{title}</h1>");
    for file in in_order(files) {
        let _ = write!(page, "<a href=\"{}#sha256={}\"", escape(&url(name, file)), escape(&file.sha256));
        if let Some(requires_python) = &file.requires_python {
            let _ = write!(page, " data-requires-python=\"{}\"", escape(requires_python));
        }
        if let Some(sha256) = &file.metadata_sha256 {
            let sha256 = escape(sha256);
            let _ = write!(page, " data-core-metadata=\"sha256={sha256}\" data-dist-info-metadata=\"sha256={sha256}\"");
        }
        if let Some(reason) = &file.yanked {
            let _ = write!(page, " data-yanked=\"{}\"", escape(reason));
        }
        let _ = writeln!(page, ">{}</a><br/>", escape(&file.file_name));
    }
    page + "</body>\n</html>\n"
}

/// The list of projects as JSON, by their normal names.
pub fn list_json(projects: &[&str]) -> String {
    let projects: Vec<Value> = projects.iter().map(|name| json!({ "name": name })).collect();
    json!({ "meta": { "api-version": API_VERSION }, "projects": projects }).to_string()
}

/// The list of projects as HTML, by their normal names.
pub fn list_html(projects: &[&str]) -> String {
    let mut page = head("Simple index");
    for name in projects {
        let _ = writeln!(page, "<a href=\"{}/\">{}</a><br/>", escape(&encode_segment(name)), escape(name));
    }
    page + "</body>\n</html>\n"
}

fn head(title: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html>\n<head>\n<meta name=\"pypi:repository-version\" content=\"{API_VERSION}\">\n\
         <title>{title}</title>\n</head>\n<body>\n"
    )
}

/// The URL of a file, relative to the page of its project.
fn url(name: &str, file: &SimpleFile) -> String {
    let [name, version, file_name] = [name, &file.version, &file.file_name].map(encode_segment);
    format!("../../packages/{name}/{version}/{file_name}")
}

/// Orders files by version, then by name.
fn in_order(files: &[SimpleFile]) -> Vec<&SimpleFile> {
    let mut files: Vec<&SimpleFile> = files.iter().collect();
    files.sort_by_cached_key(|file| (version::sort_key(&file.version), file.file_name.clone()));
    files
}
