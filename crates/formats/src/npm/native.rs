//! What documents of npm's clients mean, and the answers to them.

use base64::{Engine, engine::general_purpose::STANDARD};
use model::names::{PackageName, VersionName};
use operations::format::{
    Accepted, Dialect, Native, NativeAnswer, NativeCall, NativeChange, NativeMethod, NativePublish, NativeRoute,
    Refusal, Rows, Sent,
};

use super::{
    answers::{self, FoundPackage},
    document::NpmDocument,
    format::Npm,
    indexes::{self, DEPRECATED},
    inspect,
    name::NpmName,
    packument::Packument,
    publish,
    rendered::RenderedFacts,
    routes::{PACKAGE, REVISION, ROUTES, TAG, TAGS},
    version,
};
use crate::readers::json;

impl Native for Npm {
    fn dialect(&self) -> Dialect {
        Dialect::Npm
    }

    fn routes(&self) -> &'static [NativeRoute] {
        ROUTES
    }

    fn accept(&self, call: &NativeCall<'_>, sent: &Sent) -> Result<Accepted, Refusal> {
        let name = NpmName::parse(call.value("package")).map_err(Refusal::Invalid)?;
        let package = PackageName::parse(&name.package()).map_err(|error| Refusal::Invalid(error.to_string()))?;
        if call.route.path == TAG {
            return set_tag(call, package, &sent.document).map_err(Refusal::Invalid);
        }
        let document = NpmDocument::parse(&name, &sent.document).map_err(Refusal::Invalid)?;
        if call.route.path == REVISION {
            return leave_versions(package, &document);
        }
        if document.is_publish() || !sent.files.is_empty() {
            let publish = publish::publish_of(package, &document, sent).map_err(Refusal::Invalid)?;
            return Ok(Accepted::Publish(Box::new(publish)));
        }
        let versions = document.deprecations().map_err(Refusal::Invalid)?;
        if versions.is_empty() {
            return Err(Refusal::Invalid("the document has no versions".to_owned()));
        }
        Ok(Accepted::Changes(vec![NativeChange::Mark { package, mark: DEPRECATED, versions }]))
    }

    fn check_metadata(&self, metadata: &[u8], about: &[u8]) -> Result<(), String> {
        let sent = json::parse(metadata)?;
        let sent = sent.as_object().ok_or("the version in the document is not an object")?;
        inspect::check_publish(sent, &RenderedFacts::decode(about)?.manifest()?)
    }

    fn answer(&self, call: &NativeCall<'_>, rows: &Rows) -> Option<NativeAnswer> {
        match rows {
            Rows::Caller(Some(name)) => Some(json_answer(200, answers::whoami(name))),
            Rows::Caller(None) => Some(json_answer(401, answers::error("You must be logged in."))),
            Rows::Packages { packages, total, at } => {
                let found = packages.iter().filter_map(|package| {
                    Some(FoundPackage {
                        name: NpmName::from_package(&package.name).ok()?.to_string(),
                        version: package.latest_version.clone()?,
                        description: package.description.clone(),
                        keywords: package.labels.clone(),
                        date: package.updated,
                        homepage: package.website.clone(),
                        publisher: None,
                    })
                });
                Some(json_answer(200, answers::search(&found.collect::<Vec<_>>(), *total, *at)))
            }
            Rows::Package(package) => {
                let name = NpmName::from_package(package.name.as_str()).ok()?;
                let show = |packument: &Packument<'_>| Ok(shown(call, packument));
                let content = indexes::with_packument(&name, package, show).ok()??;
                Some(json_answer(200, content))
            }
            _ => None,
        }
    }

    fn done(&self, call: &NativeCall<'_>) -> NativeAnswer {
        let is_new = call.route.method == NativeMethod::Put && [PACKAGE, TAG].contains(&call.route.path);
        json_answer(if is_new { 201 } else { 200 }, answers::done())
    }

    fn signed_in(&self, _call: &NativeCall<'_>, name: &str, key: &str) -> Option<NativeAnswer> {
        // The key of a user is enough as a token; an access key needs its name.
        let token = if name.contains('@') { STANDARD.encode(format!("{name}:{key}")) } else { key.to_owned() };
        Some(json_answer(201, answers::logged_in(name, &token)))
    }

    fn repeated(&self, publish: &NativePublish) -> Option<Refusal> {
        Some(Refusal::Forbidden(answers::published_before(publish.version.as_str())))
    }

    fn conflict(&self, publish: &NativePublish, _reason: String) -> Refusal {
        Refusal::Forbidden(answers::published_before(publish.version.as_str()))
    }
}

fn json_answer(status: u16, content: String) -> NativeAnswer {
    NativeAnswer { status, media_type: "application/json", content }
}

/// The document of the package's tags, or of its one version.
fn shown(call: &NativeCall<'_>, packument: &Packument<'_>) -> Option<String> {
    if call.route.path == TAGS {
        return Some(packument.dist_tags());
    }
    packument.versions.first().and_then(|version| packument.one(version.version))
}

fn set_tag(call: &NativeCall<'_>, package: PackageName, document: &[u8]) -> Result<Accepted, String> {
    let value = json::parse(document)?;
    let version = version::parse(value.as_str().ok_or("the version is not a JSON text")?)?;
    let version = VersionName::parse(&version.to_string()).map_err(|error| error.to_string())?;
    Ok(Accepted::Changes(vec![NativeChange::SetTag { package, tag: call.value("tag").to_owned(), version }]))
}

/// The document after versions were unpublished.
fn leave_versions(package: PackageName, document: &NpmDocument) -> Result<Accepted, Refusal> {
    match document.versions() {
        Some(versions) if versions.is_empty() => {
            Err(Refusal::Invalid("the document leaves out all versions: delete the package instead".to_owned()))
        }
        Some(versions) => Ok(Accepted::Changes(vec![NativeChange::KeepVersions { package, versions }])),
        None => Err(Refusal::Forbidden("owners are managed on the package's page".to_owned())),
    }
}

#[cfg(test)]
mod tests;
