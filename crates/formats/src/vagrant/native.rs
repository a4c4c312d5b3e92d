//! The requests of Vagrant, and the upload of boxes.

use model::{file_path::FilePath, names::VersionName};
use operations::format::{
    Accepted, Body, Dialect, Native, NativeAnswer, NativeCall, NativeChange, NativeFile, NativeProfile, NativePublish,
    NativeRequest, NativeRoute, PackageSummary, Question, Refusal, Rows, Sent,
};

use super::{
    BoxName, BoxPath, BoxVersion, cloud, cloud_answers, document,
    format::Vagrant,
    layout::{DOCUMENTS, document_path, file_path},
    routes::ROUTES,
};
use crate::{base::REPO, documents::clean};

/// The number of matches of a search, unless the request says another.
const MATCHES: u64 = 10;

/// The maximum length of a description in the answer to a search.
const DESCRIPTION_CHARACTERS: usize = 500;

/// Vagrant takes an answer of another media type for the box itself.
pub(super) fn catalogue(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let name = call.value("name");
    let name = BoxName::parse(name.strip_suffix(".json").unwrap_or(name)).map_err(|_| Refusal::NotFound)?;
    let path = FilePath::parse(&document_path(&name)).map_err(|_| Refusal::NotFound)?;
    Ok(NativeRequest::Read { path, media_type: Some("application/json"), varies: false })
}

/// `vagrant cloud search` asks here. A box may have the same name.
pub(super) fn search_or_box(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    if call.query("q").is_some() {
        return search(call);
    }
    let path = FilePath::parse(&format!("{DOCUMENTS}search")).map_err(|_| Refusal::NotFound)?;
    Ok(NativeRequest::Read { path, media_type: Some("application/json"), varies: false })
}

pub(super) fn search(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let number = |name: &str| call.query(name).and_then(|text| text.parse::<u64>().ok());
    let limit = number("limit").unwrap_or(MATCHES);
    let offset = number("page").unwrap_or(1).saturating_sub(1).saturating_mul(limit);
    let text = call.query("q").unwrap_or_default().trim().to_owned();
    Ok(NativeRequest::Ask(Question::Search { text, offset, limit }))
}

/// A box without an architecture.
pub(super) fn read(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let path = written(call).and_then(|(path, ..)| parsed(&path)).map_err(|_| Refusal::NotFound)?;
    Ok(NativeRequest::Read { path, media_type: None, varies: false })
}

pub(super) fn upload(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    written(call).map_err(Refusal::Invalid)?;
    Ok(NativeRequest::Take(Body::Raw))
}

/// The path of a box with its name and version.
fn written(call: &NativeCall<'_>) -> Result<(String, BoxName, BoxVersion), String> {
    let values: Vec<&str> = ["name", "version", "provider", "architecture"].map(|name| call.value(name)).to_vec();
    let path = values.into_iter().filter(|value| !value.is_empty()).collect::<Vec<_>>().join("/");
    match BoxPath::parse(&format!("{path}.box"))? {
        BoxPath::File(name, version, provider, architecture) => {
            Ok((file_path(&name, &version, &provider, &architecture), name, version))
        }
        BoxPath::Document(_) | BoxPath::Search => Err("the path names no box".to_owned()),
    }
}

fn parsed(path: &str) -> Result<FilePath, String> {
    FilePath::parse_new(path).map_err(|error| error.to_string())
}

impl Native for Vagrant {
    fn dialect(&self) -> Dialect {
        Dialect::Message
    }

    fn routes(&self) -> &'static [NativeRoute] {
        ROUTES
    }

    fn accept(&self, call: &NativeCall<'_>, sent: &Sent) -> Result<Accepted, Refusal> {
        if cloud::is_cloud(call) && !cloud::is_upload(call) {
            return cloud::accept(call, sent);
        }
        if sent.files.len() != 1 {
            return Err(Refusal::Invalid("the body is not one box".to_owned()));
        }
        if cloud::is_upload(call) {
            return cloud::accept(call, sent);
        }
        let (path, name, version) = written(call).map_err(Refusal::Invalid)?;
        let version = VersionName::parse_new(version.as_str()).map_err(|error| Refusal::Invalid(error.to_string()))?;
        let path = parsed(&path).map_err(Refusal::Invalid)?;
        Ok(Accepted::Publish(Box::new(NativePublish {
            package: name.package().map_err(Refusal::Invalid)?,
            version,
            files: vec![NativeFile { part: 0, path, metadata: None }],
            profile: NativeProfile::default(),
            tags: Vec::new(),
        })))
    }

    /// What `vagrant cloud` uploads waits for its release.
    fn stages(&self, call: &NativeCall<'_>, _publish: &NativePublish) -> bool {
        cloud::is_upload(call)
    }

    fn answer(&self, call: &NativeCall<'_>, rows: &Rows) -> Option<NativeAnswer> {
        if cloud::is_cloud(call) {
            return cloud_answers::answer(call, rows);
        }
        let Rows::Packages { packages, .. } = rows else { return None };
        let boxes: Vec<(BoxName, String, BoxVersion)> = packages.iter().filter_map(found).collect();
        Some(NativeAnswer { status: 200, media_type: "application/json", content: document::search(REPO, &boxes) })
    }

    fn changed(&self, call: &NativeCall<'_>, changes: &[NativeChange]) -> NativeAnswer {
        cloud_answers::changed(call, changes)
    }

    fn signed_in(&self, _call: &NativeCall<'_>, name: &str, _key: &str) -> Option<NativeAnswer> {
        Some(cloud_answers::signed_in(name))
    }

    fn upload_to(&self, _call: &NativeCall<'_>, url: &str) -> Option<NativeAnswer> {
        Some(cloud_answers::upload_to(url))
    }

    fn done(&self, call: &NativeCall<'_>) -> NativeAnswer {
        if cloud::is_cloud(call) {
            return cloud_answers::done(call);
        }
        NativeAnswer { status: 201, media_type: "application/json", content: "{\"success\":true}".to_owned() }
    }
}

fn found(package: &PackageSummary) -> Option<(BoxName, String, BoxVersion)> {
    let description = clean(package.description.as_deref().unwrap_or_default(), DESCRIPTION_CHARACTERS);
    let version = BoxVersion::parse(package.latest_version.as_deref()?).ok()?;
    Some((BoxName::parse(&package.name).ok()?, description, version))
}

#[cfg(test)]
#[path = "native_tests.rs"]
mod tests;
