//! The files that a body lists, such as those of an upload of several requests.

use database::content::{blobs, files};
use model::{
    access::Right,
    address::{PackageAddress, VersionAddress},
    file::File,
};

use crate::{
    Caller, Error, House, Result, access, content, format::ListedFile, native::NativeUpload, signing::SigningOptions,
};

/// Versions with staged files that a body lists.
pub(super) struct ListedVersions<'h> {
    house: &'h House,
    caller: &'h Caller,
    versions: Vec<VersionAddress>,
}

/// Checks that the files exist with the content that the body says.
pub(super) async fn find<'h>(upload: &NativeUpload<'h>, listed: &[ListedFile]) -> Result<ListedVersions<'h>> {
    let (house, mut versions) = (upload.house, Vec::new());
    for listed in listed {
        let wrong = |how: &str| Error::Refused(format!("it lists '{}', which {how}", listed.path.file_name()));
        let found = find_file(upload, listed).await?;
        let (file, version) = found.ok_or_else(|| wrong("was not uploaded before it"))?;
        let is_staged = file.staged.is_some();
        let content = file.staged.or(file.published).ok_or_else(|| wrong("was not uploaded before it"))?;
        let blob = blobs::find(&house.db, content.blob_id).await?;
        if blob.is_none_or(|blob| blob.sha256 != listed.sha256) {
            return Err(wrong("was uploaded with other content"));
        }
        if is_staged && !versions.contains(&version) {
            versions.push(version);
        }
    }
    Ok(ListedVersions { house, caller: upload.caller, versions })
}

/// Finds a file of a version that the caller may publish.
async fn find_file(upload: &NativeUpload<'_>, listed: &ListedFile) -> Result<Option<(File, VersionAddress)>> {
    let (db, repo_id) = (&upload.house.db, upload.access.repo.id);
    let Some(file) = files::find(db, repo_id, &listed.path).await? else { return Ok(None) };
    let Some(owner) = files::find_owner(db, repo_id, &listed.path).await? else { return Ok(None) };
    let package = PackageAddress { repo: upload.at.clone(), package: owner.package };
    let version = VersionAddress { package, version: owner.version };
    match access::package(db, upload.caller, &version, Right::Publish).await {
        Ok(_) => Ok(Some((file, version))),
        Err(Error::NotFound { .. } | Error::Denied(_)) => Ok(None),
        Err(other) => Err(other),
    }
}

impl ListedVersions<'_> {
    /// Publishes what is staged in them.
    pub(super) async fn publish(self) -> Result<()> {
        for version in &self.versions {
            content::publish(self.house, self.caller, version, &SigningOptions::default()).await?;
        }
        Ok(())
    }
}
