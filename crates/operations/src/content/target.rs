//! Where an upload goes: what can be said, and refused, before a byte of the body is read.

use std::sync::Arc;

use database::{catalogue::versions, content::files};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress, VersionAddress},
    checksum::ChecksumFile,
    file_path::FilePath,
    names::{PackageName, VersionName},
};

use crate::{
    Caller, Error, House, PackageAccess, Result,
    access::{self, PackageScope},
    accounts::storage_quotas::{self, By},
    catalogue::window,
    content::ExpectedChecksums,
    format::{Format, PathKind},
    signing::{self, SigningOptions},
};

/// The largest body that is there as soon as its head.
const SMALL_BYTES: u64 = 64 << 10;

/// Where an upload is to go, as its request says it.
#[derive(Debug, Clone)]
pub struct UploadTarget {
    /// The repository.
    pub repo: RepoAddress,
    /// The package, which must exist.
    pub package: PackageName,
    /// The version; a path in Maven's layout tells it by itself.
    pub version: Option<VersionName>,
    /// The path in the repository.
    pub path: FilePath,
    /// What else is asked for.
    pub flags: UploadFlags,
}

/// What an upload asks for besides being stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UploadFlags {
    /// Readers see it at once.
    pub publish: bool,
    /// Other bytes may be there already.
    pub replace: bool,
    /// The body is an archive, and its files are meant.
    pub explode: bool,
}

/// What the body of an upload is for.
pub(super) enum UploadKind {
    /// A file of this version of the package, in its repository of this format.
    File(VersionAddress, Arc<PackageAccess>, &'static dyn Format),
    /// The checksum of a file of the repository with this key, to be compared with it.
    Checksum(i64, ChecksumFile),
    /// An index that the server makes by itself.
    Index,
}

impl UploadTarget {
    fn package(&self) -> PackageAddress {
        PackageAddress { repo: self.repo.clone(), package: self.package.clone() }
    }

    /// Finds what the target names, and refuses what the transaction would refuse anyway.
    pub(super) async fn find(
        &self,
        house: &House,
        caller: &Caller,
        expected: &ExpectedChecksums,
        with: &SigningOptions,
    ) -> Result<UploadKind> {
        let package = self.package();
        let spot = PackageScope::upload(&package, self.version.as_ref(), &self.path);
        let access = house.known_packages.find(house, caller, spot).await?;
        let format = house.format(&access.repo.repo.kind);
        let told = match (self.version.clone(), self.place(house, format)?) {
            (_, PathKind::Index) => return Ok(UploadKind::Index),
            (_, PathKind::Checksum(side)) => {
                access::file(&house.db, caller, &self.repo, &side.main, Right::Publish).await?;
                return Ok(UploadKind::Checksum(access.package.repo_id, side));
            }
            (Some(version), PathKind::Payload(_)) | (None, PathKind::Payload(Some(version))) => version,
            (None, PathKind::Payload(None)) => {
                return Err(Error::invalid("version", "the version is not given, and the path does not tell it"));
            }
        };
        if self.flags.explode && self.version.is_none() {
            return Err(Error::invalid(
                "explode",
                "an archive needs the version of its files; upload it below /content",
            ));
        }
        let at = VersionAddress { package, version: told };
        // A small body comes with its head, and nothing is saved by a refusal before the transaction.
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

    /// Without a version the path must say it, in Maven's layout whatever the repository is. With one, a path that means
    /// nothing to the repository's format is just a file.
    fn place(&self, house: &House, format: &'static dyn Format) -> Result<PathKind> {
        match &self.version {
            Some(_) => Ok(format.classify(&self.path).unwrap_or(PathKind::Payload(None))),
            None => house.format("maven").classify(&self.path).map_err(|reason| Error::invalid("path", reason)),
        }
    }

    /// What does not fit is refused before it is sent. Bytes that are there already need no room; those of an archive are
    /// known when it is unpacked.
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

    /// Past the window only bytes that are there already are welcome: for a path without a file there are none.
    async fn check_window(&self, house: &House, access: &PackageAccess, at: &VersionAddress) -> Result<()> {
        let Some(version) = versions::find(&house.db, access.package.id, &at.version).await? else { return Ok(()) };
        match files::find(&house.db, access.package.repo_id, &self.path).await? {
            Some(_) if !self.flags.explode => Ok(()),
            _ => window::check_upload(house, &access.repo.repo, &version, house.clock.now()),
        }
    }
}
