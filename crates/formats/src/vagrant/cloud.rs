//! The calls with which `vagrant cloud` publishes boxes: a box, a version, a provider, an upload, a release.
//!
//! The URL of the repository is the server of these calls, and its name is the organization. A provider exists as soon
//! as its box is uploaded. A version is staged until it is released.

use std::collections::BTreeMap;

use model::{
    file_path::FilePath,
    names::{PackageName, VersionName},
};
use operations::format::{
    Accepted, Body, NativeCall, NativeChange, NativeFile, NativeMethod, NativeProfile, NativePublish, NativeRequest,
    Question, Refusal, Sent,
};

use super::{
    BoxArchitecture, BoxName, BoxProvider, BoxVersion, cloud_body,
    layout::{file_path, folder_path},
    routes::{AUTHENTICATE, BOX, BOXES_OF, CREATE, UPLOAD, UPLOAD_OF, VERSIONS},
};

/// The mark of versions that were revoked.
const REVOKED: &str = "yanked";

/// The maximum size of a body of JSON.
const BODY_BYTES: usize = 256 << 10;

/// The maximum number of boxes in a list.
const BOXES: u64 = 250;

/// Whether a call is one of these.
pub(super) fn is_cloud(call: &NativeCall<'_>) -> bool {
    let path = call.route.path;
    [AUTHENTICATE, BOXES_OF, CREATE].contains(&path) || path.starts_with(BOX)
}

/// Whether a call uploads a box, which stays staged until its version is released.
pub(super) fn is_upload(call: &NativeCall<'_>) -> bool {
    call.route.method == NativeMethod::Put && [UPLOAD, UPLOAD_OF].contains(&call.route.path)
}

/// Answers who has signed in.
pub(super) fn authenticate(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::SignInByHeader)
}

pub(super) fn list(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    check_owner(call.value("owner"), call)?;
    Ok(NativeRequest::Ask(Question::Search { text: String::new(), offset: 0, limit: BOXES }))
}

pub(super) fn show(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let package = CloudBox::of(call).map_err(not_found)?.package;
    let version = Some(call.value("version")).filter(|number| !number.is_empty()).map(str::to_owned);
    Ok(NativeRequest::Ask(Question::Drafts { package, version }))
}

pub(super) fn create(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Take(Body::Text(BODY_BYTES)))
}

pub(super) fn take(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    CloudBox::of(call)?;
    Ok(NativeRequest::Take(Body::Text(BODY_BYTES)))
}

pub(super) fn begin_upload(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    CloudBox::of(call)?.path()?;
    let path = call.route.path.strip_suffix("/direct").unwrap_or(call.route.path);
    let filled = |segment: &str| match segment.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
        Some(name) => call.value(name).to_owned(),
        None => segment.to_owned(),
    };
    Ok(NativeRequest::BeginUpload(path.split('/').map(filled).collect::<Vec<String>>().join("/")))
}

pub(super) fn upload(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    CloudBox::of(call)?.path()?;
    Ok(NativeRequest::Take(Body::Raw))
}

pub(super) fn release(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let at = CloudBox::of(call)?;
    let (package, version) = (at.package.clone(), at.version_name()?);
    Ok(NativeRequest::Change(vec![NativeChange::PublishStaged { package, version }, at.mark(None)]))
}

pub(super) fn revoke(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Change(vec![CloudBox::of(call)?.mark(Some(String::new()))]))
}

pub(super) fn delete(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let at = CloudBox::of(call)?;
    let package = at.package.clone();
    let change = match (&at.version, &at.provider) {
        (None, _) => NativeChange::DeletePackage { package },
        (Some(_), None) => NativeChange::DeleteVersion { package, version: at.version_name()? },
        (Some(number), Some(provider)) => {
            let folder = match &at.architecture {
                Some(architecture) => file_path(&at.name, number, provider, architecture),
                None => folder_path(&at.name, number, provider),
            };
            NativeChange::DeleteFolder { package, version: at.version_name()?, folder }
        }
    };
    Ok(NativeRequest::Change(vec![change]))
}

/// Interprets a body.
pub(super) fn accept(call: &NativeCall<'_>, sent: &Sent) -> Result<Accepted, Refusal> {
    if is_upload(call) {
        let at = CloudBox::of(call)?;
        let files = vec![NativeFile { part: 0, path: at.path()?, metadata: None }];
        let (version, profile, tags) = (at.version_name()?, NativeProfile::default(), Vec::new());
        return Ok(Accepted::Publish(Box::new(NativePublish { package: at.package, version, files, profile, tags })));
    }
    let body = cloud_body::CloudBody::parse(&sent.document).map_err(Refusal::Invalid)?;
    let described = if call.route.path == CREATE {
        check_owner(body.username.as_deref().unwrap_or_default(), call)?;
        let name = BoxName::parse(body.name.as_deref().unwrap_or_default()).map_err(Refusal::Invalid)?;
        (name.package().map_err(Refusal::Invalid)?, None)
    } else {
        let at = CloudBox::of(call)?;
        let number = if call.route.path == VERSIONS { body.version.as_deref() } else { None };
        let number = number.map(BoxVersion::parse).transpose().map_err(Refusal::Invalid)?.or(at.version.clone());
        (at.package, number.map(|number| version_name(&number)).transpose()?)
    };
    if call.route.path == VERSIONS && described.1.is_none() {
        return Err(Refusal::Invalid("the body names no version".to_owned()));
    }
    let (package, version) = described;
    Ok(Accepted::Changes(vec![NativeChange::Describe { package, version, description: body.description }]))
}

/// The box that the path of a call names.
pub(super) struct CloudBox {
    pub(super) name: BoxName,
    pub(super) package: PackageName,
    version: Option<BoxVersion>,
    provider: Option<BoxProvider>,
    architecture: Option<BoxArchitecture>,
}

impl CloudBox {
    pub(super) fn of(call: &NativeCall<'_>) -> Result<Self, Refusal> {
        check_owner(call.value("owner"), call)?;
        let value = |name: &str| Some(call.value(name)).filter(|value| !value.is_empty());
        let name = BoxName::parse(call.value("name")).map_err(Refusal::Invalid)?;
        Ok(Self {
            package: name.package().map_err(Refusal::Invalid)?,
            name,
            version: value("version").map(BoxVersion::parse).transpose().map_err(Refusal::Invalid)?,
            provider: value("provider").map(BoxProvider::parse).transpose().map_err(Refusal::Invalid)?,
            architecture: value("architecture").map(BoxArchitecture::parse).transpose().map_err(Refusal::Invalid)?,
        })
    }

    fn version_name(&self) -> Result<VersionName, Refusal> {
        self.version.as_ref().map_or(Err(Refusal::NotFound), version_name)
    }

    /// The path of the box file.
    fn path(&self) -> Result<FilePath, Refusal> {
        let (Some(version), Some(provider)) = (&self.version, &self.provider) else { return Err(Refusal::NotFound) };
        let architecture = self.architecture.clone().unwrap_or_else(BoxArchitecture::unknown);
        let path = file_path(&self.name, version, provider, &architecture);
        FilePath::parse_new(&path).map_err(|error| Refusal::Invalid(error.to_string()))
    }

    fn mark(&self, text: Option<String>) -> NativeChange {
        let number = self.version.as_ref().map(BoxVersion::as_str).unwrap_or_default().to_owned();
        let versions = BTreeMap::from([(number, text)]);
        NativeChange::Mark { package: self.package.clone(), mark: REVOKED, versions }
    }
}

fn version_name(number: &BoxVersion) -> Result<VersionName, Refusal> {
    VersionName::parse_new(number.as_str()).map_err(|error| Refusal::Invalid(error.to_string()))
}

/// The repository is the only organization below its URL.
fn check_owner(owner: &str, call: &NativeCall<'_>) -> Result<(), Refusal> {
    if owner.eq_ignore_ascii_case(call.repo) { Ok(()) } else { Err(Refusal::NotFound) }
}

/// A name that nothing can have is missing when it is read.
fn not_found(_: Refusal) -> Refusal {
    Refusal::NotFound
}

#[cfg(test)]
#[path = "cloud_tests.rs"]
mod tests;
