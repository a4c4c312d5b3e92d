//! What pushes and yanks mean, and the answers to gem.

use std::collections::BTreeMap;

use model::{file_path::FilePath, names::VersionName};
use operations::format::{
    Accepted, Dialect, Native, NativeAnswer, NativeCall, NativeChange, NativeFile, NativeProfile, NativePublish,
    NativeRoute, PackageSummary, PackageView, Refusal, Rows, Sent,
};
use serde_json::{Value, json};

use super::{
    form,
    format::{Rubygems, UNNAMED},
    indexes::YANKED,
    layout,
    name::split_number,
    native::{self, YankTarget},
    routes::{PUSH, ROUTES, VERSIONS},
    specification::GemSpecification,
    version::{self, GemVersion},
};
use crate::{documents::seconds, indexed::decode, profile};

impl Native for Rubygems {
    fn dialect(&self) -> Dialect {
        Dialect::Line
    }

    fn routes(&self) -> &'static [NativeRoute] {
        ROUTES
    }

    fn unnamed_file(&self, call: &NativeCall<'_>) -> Option<FilePath> {
        FilePath::parse(UNNAMED).ok().filter(|_| call.route.path == PUSH)
    }

    fn accept(&self, call: &NativeCall<'_>, sent: &Sent) -> Result<Accepted, Refusal> {
        if call.route.path == PUSH {
            return publish_of(sent).map(|publish| Accepted::Publish(Box::new(publish))).map_err(Refusal::Invalid);
        }
        let fields = form::fields(&sent.document);
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let target = YankTarget::parse(&fields).map_err(Refusal::Invalid)?;
        let package = target.name.package().map_err(Refusal::Invalid)?;
        let versions = BTreeMap::from([(target.number(), Some(String::new()))]);
        Ok(Accepted::Changes(vec![NativeChange::Mark { package, mark: YANKED, versions }]))
    }

    fn answer(&self, call: &NativeCall<'_>, rows: &Rows) -> Option<NativeAnswer> {
        let document = match rows {
            Rows::Package(package) if call.route.path == VERSIONS => versions_document(package),
            Rows::Package(package) => gem_document(package)?,
            Rows::Packages { packages, .. } => packages.iter().filter_map(found).collect(),
            _ => return None,
        };
        Some(NativeAnswer { status: 200, media_type: "application/json", content: document.to_string() })
    }

    fn done(&self, _call: &NativeCall<'_>) -> NativeAnswer {
        line("OK".to_owned())
    }

    fn published(&self, _call: &NativeCall<'_>, publish: &NativePublish) -> NativeAnswer {
        line(native::registered(publish.package.as_str(), publish.version.as_str()))
    }

    fn changed(&self, call: &NativeCall<'_>, changes: &[NativeChange]) -> NativeAnswer {
        match changes {
            [NativeChange::Mark { package, versions, .. }] => {
                let number = versions.keys().next().map(String::as_str).unwrap_or_default();
                line(native::deleted(package.as_str(), number))
            }
            _ => self.done(call),
        }
    }

    /// `gem signin` stores the answer as the key for pushes.
    fn signed_in(&self, _call: &NativeCall<'_>, name: &str, key: &str) -> Option<NativeAnswer> {
        use base64::{Engine, engine::general_purpose::STANDARD};
        let is_access_key = name.contains('@');
        let token = if is_access_key { STANDARD.encode(format!("{name}:{key}")) } else { key.to_owned() };
        Some(line(token))
    }

    fn repeated(&self, publish: &NativePublish) -> Option<Refusal> {
        Some(Refusal::Conflict(exists(publish)))
    }

    fn conflict(&self, publish: &NativePublish, reason: String) -> Refusal {
        Refusal::Conflict(format!("{} {reason}", exists(publish)))
    }
}

fn exists(publish: &NativePublish) -> String {
    format!("Repushing of gem versions is not allowed: {} ({}) exists.", publish.package, publish.version)
}

fn line(content: String) -> NativeAnswer {
    NativeAnswer { status: 200, media_type: "text/plain; charset=utf-8", content }
}

fn publish_of(sent: &Sent) -> Result<NativePublish, String> {
    let about = sent.files.first().and_then(|file| file.about.as_deref()).ok_or("the request has no gem")?;
    let specification: GemSpecification = decode(about)?;
    Ok(NativePublish {
        package: specification.name.package()?,
        version: VersionName::parse(&specification.number()).map_err(|error| error.to_string())?,
        files: vec![NativeFile { part: 0, path: layout::path_of(&specification.full_name())?, metadata: None }],
        profile: profile_of(specification),
        tags: Vec::new(),
    })
}

fn profile_of(specification: GemSpecification) -> NativeProfile {
    let url = |name: &str| specification.metadata.get(name).cloned();
    profile::cleaned(NativeProfile {
        vcs: url("source_code_uri"),
        issue_tracker: url("bug_tracker_uri"),
        website: specification.homepage.clone().or_else(|| url("homepage_uri")),
        description: specification.description.or(Some(specification.summary)),
        licenses: specification.licenses,
        labels: Vec::new(),
    })
}

/// The versions that are not yanked, highest first.
fn listed(package: &PackageView) -> Vec<(&str, &str, String)> {
    let listed = package.versions.iter().filter(|version| version.mark(YANKED).is_none());
    let mut listed: Vec<_> = listed
        .map(|version| {
            let (number, platform) = split_number(version.name.as_str());
            (number, platform, seconds(version.published))
        })
        .collect();
    listed.sort_by(|one, other| version::compare(other.0, one.0));
    listed
}

fn is_prerelease(number: &str) -> bool {
    GemVersion::parse(number).is_ok_and(|version| version.is_prerelease())
}

fn versions_document(package: &PackageView) -> Value {
    let entry = |(number, platform, created): (&str, &str, String)| json!({ "number": number, "platform": platform, "prerelease": is_prerelease(number), "created_at": created });
    listed(package).into_iter().map(entry).collect()
}

fn gem_document(package: &PackageView) -> Option<Value> {
    let listed = listed(package);
    let newest = listed.iter().find(|(number, ..)| !is_prerelease(number)).or(listed.first())?;
    Some(json!({
        "name": package.name.as_str(), "version": newest.0, "platform": newest.1, "version_created_at": newest.2,
        "info": package.profile.description, "licenses": package.profile.licenses,
        "homepage_uri": package.profile.website_url, "source_code_uri": package.profile.vcs_url,
    }))
}

fn found(package: &PackageSummary) -> Option<Value> {
    let (version, platform) = split_number(package.latest_version.as_deref()?);
    Some(json!({
        "name": package.name, "version": version, "platform": platform, "info": package.description,
        "homepage_uri": package.website,
    }))
}

#[cfg(test)]
mod tests;
