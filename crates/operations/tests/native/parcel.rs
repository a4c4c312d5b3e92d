//! A small format with native requests: a parcel is one file of one version.

use std::cmp::Ordering;

use model::{
    file_path::FilePath,
    names::{PackageName, VersionName},
};
use operations::format::{
    Accepted, Content, Dialect, Format, Inspected, Native, NativeAnswer, NativeCall, NativeChange, NativeFile,
    NativeMethod, NativeProfile, NativePublish, NativeRequest, NativeRoute, PathKind, PathOwner, Question, Refusal,
    ReleaseFile, Rows, Sent,
};

/// The format.
#[derive(Debug)]
pub(crate) struct Parcel;

/// The formats of the tests; the first has no native requests.
pub(crate) static FORMATS: &[&dyn Format] = &[&Plain, &Parcel];

/// A format without native requests.
#[derive(Debug)]
struct Plain;

impl Format for Plain {
    fn name(&self) -> &'static str {
        "generic"
    }

    fn title(&self) -> &'static str {
        "Files"
    }

    fn classify(&self, _path: &FilePath) -> Result<PathKind, String> {
        Ok(PathKind::Payload(PathOwner::default()))
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        left.cmp(right)
    }

    fn is_prerelease(&self, _version: &str) -> bool {
        false
    }

    fn release_gaps(&self, _files: &[ReleaseFile]) -> Vec<String> {
        Vec::new()
    }
}

impl Format for Parcel {
    fn name(&self) -> &'static str {
        "npm"
    }

    fn title(&self) -> &'static str {
        "Parcels"
    }

    fn classify(&self, path: &FilePath) -> Result<PathKind, String> {
        if path.as_str().starts_with("index") { Ok(PathKind::Index) } else { Plain.classify(path) }
    }

    fn inspects(&self, _path: &FilePath) -> bool {
        true
    }

    fn inspect(&self, _path: &FilePath, content: &mut dyn Content) -> Result<Inspected, String> {
        let mut about = Vec::new();
        content.read_to_end(&mut about).map_err(|error| error.to_string())?;
        if about.starts_with(b"bad") {
            return Err("The parcel is bad".into());
        }
        Ok(Inspected { facts: None, about: Some(about) })
    }

    fn compare(&self, left: &str, right: &str) -> Ordering {
        left.cmp(right)
    }

    fn is_prerelease(&self, version: &str) -> bool {
        version.contains('-')
    }

    fn native(&self) -> Option<&dyn Native> {
        Some(self)
    }

    fn release_gaps(&self, _files: &[ReleaseFile]) -> Vec<String> {
        Vec::new()
    }
}

/// The one route of the format.
pub(crate) static ROUTE: NativeRoute = NativeRoute {
    method: NativeMethod::Get,
    path: "parcels/{package}",
    request: |_| Ok(NativeRequest::Ask(Question::Repo)),
};

impl Native for Parcel {
    fn dialect(&self) -> Dialect {
        Dialect::Message
    }

    fn routes(&self) -> &'static [NativeRoute] {
        std::slice::from_ref(&ROUTE)
    }

    /// The form has `package`, `version`, and any of `tag`, `desc`, `website`, `license`, `path`, `metadata`, `keep`.
    fn accept(&self, _call: &NativeCall<'_>, sent: &Sent) -> Result<Accepted, Refusal> {
        let field = |name: &str| sent.fields.iter().find(|(found, _)| found == name).map(|(_, value)| value.clone());
        let invalid = |error: &dyn ToString| Refusal::Invalid(error.to_string());
        let package = field("package").ok_or_else(|| Refusal::Invalid("There is no package".into()))?;
        let package = PackageName::parse(&package).map_err(|error| invalid(&error))?;
        if let Some(keep) = field("keep") {
            let versions = vec![keep];
            return Ok(Accepted::Changes(vec![NativeChange::KeepVersions { package, versions }]));
        }
        let version = VersionName::parse(&field("version").unwrap_or_default()).map_err(|error| invalid(&error))?;
        let path = field("path").unwrap_or_else(|| format!("{package}-{version}.parcel"));
        let path = FilePath::parse(&path).map_err(|error| invalid(&error))?;
        let metadata = field("metadata").map(String::into_bytes);
        let profile = NativeProfile {
            description: field("desc"),
            website: field("website"),
            licenses: field("license").into_iter().collect(),
            ..NativeProfile::default()
        };
        let tags = field("tag").into_iter().collect();
        let files = vec![NativeFile { part: 0, path, metadata }];
        Ok(Accepted::Publish(Box::new(NativePublish { package, version, files, profile, tags })))
    }

    fn check_metadata(&self, metadata: &[u8], about: &[u8]) -> Result<(), String> {
        if metadata == about { Ok(()) } else { Err("The metadata differs".into()) }
    }

    fn answer(&self, _call: &NativeCall<'_>, rows: &Rows) -> Option<NativeAnswer> {
        let text = match rows {
            Rows::Repo { is_private } => format!("private {is_private}"),
            Rows::Packages { packages, total, .. } => {
                let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
                format!("{} of {total}", names.join(" "))
            }
            Rows::Publishers(users) => users.iter().map(|user| user.name.as_str()).collect::<Vec<_>>().join(" "),
            Rows::Caller(name) => name.clone()?,
            Rows::Found { .. } | Rows::Versions(_) | Rows::Drafts(_) => return None,
            Rows::Package(package) => {
                let mut words = vec![package.name.to_string()];
                for version in &package.versions {
                    words.push(version.name.to_string());
                    words.extend(version.marks.iter().map(|mark| format!("!{}={}", mark.name, mark.text)));
                    words.extend(version.files.iter().map(|file| format!("/{}:{}", file.path, file.size_bytes)));
                }
                words.extend(package.tags.iter().map(|(tag, version)| format!("@{tag}={version}")));
                words.join(" ")
            }
        };
        Some(NativeAnswer { status: 200, media_type: "text/plain", content: text })
    }

    fn done(&self, _call: &NativeCall<'_>) -> NativeAnswer {
        NativeAnswer { status: 201, media_type: "text/plain", content: "done".into() }
    }

    fn repeated(&self, publish: &NativePublish) -> Option<Refusal> {
        publish.package.as_str().starts_with("once").then(|| Refusal::Conflict("It exists once".into()))
    }

    fn conflict(&self, _publish: &NativePublish, reason: String) -> Refusal {
        Refusal::Forbidden(format!("No: {reason}"))
    }
}
