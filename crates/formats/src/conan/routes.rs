//! The requests of Conan.

use model::{file_path::FilePath, names::PackageName};
use operations::format::{
    Body, NativeAnswer, NativeCall, NativeChange, NativeMethod, NativeRequest, NativeRoute, Question, Refusal,
};

use super::{
    layout::ConanFile,
    reference::ConanReference,
    revision::{ConanPackageId, RevisionId},
};

macro_rules! below {
    ($rest:literal) => {
        concat!("v2/conans/{name}/{version}/{user}/{channel}", $rest)
    };
}

pub(super) const SEARCH: &str = "v2/conans/search";
pub(super) const LATEST: &str = below!("/latest");
pub(super) const REVISIONS: &str = below!("/revisions");
pub(super) const FILES: &str = below!("/revisions/{revision}/files");
pub(super) const PACKAGES: &str = below!("/search");
pub(super) const PACKAGES_OF: &str = below!("/revisions/{revision}/search");
pub(super) const PACKAGE_LATEST: &str = below!("/revisions/{revision}/packages/{id}/latest");
pub(super) const PACKAGE_REVISIONS: &str = below!("/revisions/{revision}/packages/{id}/revisions");
pub(super) const PACKAGE_FILES: &str = below!("/revisions/{revision}/packages/{id}/revisions/{package_revision}/files");
const FILE: &str = below!("/revisions/{revision}/files/{file}");
const PACKAGE_FILE: &str = below!("/revisions/{revision}/packages/{id}/revisions/{package_revision}/files/{file}");

/// The table.
pub(super) static ROUTES: &[NativeRoute] = &[
    NativeRoute { method: NativeMethod::Get, path: "v1/ping", request: ping },
    NativeRoute { method: NativeMethod::Get, path: "v2/ping", request: ping },
    NativeRoute { method: NativeMethod::Get, path: "v2/users/authenticate", request: sign_in },
    NativeRoute { method: NativeMethod::Get, path: "v2/users/check_credentials", request: check_credentials },
    NativeRoute { method: NativeMethod::Get, path: SEARCH, request: search },
    NativeRoute { method: NativeMethod::Get, path: LATEST, request: ask },
    NativeRoute { method: NativeMethod::Get, path: REVISIONS, request: ask },
    NativeRoute { method: NativeMethod::Get, path: PACKAGES, request: ask },
    NativeRoute { method: NativeMethod::Get, path: FILES, request: ask },
    NativeRoute { method: NativeMethod::Get, path: PACKAGES_OF, request: ask },
    NativeRoute { method: NativeMethod::Get, path: PACKAGE_LATEST, request: ask },
    NativeRoute { method: NativeMethod::Get, path: PACKAGE_REVISIONS, request: ask },
    NativeRoute { method: NativeMethod::Get, path: PACKAGE_FILES, request: ask },
    NativeRoute { method: NativeMethod::Get, path: FILE, request: fetch },
    NativeRoute { method: NativeMethod::Get, path: PACKAGE_FILE, request: fetch },
    NativeRoute { method: NativeMethod::Put, path: FILE, request: upload },
    NativeRoute { method: NativeMethod::Put, path: PACKAGE_FILE, request: upload },
    NativeRoute { method: NativeMethod::Delete, path: below!(""), request: delete },
    NativeRoute { method: NativeMethod::Delete, path: below!("/revisions/{revision}"), request: delete },
    NativeRoute { method: NativeMethod::Delete, path: below!("/revisions/{revision}/packages"), request: delete },
    NativeRoute { method: NativeMethod::Delete, path: below!("/revisions/{revision}/packages/{id}"), request: delete },
    NativeRoute {
        method: NativeMethod::Delete,
        path: below!("/revisions/{revision}/packages/{id}/revisions/{package_revision}"),
        request: delete,
    },
];

fn ping(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    say(String::new())
}

fn say(content: String) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Say(NativeAnswer { status: 200, media_type: "text/plain; charset=utf-8", content }))
}

fn sign_in(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::IssueToken)
}

/// Callers without credentials are asked for them, as when they sign in.
fn check_credentials(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    match call.user {
        Some(name) => say(name.to_owned()),
        None => sign_in(call),
    }
}

fn search(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let pattern = call.query("q").unwrap_or_default();
    let name = pattern.split_once('/').map(|(name, _)| name);
    let exact = name.filter(|name| !name.contains(['*', '?', '[']));
    Ok(NativeRequest::Ask(Question::Versions(exact.and_then(|name| PackageName::parse(name).ok()))))
}

fn ask(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let reference = reference(call)?;
    let (package, version) = owner(&reference)?;
    Ok(NativeRequest::Ask(Question::Version(package, version)))
}

fn fetch(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let file = file(call).map_err(|_| Refusal::NotFound)?;
    let path = FilePath::parse(&file.path()).map_err(|_| Refusal::NotFound)?;
    Ok(NativeRequest::Read { path, media_type: None, varies: false })
}

fn upload(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    file(call).map(|_| NativeRequest::Take(Body::Raw)).map_err(Refusal::Invalid)
}

fn delete(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let reference = reference(call)?;
    let package = reference.package().map_err(|_| Refusal::NotFound)?;
    let version = reference.version_name().map_err(|_| Refusal::NotFound)?;
    if call.value("revision").is_empty() {
        return Ok(NativeRequest::Change(vec![NativeChange::DeleteVersion { package, version }]));
    }
    let revision = RevisionId::parse(call.value("revision")).map_err(|_| Refusal::NotFound)?;
    let mut folder = format!("{}/{}/", reference.path(), revision.as_str());
    if call.route.path.contains("/packages") {
        folder.push_str("package/");
    }
    if !call.value("id").is_empty() {
        let id = ConanPackageId::parse(call.value("id")).map_err(|_| Refusal::NotFound)?;
        folder.push_str(&format!("{}/", id.as_str()));
    }
    if !call.value("package_revision").is_empty() {
        let revision = RevisionId::parse(call.value("package_revision")).map_err(|_| Refusal::NotFound)?;
        folder.push_str(&format!("{}/", revision.as_str()));
    }
    Ok(NativeRequest::Change(vec![NativeChange::DeleteFolder { package, version, folder }]))
}

/// The recipe that a request names.
pub(super) fn reference(call: &NativeCall<'_>) -> Result<ConanReference, Refusal> {
    let value = |name| call.value(name);
    ConanReference::parse(value("name"), value("version"), value("user"), value("channel"))
        .map_err(|_| Refusal::NotFound)
}

fn owner(reference: &ConanReference) -> Result<(PackageName, String), Refusal> {
    let package = reference.package().map_err(|_| Refusal::NotFound)?;
    let version = reference.version_name().map_err(|_| Refusal::NotFound)?;
    Ok((package, version.to_string()))
}

/// The file that a request names.
pub(super) fn file(call: &NativeCall<'_>) -> Result<ConanFile, String> {
    let value = |name| call.value(name);
    let reference = ConanReference::parse(value("name"), value("version"), value("user"), value("channel"))?;
    let (start, revision, name) = (reference.path(), value("revision"), value("file"));
    ConanFile::parse(&match value("id") {
        "" => format!("{start}/{revision}/export/{name}"),
        id => format!("{start}/{revision}/package/{id}/{}/{name}", value("package_revision")),
    })
}
