//! The requests of npm, pnpm and yarn.

use model::{
    file_path::FilePath,
    names::{PackageName, VersionName},
};
use operations::format::{
    Body, NativeAnswer, NativeCall, NativeChange, NativeMethod, NativeRequest, NativeRoute, Question, Refusal,
};

use super::{
    layout,
    name::NpmName,
    packument::{ABBREVIATED_TYPE, wants_abbreviated},
    tag,
};

/// Paths whose answers differ.
pub(super) const PACKAGE: &str = "{@package}";
pub(super) const REVISION: &str = "{@package}/-rev/{revision}";
pub(super) const TAGS: &str = "-/package/{@package}/dist-tags";
pub(super) const TAG: &str = "-/package/{@package}/dist-tags/{tag}";

/// The table.
pub(super) static ROUTES: &[NativeRoute] = &[
    NativeRoute { method: NativeMethod::Get, path: "-/ping", request: nothing },
    NativeRoute { method: NativeMethod::Get, path: "-/whoami", request: whoami },
    NativeRoute { method: NativeMethod::Get, path: "-/v1/search", request: search },
    NativeRoute { method: NativeMethod::Post, path: "-/npm/v1/security/advisories/bulk", request: nothing },
    NativeRoute { method: NativeMethod::Post, path: "-/npm/v1/security/audits/quick", request: nothing },
    NativeRoute { method: NativeMethod::Post, path: "-/v1/login", request: no_web_login },
    NativeRoute { method: NativeMethod::Put, path: "-/user/org.couchdb.user:{name}", request: sign_in },
    NativeRoute { method: NativeMethod::Delete, path: "-/user/token/{token}", request: nothing },
    NativeRoute { method: NativeMethod::Get, path: TAGS, request: tags },
    NativeRoute { method: NativeMethod::Put, path: TAG, request: set_tag },
    NativeRoute { method: NativeMethod::Delete, path: TAG, request: delete_tag },
    NativeRoute { method: NativeMethod::Put, path: REVISION, request: document },
    NativeRoute { method: NativeMethod::Delete, path: REVISION, request: delete_package },
    // npm sends the path of the tarball's URL below the URL of the registry, so folders may precede the name.
    NativeRoute { method: NativeMethod::Delete, path: "{package*}/-/{file}/-rev/{revision}", request: delete_tarball },
    NativeRoute { method: NativeMethod::Put, path: PACKAGE, request: document },
    NativeRoute { method: NativeMethod::Get, path: "{@package}/{version}", request: version },
    NativeRoute { method: NativeMethod::Get, path: PACKAGE, request: packument },
];

/// The maximum size of a tag's version as a JSON text.
const VERSION_BYTES: usize = 1_000;

/// The number of matches of a search, unless the request says another.
const MATCHES: u64 = 20;

fn nothing(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let content = "{}".to_owned();
    Ok(NativeRequest::Say(NativeAnswer { status: 200, media_type: "application/json", content }))
}

fn whoami(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Ask(Question::Caller))
}

/// npm then asks for the user's name and password.
fn no_web_login(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Err(Refusal::NotFound)
}

fn sign_in(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::SignIn)
}

fn search(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let number = |name: &str| call.query(name).and_then(|text| text.parse::<u64>().ok());
    let text = call.query("text").unwrap_or_default().to_owned();
    let (offset, limit) = (number("from").unwrap_or_default(), number("size").unwrap_or(MATCHES));
    Ok(NativeRequest::Ask(Question::Search { text, offset, limit }))
}

fn tags(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Ask(Question::Package(package(call)?)))
}

fn set_tag(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    package(call)?;
    tag::check(call.value("tag")).map_err(Refusal::Invalid)?;
    Ok(NativeRequest::Take(Body::Text(VERSION_BYTES)))
}

fn delete_tag(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let tag = call.value("tag").to_owned();
    Ok(NativeRequest::Change(vec![NativeChange::DeleteTag { package: package(call)?, tag }]))
}

fn document(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    NpmName::parse(call.value("package")).map_err(Refusal::Invalid)?;
    Ok(NativeRequest::Take(Body::NpmDocument))
}

fn delete_package(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Change(vec![NativeChange::DeletePackage { package: package(call)? }]))
}

fn delete_tarball(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let mut folders: Vec<&str> = call.value("package").split('/').collect();
    let base = folders.pop().unwrap_or_default();
    let name = match folders.pop() {
        Some(scope) if scope.starts_with('@') => format!("{scope}/{base}"),
        _ => base.to_owned(),
    };
    let path = FilePath::parse(&format!("{name}/-/{}", call.value("file"))).map_err(|_| Refusal::NotFound)?;
    let (name, version) = layout::parse(&path).map_err(|_| Refusal::NotFound)?;
    let package = PackageName::parse(&name.package()).map_err(|_| Refusal::NotFound)?;
    let version = VersionName::parse(&version.to_string()).map_err(|_| Refusal::NotFound)?;
    Ok(NativeRequest::Change(vec![NativeChange::DeleteVersion { package, version }]))
}

fn version(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Ask(Question::Version(package(call)?, call.value("version").to_owned())))
}

fn packument(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let name = NpmName::parse(call.value("package")).map_err(|_| Refusal::NotFound)?;
    let (folder, media_type) = if wants_abbreviated(call.accept) {
        (layout::ABBREVIATED, ABBREVIATED_TYPE)
    } else {
        (layout::FULL, "application/json")
    };
    let path = FilePath::parse(&format!("{folder}{name}")).map_err(|_| Refusal::NotFound)?;
    Ok(NativeRequest::Read { path, media_type: Some(media_type), varies: true })
}

fn package(call: &NativeCall<'_>) -> Result<PackageName, Refusal> {
    let name = NpmName::parse(call.value("package")).map_err(|_| Refusal::NotFound)?;
    PackageName::parse(&name.package()).map_err(|_| Refusal::NotFound)
}

#[cfg(test)]
mod tests;
