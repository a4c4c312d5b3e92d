//! Stored content that will become files of a version.

use std::sync::Arc;

use database::Read;
use model::{access::Right, address::VersionAddress};

use crate::{
    Caller, PackageAccess, Result,
    access::{self, PackageScope},
    content::{UploadFlags, received_file::ReceivedFile},
};

/// Stored content that will become files of a version, all or none.
#[derive(Debug)]
pub(super) struct NewFiles {
    pub(super) version: VersionAddress,
    /// The package as it was found before the body was read.
    pub(super) package: Arc<PackageAccess>,
    pub(super) flags: UploadFlags,
    pub(super) files: Vec<ReceivedFile>,
}

impl NewFiles {
    /// The scopes that the caller must be allowed to publish in: the first file, and the others.
    pub(super) fn scopes(&self) -> (PackageScope<'_>, impl Iterator<Item = PackageScope<'_>> + Send) {
        let Self { version, files, .. } = self;
        let mut scopes = files.iter().map(move |file| PackageScope::file(version, &file.path));
        (scopes.next().unwrap_or_else(|| version.into()), scopes)
    }
}

/// Checks the other files as well if the caller uses an access key or a token for some resources, because such rights may depend on the path.
pub(super) async fn check_others<'r>(
    db: &dyn Read,
    caller: &Caller,
    others: impl Iterator<Item = PackageScope<'r>> + Send,
) -> Result<()> {
    for scope in others.filter(|_| caller.part_grantee_id().is_some()) {
        access::package(db, caller, scope, Right::Publish).await?;
    }
    Ok(())
}
