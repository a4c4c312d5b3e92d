//! Removes manifests without a tag, where a repository says after how many days.

use database::{
    ScopedFutureExt,
    catalogue::{packages, repos, versions},
    oci::untagged::{self, UntaggedVersion},
};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress},
    id::VersionId,
    repo::Repo,
    timestamp::Timestamp,
};

use crate::{
    Caller, Error, House, PackageAccess, RepoAccess, Result,
    audit::{entry, record},
    events::webhooks::Subscriptions,
    oci::versions::ImageChange,
};

const DAY_MS: i64 = 86_400_000;

/// The number of versions that are read at a time.
const VERSIONS: i64 = 100;

/// Removes the manifests that had no tag for as many days as their repository says. One that fails delays no other.
#[boxed::future]
pub async fn remove_untagged(house: &House) -> Result<()> {
    let mut outcome = Ok(());
    for (repo_id, days) in untagged::list_repos(&house.db).await? {
        let Some(found) = repos::list_by_ids(&house.db, &[repo_id], None).await?.into_iter().next() else { continue };
        if house.format(&found.repo.kind).holds_images() {
            outcome = outcome.and(remove_of(house, &found.repo, days).await);
        }
    }
    outcome
}

async fn remove_of(house: &House, repo: &Repo, days: i64) -> Result<()> {
    let before = Timestamp::from_millis(house.clock.now().millis() - days * DAY_MS);
    let (mut last, mut removed, mut outcome) = (VersionId::new(0), 0_u64, Ok(()));
    loop {
        let going = untagged::list(&house.db, repo.id, before, last, VERSIONS).await?;
        let Some(end) = going.last() else { break };
        last = end.id;
        for version in &going {
            match remove(house, repo, version).await {
                Ok(is_removed) => removed += u64::from(is_removed),
                Err(error) => outcome = outcome.and(Err(error)),
            }
        }
    }
    if removed > 0 {
        tracing::info!("{removed} manifests of '{}/{}' had no tag for {days} days", repo.owner, repo.name);
    }
    outcome
}

/// Removes a version, unless a tag, an index or a new push uses its manifest by now.
async fn remove(house: &House, repo: &Repo, untagged: &UntaggedVersion) -> Result<bool> {
    let (caller, now) = (&Caller::job(), house.clock.now());
    house
        .db
        .write(|tx| {
            async move {
                packages::lock(tx, untagged.package_id).await?;
                let package = packages::find_by_id(tx, untagged.package_id).await?;
                let version = versions::find_by_id(tx, untagged.id).await?;
                let (Some(package), Some(version)) = (package, version) else { return Ok(false) };
                if !untagged::is_removable(tx, repo.id, version.id).await? {
                    return Ok(false);
                }
                let address = RepoAddress { owner: repo.owner.clone(), repo: repo.name.clone() };
                let at = PackageAddress { repo: address, package: package.name.clone() };
                let log = &entry(house, caller, "version.delete", &at, &version.name);
                let package = PackageAccess { repo: RepoAccess { repo: repo.clone(), right: Right::Own }, package };
                let package_id = package.package.id;
                let change = ImageChange { house, caller, package, now, subscriptions: Subscriptions::default() };
                change.remove(tx, &version).await?;
                packages::touch(tx, package_id, now).await?;
                record(tx, log).await?;
                Ok::<bool, Error>(true)
            }
            .scope_boxed()
        })
        .await
}
