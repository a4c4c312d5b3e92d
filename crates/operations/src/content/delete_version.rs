//! Deleting a version.

use database::ScopedFutureExt;
use model::{access::Right, address::VersionAddress};

use crate::{
    Caller, House, Result, access,
    audit::{entry, record},
    catalogue::window,
    content::{cascade, check_published, hold_version, signing_session::Session},
};

/// Deletes a version with everything in it.
pub async fn delete_version(house: &House, caller: &Caller, at: &VersionAddress) -> Result<()> {
    let repo = access::package(&house.db, caller, at, Right::Publish).await?.repo.repo;
    let log = &entry(house, caller, "version.delete", at, "");
    let session = Session::of_deletion(house, caller, &repo).await?;
    session
        .write(|tx, session| {
            async move {
                let holding = hold_version(tx, house, caller, at, None, log.at).await?;
                if holding.version.published_files > 0 {
                    check_published(tx, caller, &at.package).await?;
                }
                window::check_delete(house, caller, &holding.version, log.at)?;
                cascade::delete_version(tx, &holding, session).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await
}
