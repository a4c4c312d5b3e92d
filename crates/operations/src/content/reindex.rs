//! Builds the indexes of all packages of a repository again, one transaction for each package, after content that was
//! never inspected was inspected.

use database::{
    ScopedFutureExt,
    catalogue::packages,
    content::{content_facts, package_files},
};
use model::{access::Right, address::RepoAddress, id::PackageId, prefix::NameRange};

use crate::{
    Caller, Error, House, Result, access,
    catalogue::latest,
    content::package_indexes::{self, IndexChange},
    format::Format,
    storage::inspect::inspect_in_turn,
};

/// Inspects what was never inspected of all packages that have published files in a range of paths, and rebuilds their
/// indexes.
pub(super) async fn rebuild_packages(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    range: &NameRange,
) -> Result<()> {
    let mut after = String::new();
    loop {
        let repo = access::repo(&house.db, caller, at, Right::Publish).await?.repo;
        let page = package_files::list_packages(&house.db, repo.id, range, &after).await?;
        let Some((_, last)) = page.last() else { return Ok(()) };
        after.clone_from(last);
        let format = house.format(&repo.kind);
        for (package_id, _) in page {
            inspect_missing(house, format, package_id).await?;
            if format.package_indexes().is_some() {
                rebuild_package(house, caller, at, package_id).await?;
            }
        }
    }
}

async fn rebuild_package(house: &House, caller: &Caller, at: &RepoAddress, package_id: PackageId) -> Result<()> {
    let now = house.clock.now();
    house
        .db
        .write(|tx| {
            async move {
                let repo = access::repo(tx, caller, at, Right::Publish).await?.repo;
                packages::lock(tx, package_id).await?;
                latest::determine(tx, house.format(&repo.kind), package_id).await?;
                package_indexes::rebuild(tx, house, &repo, package_id, IndexChange::All, now).await
            }
            .scope_boxed()
        })
        .await
}

/// Inspects the published files of a package whose content the format has not inspected, or has found nothing in.
async fn inspect_missing(house: &House, format: &'static dyn Format, package_id: PackageId) -> Result<()> {
    let mut after = String::new();
    loop {
        let page = package_files::list_uninspected(&house.db, package_id, format.name(), &after).await?;
        let Some((last, _)) = page.last() else { return Ok(()) };
        after = last.to_string();
        for (path, blob) in page {
            let about = match inspect_in_turn(house, format, &path, &blob).await {
                Ok(found) => found.about,
                Err(error @ (Error::Unavailable(_) | Error::Internal(_))) => return Err(error),
                Err(error) => {
                    tracing::warn!("'{path}' was published and does not pass inspection: {error}");
                    None
                }
            };
            let Some(about) = &about else { continue };
            let insert = house.db.write(|tx| content_facts::insert(tx, blob.id, format.name(), about).scope_boxed());
            insert.await?;
        }
    }
}
