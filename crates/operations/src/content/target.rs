//! The target of an upload: everything that can be found, and rejected, before a byte of the body is read.

use std::sync::Arc;

use database::{catalogue::versions, content::files};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress, VersionAddress},
    checksum::ChecksumFile,
    file_path::FilePath,
    id::RepoId,
    names::{PackageName, VersionName},
};

use crate::{
    Caller, Error, House, PackageAccess, Result,
    access::{self, PackageScope},
    accounts::storage_quotas::{self, By},
    catalogue::window,
    content::ExpectedChecksums,
    format::{Format, Inspected, PathKind, PathOwner, UploadHints},
    signing::{self, SigningOptions},
};

/// Bodies up to this size arrive together with the head of the request.
const SMALL_BYTES: u64 = 64 << 10;

/// The target of an upload, as its request names it.
#[derive(Debug, Clone)]
pub struct UploadTarget {
    /// The repository.
    pub repo: RepoAddress,
    /// The package, which must exist.
    pub package: PackageName,
    /// The version; a path in Maven's layout contains it.
    pub version: Option<VersionName>,
    /// The path in the repository.
    pub path: FilePath,
    /// Further options.
    pub flags: UploadFlags,
    /// What the upload says about the place of the file in indexes: parameters of the format, each with its value.
    pub hints: Vec<(String, String)>,
}

/// The options of an upload.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UploadFlags {
    /// Publish the file at once.
    pub publish: bool,
    /// Replace different content at the same path.
    pub replace: bool,
    /// The body is an archive to unpack into separate files.
    pub explode: bool,
}

/// The purpose of an upload's body.
pub(super) enum UploadKind {
    /// A file of this version of the package, whose repository has this format.
    File(VersionAddress, Arc<PackageAccess>, &'static dyn Format),
    /// A checksum to compare with a file of the repository with this id.
    Checksum(RepoId, ChecksumFile),
    /// An index that the server builds itself.
    Index,
}

impl UploadTarget {
    fn package(&self) -> PackageAddress {
        PackageAddress { repo: self.repo.clone(), package: self.package.clone() }
    }

    /// Finds the target, and rejects uploads that the transaction would reject anyway.
    pub(super) async fn find(
        &self,
        house: &House,
        caller: &Caller,
        expected: &ExpectedChecksums,
        with: &SigningOptions,
    ) -> Result<UploadKind> {
        let package = self.package();
        let scope = PackageScope::upload(&package, self.version.as_ref(), &self.path);
        let access = house.known_packages.find(house, caller, scope).await?;
        let format = house.format(&access.repo.repo.kind);
        let told = match (self.version.clone(), self.place(house, format)?) {
            (_, PathKind::Index) => return Ok(UploadKind::Index),
            (_, PathKind::Checksum(side)) => {
                access::file(&house.db, caller, &self.repo, &side.main, Right::Publish).await?;
                return Ok(UploadKind::Checksum(access.package.repo_id, side));
            }
            (_, PathKind::Reserved) => return Err(reserved(&self.path)),
            (Some(version), PathKind::Payload(_))
            | (None, PathKind::Payload(PathOwner { version: Some(version), .. })) => version,
            (None, PathKind::Payload(PathOwner { version: None, .. })) => {
                return Err(Error::invalid("version", "the version is not given, and the path does not contain it"));
            }
        };
        if self.flags.explode && self.version.is_none() {
            return Err(Error::invalid(
                "explode",
                "an archive needs the version of its files; upload it below /content",
            ));
        }
        // An archive is unpacked; only the paths of its files count.
        if let Ok(PathKind::Payload(owner)) = format.classify(&self.path)
            && !self.flags.explode
        {
            self.check_owner(&owner, Some(&told))?;
            self.check_format_owner(format, &self.path, &told)?;
        }
        let at = VersionAddress { package, version: told };
        // A small body arrives together with its head, so rejecting it before the transaction saves nothing.
        if expected.size.is_none_or(|size| size > SMALL_BYTES) {
            self.check_window(house, &access, &at).await?;
        }
        if storage_quotas::is_bound(house, &access.repo.repo) {
            self.check_quota(house, caller, &access, expected).await?;
        }
        if self.flags.publish {
            signing::check_ready(house, caller, &access.repo.repo, &self.path, with).await?;
        }
        Ok(UploadKind::File(at, access, format))
    }

    /// Rejects a path that names another package or another version than the upload.
    pub(super) fn check_owner(&self, owner: &PathOwner, version: Option<&VersionName>) -> Result<()> {
        let belongs = |what: &str, name: &str| {
            Error::invalid("path", format!("the path belongs to {what} '{name}', and the upload is for another one"))
        };
        match (&owner.package, &owner.version) {
            (Some(package), _) if *package != self.package => Err(belongs("package", package.as_str())),
            (_, Some(named)) if version.is_some_and(|version| version != named) => {
                Err(belongs("version", named.as_str()))
            }
            _ => Ok(()),
        }
    }

    /// Rejects a path that the format knows to belong to another package or version.
    pub(super) fn check_format_owner(
        &self,
        format: &'static dyn Format,
        path: &FilePath,
        version: &VersionName,
    ) -> Result<()> {
        let checked = format.check_owner(path, self.package.as_str(), version.as_str());
        checked.map_err(|reason| Error::invalid("path", reason))
    }

    /// Classifies the path. Without a version, the path must contain it in the layout of the format whose paths do,
    /// whatever the format of the repository. With one, a path that the repository's format does not recognize is a
    /// plain file.
    fn place(&self, house: &House, format: &'static dyn Format) -> Result<PathKind> {
        match (&self.version, format.classify(&self.path)) {
            (Some(_), kind) => Ok(kind.unwrap_or(PathKind::Payload(PathOwner::default()))),
            (None, Ok(kind @ (PathKind::Index | PathKind::Reserved))) => Ok(kind),
            (None, _) => {
                let layout = house.formats.iter().find(|format| format.names_versions()).unwrap_or(&format);
                layout.classify(&self.path).map_err(|reason| Error::invalid("path", reason))
            }
        }
    }

    /// Adds the facts that belong to a file at its path, or returns the format's reason to reject it.
    pub(super) fn placed(
        &self,
        format: &'static dyn Format,
        package: &PackageAccess,
        path: &FilePath,
        inspected: Inspected,
    ) -> Result<Inspected> {
        let hints = UploadHints { given: &self.hints, repo: &package.repo.repo.profile };
        let facts = format.place(path, &hints, &inspected).map_err(|reason| Error::invalid("content", reason))?;
        Ok(Inspected { facts, ..inspected })
    }

    /// Rejects an upload that exceeds the quota before the body is sent. Existing content needs no further space. The
    /// size of an archive's files is known only after unpacking.
    async fn check_quota(
        &self,
        house: &House,
        caller: &Caller,
        access: &PackageAccess,
        expected: &ExpectedChecksums,
    ) -> Result<()> {
        if files::find(&house.db, access.package.repo_id, &self.path).await?.is_some() {
            return Ok(());
        }
        let needed = if self.flags.explode { 1 } else { expected.size.unwrap_or(1) };
        let by = By { caller, access: &access.repo };
        storage_quotas::check_before(house, by, i64::try_from(needed).unwrap_or(i64::MAX)).await
    }

    /// Rejects new paths past the window: only bytes that already exist may be uploaded again, and these have none.
    async fn check_window(&self, house: &House, access: &PackageAccess, at: &VersionAddress) -> Result<()> {
        let Some(version) = versions::find(&house.db, access.package.id, &at.version).await? else { return Ok(()) };
        match files::find(&house.db, access.package.repo_id, &self.path).await? {
            Some(_) if !self.flags.explode => Ok(()),
            _ => window::check_upload(house, &access.repo.repo, &version, house.clock.now()),
        }
    }
}

/// The error for a path that no upload may have.
pub(super) fn reserved(path: &FilePath) -> Error {
    Error::invalid("path", format!("'{path}' is a name that the server needs itself"))
}
