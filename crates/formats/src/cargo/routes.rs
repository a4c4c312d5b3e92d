//! The requests of Cargo. The files of the index and the crates need no routes: they are files of the repository.

use std::collections::BTreeMap;

use model::names::PackageName;
use operations::format::{
    Body, NativeAnswer, NativeCall, NativeChange, NativeMethod, NativeRequest, NativeRoute, Question, Refusal,
};

use super::{indexes::YANKED, name::CrateName, version};

/// The path of the publish call.
pub(super) const PUBLISH: &str = "api/v1/crates/new";

/// The table.
pub(super) static ROUTES: &[NativeRoute] = &[
    NativeRoute { method: NativeMethod::Get, path: "config.json", request: config },
    NativeRoute { method: NativeMethod::Put, path: PUBLISH, request: publish },
    NativeRoute { method: NativeMethod::Delete, path: "api/v1/crates/{crate}/{version}/yank", request: yank },
    NativeRoute { method: NativeMethod::Put, path: "api/v1/crates/{crate}/{version}/unyank", request: unyank },
    NativeRoute { method: NativeMethod::Get, path: "api/v1/crates/{crate}/owners", request: owners },
    NativeRoute { method: NativeMethod::Put, path: "api/v1/crates/{crate}/owners", request: change_owners },
    NativeRoute { method: NativeMethod::Delete, path: "api/v1/crates/{crate}/owners", request: change_owners },
    NativeRoute { method: NativeMethod::Get, path: "api/v1/crates", request: search },
    NativeRoute { method: NativeMethod::Get, path: "me", request: me },
];

/// The number of matches on a page, unless the request says another.
const PAGE: u64 = 10;

/// The maximum number of matches on a page.
const LARGEST_PAGE: u64 = 100;

fn config(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Ask(Question::Repo))
}

fn publish(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Take(Body::Framed))
}

fn yank(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    mark(call, Some(String::new()))
}

fn unyank(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    mark(call, None)
}

fn mark(call: &NativeCall<'_>, text: Option<String>) -> Result<NativeRequest, Refusal> {
    let package = package(call)?;
    let version = version::parse(call.value("version")).map_err(|_| Refusal::NotFound)?;
    let versions = BTreeMap::from([(version.to_string(), text)]);
    Ok(NativeRequest::Change(vec![NativeChange::Mark { package, mark: YANKED, versions }]))
}

fn owners(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    package(call).map(|_| NativeRequest::Ask(Question::Publishers))
}

fn change_owners(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Err(Refusal::Forbidden("owners are managed on the package's page".to_owned()))
}

fn search(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let number = |name: &str| call.query(name).and_then(|text| text.parse::<u64>().ok());
    let limit = number("per_page").unwrap_or(PAGE).clamp(1, LARGEST_PAGE);
    let offset = number("page").unwrap_or(1).saturating_sub(1).saturating_mul(limit);
    let text = call.query("q").unwrap_or_default().to_owned();
    Ok(NativeRequest::Ask(Question::Search { text, offset, limit }))
}

fn me(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let content = "Create an API key on the page of your profile, and paste it as the token.\n".to_owned();
    Ok(NativeRequest::Say(NativeAnswer { status: 200, media_type: "text/plain; charset=utf-8", content }))
}

fn package(call: &NativeCall<'_>) -> Result<PackageName, Refusal> {
    let name = CrateName::parse(call.value("crate")).map_err(|_| Refusal::NotFound)?;
    PackageName::parse(name.as_str()).map_err(|_| Refusal::NotFound)
}
