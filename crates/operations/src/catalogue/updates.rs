//! When packages and versions last changed, as everybody sees it: changes that only publishers may see do not count.

use database::{
    Tx,
    catalogue::{packages, versions},
};
use model::{id::VersionId, timestamp::Timestamp, version::Version};

use crate::Result;

/// Records that something in a version changed. Readers see nothing of a draft, so the package has not changed for them.
pub(crate) async fn change_version(tx: &mut Tx, version: &Version, now: Timestamp) -> Result<()> {
    versions::touch(tx, version.id, now).await?;
    if !version.is_draft {
        packages::touch(tx, version.package_id, now).await?;
    }
    Ok(())
}

/// The same for the version with this id, as it is after the change.
pub(crate) async fn change_version_by_id(tx: &mut Tx, id: VersionId, now: Timestamp) -> Result<()> {
    match versions::find_by_id(tx, id).await? {
        Some(version) => change_version(tx, &version, now).await,
        None => Ok(()),
    }
}

/// Records that files were staged. What was published once is seen without them; everything else is a draft now.
pub(crate) async fn stage_files(tx: &mut Tx, before: &Version, now: Timestamp) -> Result<()> {
    if before.first_published.is_none() {
        versions::touch(tx, before.id, now).await?;
    }
    Ok(())
}

/// Records that staged files were removed. Without any, a draft becomes a version that everybody sees.
pub(crate) async fn unstage_files(tx: &mut Tx, before: &Version, now: Timestamp) -> Result<()> {
    match before.first_published {
        Some(_) => Ok(()),
        None => change_version_by_id(tx, before.id, now).await,
    }
}
