//! Publishes the files of a native request.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use model::{
    address::{PackageAddress, VersionAddress},
    id::PackageId,
    names::{PackageName, VersionName},
};

use crate::{
    Error, Result,
    access::PackageScope,
    content::{self, NativeArrival, NativeContent, NativeTerms, record_native},
    format::{Format, NativeCall, NativeFile, NativePublish, PathKind},
    native::{NativeUpload, profile, tag_names::check_tag},
    signing::SigningOptions,
};

/// Stores the files, and records them with their package and version in one transaction.
#[boxed::future]
pub(super) async fn run(upload: NativeUpload<'_>, call: &NativeCall<'_>, publish: NativePublish) -> Result<()> {
    let (house, caller, native, format) = (upload.house, upload.caller, upload.native, upload.format());
    check(format, &publish)?;
    let package = PackageAddress { repo: upload.at, package: publish.package.clone() };
    let version = VersionAddress { package, version: publish.version.clone() };
    let terms = NativeTerms {
        native,
        profile: profile::valid(house, &publish.profile),
        publish,
        package_id: PackageId::new(house.next_id()),
        now: house.clock.now(),
        is_repeated: AtomicBool::new(false),
    };
    // Nothing is stored for a caller who may publish in another package only.
    let first = terms.publish.files.first().map(|file| PackageScope::file(&version, &file.path));
    let package = terms.find(&house.db, caller, first.unwrap_or_else(|| (&version).into())).await?;
    let is_staged = package.repo.repo.profile.native_staged;
    let is_published = !is_staged && !native.stages(call, &terms.publish);
    let completed = Some(version.clone()).filter(|_| !is_staged && native.completes(&terms.publish));
    let files = pair(&terms.publish.files, upload.files)?;
    let arrival = NativeArrival { version, package: Arc::new(package), format, is_published, files };
    match record_native(house, caller, arrival, &terms).await {
        Err(Error::Conflict(reason)) if !terms.is_repeated.load(Ordering::Relaxed) => {
            return Err(native.conflict(&terms.publish, reason).into());
        }
        other => other?,
    }
    if let Some(version) = completed {
        content::publish(house, caller, &version, &SigningOptions::default()).await?;
    }
    Ok(())
}

/// Rejects what no file, package or tag may be called, whatever the format says.
fn check(format: &dyn Format, publish: &NativePublish) -> Result<()> {
    let refused = |reason: &dyn ToString| Error::Refused(reason.to_string());
    PackageName::parse_new(publish.package.as_str()).map_err(|error| refused(&error))?;
    VersionName::parse_new(publish.version.as_str()).map_err(|error| refused(&error))?;
    if publish.files.is_empty() {
        return Err(Error::Refused("The request has no file".into()));
    }
    for file in &publish.files {
        match format.classify(&file.path).map_err(Error::Refused)? {
            PathKind::Payload(_) => {
                let (package, version) = (publish.package.as_str(), publish.version.as_str());
                format.check_owner(&file.path, package, version).map_err(Error::Refused)?;
            }
            PathKind::Checksum(_) | PathKind::Index | PathKind::Reserved => {
                return Err(Error::Refused(format!("'{}' is a name that the server needs itself", file.path)));
            }
        }
    }
    publish.tags.iter().try_for_each(|tag| check_tag(tag))
}

/// Puts each file of the publish together with its bytes.
fn pair(files: &[NativeFile], parts: Vec<NativeContent>) -> Result<Vec<(NativeFile, NativeContent)>> {
    let paths: BTreeSet<_> = files.iter().map(|file| &file.path).collect();
    let mut parts: Vec<Option<NativeContent>> = parts.into_iter().map(Some).collect();
    let mut pairs = Vec::new();
    for file in files {
        match parts.get_mut(file.part).and_then(Option::take).filter(|_| paths.len() == files.len()) {
            Some(part) => pairs.push((file.clone(), part)),
            None => {
                return Err(Error::Refused(format!("The file '{}' must be in the request exactly once", file.path)));
            }
        }
    }
    Ok(pairs)
}
