//! The requests of gem and Bundler. Indexes and gems need no routes: they are files of the repository.

use model::names::PackageName;
use operations::format::{Body, NativeAnswer, NativeCall, NativeMethod, NativeRequest, NativeRoute, Question, Refusal};

use super::name::GemName;

/// The path of a push.
pub(super) const PUSH: &str = "api/v1/gems";

/// The document of a gem, and the list of its versions.
pub(super) const GEM: &str = "api/v1/gems/{gem}.json";
pub(super) const VERSIONS: &str = "api/v1/versions/{gem}.json";

/// The maximum size of the form of a yank.
const FORM_BYTES: usize = 16 * 1024;

/// The number of matches of a search.
const MATCHES: u64 = 30;

/// The table.
pub(super) static ROUTES: &[NativeRoute] = &[
    NativeRoute { method: NativeMethod::Post, path: PUSH, request: push },
    NativeRoute { method: NativeMethod::Delete, path: "api/v1/gems/yank", request: yank },
    NativeRoute { method: NativeMethod::Get, path: "api/v1/api_key", request: sign_in },
    NativeRoute { method: NativeMethod::Post, path: "api/v1/api_key", request: sign_in },
    NativeRoute { method: NativeMethod::Get, path: "api/v1/profile/me.yaml", request: profile },
    NativeRoute { method: NativeMethod::Get, path: GEM, request: gem },
    NativeRoute { method: NativeMethod::Get, path: VERSIONS, request: gem },
    NativeRoute { method: NativeMethod::Get, path: "api/v1/search.json", request: search },
];

fn push(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Take(Body::Raw))
}

fn yank(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Take(Body::Text(FORM_BYTES)))
}

fn sign_in(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::SignInByHeader)
}

/// `gem signin` asks whether keys need a second factor.
fn profile(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let content = "---\nmfa: disabled\n".to_owned();
    Ok(NativeRequest::Say(NativeAnswer { status: 200, media_type: "application/yaml", content }))
}

fn gem(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Ask(Question::Package(package(call.value("gem"))?)))
}

fn search(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let page = call.query("page").and_then(|page| page.parse::<u64>().ok()).unwrap_or(1);
    let offset = page.saturating_sub(1).saturating_mul(MATCHES);
    let text = call.query("query").unwrap_or_default().to_owned();
    Ok(NativeRequest::Ask(Question::Search { text, offset, limit: MATCHES }))
}

fn package(name: &str) -> Result<PackageName, Refusal> {
    GemName::parse(name).and_then(|name| name.package()).map_err(|_| Refusal::NotFound)
}
