//! The windows during which a published version may be changed or deleted.

use database::{
    Read, ScopedFutureExt, Tx,
    catalogue::{
        repos,
        versions::{self, OldVersion},
    },
    engine::meta,
};
use model::{
    access::Scope,
    file_path::FilePath,
    id::{PackageId, RepoId, SubjectId},
    repo::Repo,
    timestamp::Timestamp,
    version::Version,
};

use crate::{Caller, Error, House, Result};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// How long after the end of a window, or after a change to it, nothing counts as final yet: an upload that was within
/// the window may not be committed yet.
const SETTLING_MS: i64 = 60 * 60 * 1_000;

/// The database entry with the upload window in the settings of the nodes, for repositories that have none of their
/// own.
const UPLOAD_DAYS: &str = "upload_days";

/// Rejects new files of a version that was published too long ago.
pub(crate) fn check_upload(house: &House, repo: &Repo, version: &Version, now: Timestamp) -> Result<()> {
    match version.first_published {
        Some(published) if is_upload_over(house, repo, published, now) => {
            let days = upload_days(house, repo);
            if is_past(published, days, now) {
                Err(closed("can no longer be changed", version.name.as_str(), published, days))
            } else {
                Err(closed_earlier(version.name.as_str(), published, days))
            }
        }
        _ => Ok(()),
    }
}

/// Returns when a published version stops accepting files; `None` if it was never published or already has.
pub fn upload_end(house: &House, repo: &Repo, version: &Version) -> Option<Timestamp> {
    let published = version.first_published?;
    let is_over = is_upload_over(house, repo, published, house.clock.now());
    let end = published.millis().saturating_add(upload_days(house, repo).saturating_mul(DAY_MS));
    (!is_over).then(|| Timestamp::from_millis(end))
}

/// Returns whether a version that was first published at this time accepts no more files.
pub(crate) fn is_upload_over(house: &House, repo: &Repo, first_published: Timestamp, now: Timestamp) -> bool {
    first_published < closed_before(house, repo, now)
}

/// Returns whether the content at a path, of a version that was first published at this time, can never change.
pub(crate) fn is_final(house: &House, repo: &Repo, path: &FilePath, first_published: Timestamp) -> bool {
    let settled = Timestamp::from_millis(house.clock.now().millis() - SETTLING_MS);
    let first = Timestamp::from_millis(first_published.millis() + SETTLING_MS);
    repo.window.changed <= settled
        && is_upload_over(house, repo, first, house.clock.now())
        && may_be_final(house, &repo.kind, path)
}

/// Returns whether content at a path of a repository of this type can be final at all. Signatures and snapshots are
/// rebuilt.
pub(crate) fn may_be_final(house: &House, kind: &str, path: &FilePath) -> bool {
    path.signed().is_none() && house.format(kind).is_lasting(path)
}

/// Versions first published before this time are closed. Versions closed under an earlier window stay closed.
pub(crate) fn closed_before(house: &House, repo: &Repo, now: Timestamp) -> Timestamp {
    let by_days = Timestamp::from_millis(now.millis() - upload_days(house, repo) * DAY_MS);
    by_days.max(repo.window.closed_before)
}

/// Records a change to the window of a repository, before it is made.
pub(crate) async fn record_change(tx: &mut Tx, house: &House, repo: &Repo, now: Timestamp) -> Result<()> {
    Ok(repos::move_window(tx, repo.id, closed_before(house, repo, now), now).await?)
}

/// Records the default window, for repositories that have none of their own. If it differs from the previous one,
/// versions that are closed stay closed.
#[boxed::future]
pub async fn follow_setting(house: &House) -> Result<()> {
    let (days, now) = (house.policy.upload_days, house.clock.now());
    house
        .db
        .write(|tx| {
            async move {
                let before = meta::find(tx, UPLOAD_DAYS).await?.and_then(|days| days.parse::<i64>().ok());
                if before == Some(days) {
                    return Ok(());
                }
                if let Some(before) = before {
                    let closed = Timestamp::from_millis(now.millis() - before * DAY_MS);
                    repos::move_default_window(tx, closed, now).await?;
                }
                Ok(meta::set(tx, UPLOAD_DAYS, &days.to_string()).await?)
            }
            .scope_boxed()
        })
        .await
}

fn upload_days(house: &House, repo: &Repo) -> i64 {
    repo.profile.version_update_max_days.unwrap_or(house.policy.upload_days)
}

/// Rejects the deletion of a version that was published too long ago, except by site administrators.
pub(crate) fn check_delete(house: &House, caller: &Caller, version: &Version, now: Timestamp) -> Result<()> {
    let days = house.policy.delete_days;
    match version.first_published {
        Some(published) if is_past(published, days, now) && !may_take_down(caller) => {
            Err(closed("can no longer be deleted", version.name.as_str(), published, days))
        }
        _ => Ok(()),
    }
}

/// The scope of a cascading deletion.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DeletionScope {
    /// The package with this id.
    Package(PackageId),
    /// The repository with this id.
    Repo(RepoId),
    /// Everything that the subject with this id owns.
    Owner(SubjectId),
}

/// Rejects the deletion of a scope that contains a version that may no longer be deleted.
pub(crate) async fn check_delete_all(
    db: &dyn Read,
    house: &House,
    caller: &Caller,
    whole: DeletionScope,
    now: Timestamp,
) -> Result<()> {
    if may_take_down(caller) {
        return Ok(());
    }
    let days = house.policy.delete_days;
    let before = Timestamp::from_millis(now.millis() - days * DAY_MS);
    let old = match whole {
        DeletionScope::Package(id) => versions::find_old_in_package(db, id, before).await?,
        DeletionScope::Repo(id) => versions::find_old_in_repo(db, id, before).await?,
        DeletionScope::Owner(id) => versions::find_old_of_owner(db, id, before).await?,
    };
    match old {
        Some(OldVersion { name, first_published }) => {
            Err(closed("can no longer be deleted", &name, Timestamp::from_millis(first_published), days))
        }
        None => Ok(()),
    }
}

/// Returns whether the caller may delete everything, which is for site administrators.
pub(crate) fn may_take_down(caller: &Caller) -> bool {
    caller.is_site_admin() && caller.check_scope(Scope::Admin).is_ok()
}

fn is_past(published: Timestamp, days: i64, now: Timestamp) -> bool {
    now.millis() - published.millis() > days * DAY_MS
}

fn closed_earlier(version: &str, published: Timestamp, days: i64) -> Error {
    Error::Denied(format!(
        "Version '{version}' was published on {published} and can no longer be changed: its window \
         ended before the limit became {days} days, and a longer limit does not reopen versions"
    ))
}

fn closed(what: &str, version: &str, published: Timestamp, days: i64) -> Error {
    Error::Denied(format!(
        "Version '{version}' was published on {published} and {what}: the limit is {days} days after that"
    ))
}
