//! Pages of the simple API: a project's files and the list of projects, as JSON and as HTML (PEP 503, 592, 658, 691,
//! 700, 714).

#[cfg(test)]
mod tests;

use std::fmt::Write;

use model::{index_frame, timestamp::Timestamp};
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    html::{encode_segment, escape},
    version,
};

/// The version of the API that pages have.
const API_VERSION: &str = "1.1";

/// The end of HTML pages.
const END: &str = "</body>\n</html>\n";

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

/// The section of files on the JSON page.
pub const FILES: u8 = 0;

/// The section of versions, which the JSON page has, too.
pub const VERSIONS: u8 = 1;

/// The section of links on the HTML page.
pub const LINKS: u8 = 2;

/// What files add to the sections of the pages of their project. The name is in its normal form.
pub fn sections(name: &str, files: &[SimpleFile]) -> Vec<String> {
    let files = in_order(files);
    let entries: Vec<String> = files.iter().map(|file| file_json(name, file)).collect();
    let mut versions: Vec<&str> = files.iter().map(|file| file.version.as_str()).collect();
    versions.dedup();
    let versions: Vec<String> = versions.into_iter().map(|version| Value::from(version).to_string()).collect();
    let links: String = files.iter().map(|file| link(name, file)).collect();
    vec![entries.join(","), versions.join(","), links]
}

/// The page of a project as JSON, with places for its sections. The name is in its normal form.
pub fn json_frame(name: &str) -> String {
    let (files, versions) = (index_frame::place(FILES, ","), index_frame::place(VERSIONS, ","));
    let (meta, name) = (json!({ "api-version": API_VERSION }), Value::from(name));
    format!("{{\"meta\":{meta},\"name\":{name},\"files\":[{files}],\"versions\":[{versions}]}}")
}

/// The page of a project as HTML, with a place for its section. The name is in its normal form.
pub fn html_frame(name: &str) -> String {
    let title = format!("Links for {}", escape(name));
    format!("{}<h1>{title}</h1>\n{}{END}", head(&title), index_frame::place(LINKS, ""))
}

/// A file on the JSON page.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct FileEntry<'f> {
    filename: &'f str,
    url: String,
    hashes: Hashes<'f>,
    size: u64,
    upload_time: String,
    yanked: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    requires_python: Option<&'f str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    core_metadata: Option<Hashes<'f>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dist_info_metadata: Option<Hashes<'f>>,
}

#[derive(Serialize, Clone, Copy)]
struct Hashes<'f> {
    sha256: &'f str,
}

fn file_json(name: &str, file: &SimpleFile) -> String {
    let metadata = file.metadata_sha256.as_deref().map(|sha256| Hashes { sha256 });
    let entry = FileEntry {
        filename: &file.file_name,
        url: url(name, file),
        hashes: Hashes { sha256: &file.sha256 },
        size: file.size_bytes,
        // The time has milliseconds; the API's example has microseconds.
        upload_time: file.uploaded.to_string().replace('Z', "000Z"),
        yanked: file.yanked.as_ref().map_or(Value::Bool(false), |reason| yanked_json(reason)),
        requires_python: file.requires_python.as_deref(),
        core_metadata: metadata,
        dist_info_metadata: metadata,
    };
    serde_json::to_string(&entry).expect("an entry has text keys")
}

fn yanked_json(reason: &str) -> Value {
    if reason.is_empty() { Value::Bool(true) } else { Value::from(reason) }
}

fn link(name: &str, file: &SimpleFile) -> String {
    let mut link = format!("<a href=\"{}#sha256={}\"", escape(&url(name, file)), escape(&file.sha256));
    if let Some(requires_python) = &file.requires_python {
        let _ = write!(link, " data-requires-python=\"{}\"", escape(requires_python));
    }
    if let Some(sha256) = &file.metadata_sha256 {
        let sha256 = escape(sha256);
        let _ = write!(link, " data-core-metadata=\"sha256={sha256}\" data-dist-info-metadata=\"sha256={sha256}\"");
    }
    if let Some(reason) = &file.yanked {
        let _ = write!(link, " data-yanked=\"{}\"", escape(reason));
    }
    let _ = writeln!(link, ">{}</a><br/>", escape(&file.file_name));
    link
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
    page + END
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
