//! The requests of NuGet's clients. Packages, lists of versions and registrations of ids are files of the repository.

use std::collections::BTreeMap;

use model::{file_path::FilePath, names::PackageName};
use operations::format::{
    Body, NativeAnswer, NativeCall, NativeChange, NativeMethod, NativeRequest, NativeRoute, Question, Refusal,
};

use super::{id::NugetId, index, indexes::UNLISTED, layout::registration_path, search::HITS, version::NugetVersion};

/// The path of symbols.
pub(super) const SYMBOLS: &str = "symbols";

/// The path of the registration of one version.
pub(super) const LEAF: &str = "registration/{id}/{version}.json";

/// The path of searches and completions.
pub(super) const QUERY: &str = "query";

const TARGET: &str = "publish/{id}/{version}";

/// The number of matches on a page, unless the request says another.
const PAGE: u64 = 20;

/// The table. Clients append a slash to the URLs of pushes.
pub(super) static ROUTES: &[NativeRoute] = &[
    NativeRoute { method: NativeMethod::Get, path: "index.json", request: service_index },
    NativeRoute { method: NativeMethod::Put, path: "publish", request: push },
    NativeRoute { method: NativeMethod::Put, path: "publish/", request: push },
    NativeRoute { method: NativeMethod::Put, path: SYMBOLS, request: push },
    NativeRoute { method: NativeMethod::Put, path: "symbols/", request: push },
    NativeRoute { method: NativeMethod::Delete, path: TARGET, request: unlist },
    NativeRoute { method: NativeMethod::Post, path: TARGET, request: list },
    NativeRoute { method: NativeMethod::Get, path: "registration/{id}/index.json", request: registration },
    NativeRoute { method: NativeMethod::Get, path: LEAF, request: leaf },
    NativeRoute { method: NativeMethod::Get, path: QUERY, request: search },
    NativeRoute { method: NativeMethod::Get, path: "autocomplete", request: complete },
];

fn service_index(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let content = index::service_index();
    Ok(NativeRequest::Say(NativeAnswer { status: 200, media_type: "application/json", content }))
}

fn push(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Take(Body::Multipart))
}

fn unlist(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    mark(call, Some(String::new()))
}

fn list(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    mark(call, None)
}

fn mark(call: &NativeCall<'_>, text: Option<String>) -> Result<NativeRequest, Refusal> {
    let package = package(&id(call)?)?;
    let versions = BTreeMap::from([(version(call)?.lower(), text)]);
    Ok(NativeRequest::Change(vec![NativeChange::Mark { package, mark: UNLISTED, versions }]))
}

fn registration(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let path = FilePath::parse(&registration_path(&id(call)?)).map_err(|_| Refusal::NotFound)?;
    Ok(NativeRequest::Read { path, media_type: None, varies: false })
}

fn leaf(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Ask(Question::Version(package(&id(call)?)?, version(call)?.lower())))
}

fn search(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let number = |name: &str| call.query(name).and_then(|text| text.parse::<u64>().ok());
    let text = call.query("q").unwrap_or_default().trim();
    // Clients ask for one package in these words.
    let prefixes = ["packageid:", "id:"];
    let named = prefixes.iter().find_map(|prefix| text.strip_prefix(prefix)).unwrap_or(text);
    Ok(NativeRequest::Ask(Question::SearchVersions {
        text: named.trim_matches('"').to_owned(),
        offset: number("skip").unwrap_or_default(),
        limit: number("take").unwrap_or(PAGE).min(HITS as u64),
    }))
}

fn complete(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    match call.query("id") {
        Some(id) => {
            let id = NugetId::parse(id).map_err(|_| Refusal::NotFound)?;
            Ok(NativeRequest::Ask(Question::Package(package(&id)?)))
        }
        None => search(call),
    }
}

fn id(call: &NativeCall<'_>) -> Result<NugetId, Refusal> {
    NugetId::parse(call.value("id")).map_err(|_| Refusal::NotFound)
}

fn version(call: &NativeCall<'_>) -> Result<NugetVersion, Refusal> {
    NugetVersion::parse(call.value("version")).map_err(|_| Refusal::NotFound)
}

fn package(id: &NugetId) -> Result<PackageName, Refusal> {
    PackageName::parse(&id.lower()).map_err(|_| Refusal::NotFound)
}
