//! What uploads mean, and the answers to Composer.

use model::{file_path::FilePath, names::PackageName};
use operations::format::{
    Accepted, Dialect, Native, NativeAnswer, NativeCall, NativeFile, NativeProfile, NativePublish, NativeRoute,
    PackageSummary, Refusal, Rows, Sent, SentFile,
};
use serde_json::Value;

use super::{
    Stability,
    facts::ComposerFacts,
    filter::NameFilter,
    format::{Composer, UPLOADED},
    inspect::ComposerPackage,
    name::ComposerName,
    publish::{dist_path, version_of_upload},
    root::{self, ComposerHit},
    routes::{LIST, ROOT, ROUTES},
    version::ComposerVersion,
};
use crate::{indexed::decode, profile};

impl Native for Composer {
    fn dialect(&self) -> Dialect {
        Dialect::Warning
    }

    fn routes(&self) -> &'static [NativeRoute] {
        ROUTES
    }

    fn unnamed_file(&self, _call: &NativeCall<'_>) -> Option<FilePath> {
        FilePath::parse(UPLOADED).ok()
    }

    fn accept(&self, call: &NativeCall<'_>, sent: &Sent) -> Result<Accepted, Refusal> {
        let [SentFile { about: Some(about), .. }] = &sent.files[..] else {
            return Err(Refusal::Invalid("the body is not one zip".to_owned()));
        };
        let publish = publish_of(about, call.query("version")).map_err(Refusal::Invalid)?;
        Ok(Accepted::Publish(Box::new(publish)))
    }

    fn answer(&self, call: &NativeCall<'_>, rows: &Rows) -> Option<NativeAnswer> {
        let Rows::Packages { packages, total, .. } = rows else { return None };
        let content = match call.route.path {
            ROOT => root::root(Some(&names(packages))),
            LIST => {
                let filter = NameFilter::new(call.query("vendor"), call.query("filter"));
                let mut names = names(packages);
                names.retain(|name| filter.matches(name));
                root::list(&names)
            }
            _ => root::search(*total, &packages.iter().filter_map(hit).collect::<Vec<_>>()),
        };
        Some(json_answer(200, content))
    }

    fn done(&self, _call: &NativeCall<'_>) -> NativeAnswer {
        json_answer(201, "{\"status\":\"success\"}".to_owned())
    }

    fn replaces(&self, publish: &NativePublish) -> bool {
        ComposerVersion::of_version_name(&publish.version).is_some_and(|version| version.stability() == Stability::Dev)
    }

    fn conflict(&self, publish: &NativePublish, reason: String) -> Refusal {
        Refusal::Conflict(format!("version '{}' exists already, and releases never change: {reason}", publish.version))
    }
}

fn json_answer(status: u16, content: String) -> NativeAnswer {
    NativeAnswer { status, media_type: "application/json", content }
}

/// The files that an upload publishes.
fn publish_of(about: &[u8], version: Option<&str>) -> Result<NativePublish, String> {
    let package = decode::<ComposerFacts>(about)?.package()?;
    let version = version_of_upload(&package, version)?;
    let path = FilePath::parse_new(&dist_path(&package.name, &version)).map_err(|error| error.to_string())?;
    Ok(NativePublish {
        package: package.name.package()?,
        version: version.version_name()?,
        files: vec![NativeFile { part: 0, path, metadata: None }],
        profile: profile_of(&package),
        tags: Vec::new(),
    })
}

/// composer.json fills an empty profile only.
fn profile_of(package: &ComposerPackage) -> NativeProfile {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let texts = |key: &str| match package.document.get(key) {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(values)) => values.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    let support = |key: &str| text(package.document.get("support").and_then(|support| support.get(key)));
    profile::cleaned(NativeProfile {
        description: text(package.document.get("description")),
        licenses: texts("license").iter().flat_map(|names| profile::licenses(&names.replace(" or ", " OR "))).collect(),
        website: text(package.document.get("homepage")),
        vcs: support("source"),
        issue_tracker: support("issues"),
        labels: texts("keywords"),
    })
}

fn names(packages: &[PackageSummary]) -> Vec<ComposerName> {
    packages.iter().filter_map(|package| name_of(&package.name)).collect()
}

/// The name of a package; `None` for packages of another kind.
fn name_of(package: &str) -> Option<ComposerName> {
    ComposerName::of_package(&PackageName::parse(package).ok()?)
}

fn hit(package: &PackageSummary) -> Option<ComposerHit> {
    let name = name_of(&package.name).filter(|_| package.latest_version.is_some())?;
    let description = package.description.clone().unwrap_or_default();
    Some(ComposerHit { name, description, url: package.website.clone() })
}

#[cfg(test)]
mod tests;
