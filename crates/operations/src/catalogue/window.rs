//! How long a published version may still be changed, and how long it may be deleted.

use database::{
    Read, ScopedFutureExt, Tx,
    catalogue::{
        repos::{self, Repo},
        versions::{self, OldVersion, Version},
    },
    engine::meta,
};
use model::{file_path::FilePath, timestamp::Timestamp};

use crate::{Caller, Error, House, Result};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// How long after the end of a window, or after its change, nothing is called final yet: an upload that has met the window
/// may still be on its way into the database.
const SETTLING_MS: i64 = 60 * 60 * 1_000;

/// Where the database says which upload window servers had, for repositories that have none of their own.
const UPLOAD_DAYS: &str = "upload_days";

/// Refuses new files of a version that was published too long ago.
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

/// Whether a version that was first published then takes no more files.
pub(crate) fn is_upload_over(house: &House, repo: &Repo, first_published: Timestamp, now: Timestamp) -> bool {
    first_published < closed_before(house, repo, now)
}

/// Whether the content at a path, of a version that was first published then, can never be other content.
pub(crate) fn is_final(house: &House, repo: &Repo, path: &FilePath, first_published: Timestamp) -> bool {
    let settled = Timestamp::from_millis(house.clock.now().millis() - SETTLING_MS);
    let first = Timestamp::from_millis(first_published.millis() + SETTLING_MS);
    repo.window.changed <= settled
        && is_upload_over(house, repo, first, house.clock.now())
        && may_be_final(house, repo, path)
}

/// Whether content at a path can be final at all. Signatures are made again, and snapshots are built again.
pub(crate) fn may_be_final(house: &House, repo: &Repo, path: &FilePath) -> bool {
    path.signed().is_none() && house.format(&repo.kind).is_lasting(path)
}

/// Versions that were first published before this are closed. What was closed under an earlier window stays so.
pub(crate) fn closed_before(house: &House, repo: &Repo, now: Timestamp) -> Timestamp {
    let by_days = Timestamp::from_millis(now.millis() - upload_days(house, repo) * DAY_MS);
    by_days.max(repo.window.closed_before)
}

/// Writes down that the window of a repository changes, before it does.
pub(crate) async fn note_change(tx: &mut Tx, house: &House, repo: &Repo, now: Timestamp) -> Result<()> {
    Ok(repos::move_window(tx, repo.id, closed_before(house, repo, now), now).await?)
}

/// Writes down which window repositories have that have none of their own. Where that is another than servers had
/// before, what was closed until now stays closed.
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

/// Refuses to delete a version that was published too long ago, except to those who run the site.
pub(crate) fn check_delete(house: &House, caller: &Caller, version: &Version, now: Timestamp) -> Result<()> {
    let days = house.policy.delete_days;
    match version.first_published {
        Some(published) if is_past(published, days, now) && !may_take_down(caller) => {
            Err(closed("can no longer be deleted", version.name.as_str(), published, days))
        }
        _ => Ok(()),
    }
}

/// What is deleted with everything in it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DeletionScope {
    /// The package of this key.
    Package(i64),
    /// The repository of this key.
    Repo(i64),
    /// All that the subject of this key owns.
    Owner(i64),
}

/// Refuses to delete what holds a version that may no longer be deleted.
pub(crate) async fn check_delete_all(
    db: &impl Read,
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

/// Those who run the site may remove everything.
pub(crate) fn may_take_down(caller: &Caller) -> bool {
    caller.is_site_admin()
}

fn is_past(published: Timestamp, days: i64, now: Timestamp) -> bool {
    now.millis() - published.millis() > days * DAY_MS
}

fn closed_earlier(version: &str, published: Timestamp, days: i64) -> Error {
    Error::Denied(format!(
        "Version '{version}' was published on {published} and can no longer be changed: its window was over before the \
         limit became {days} days, and a longer one opens no version again"
    ))
}

fn closed(what: &str, version: &str, published: Timestamp, days: i64) -> Error {
    Error::Denied(format!(
        "Version '{version}' was published on {published} and {what}: the limit is {days} days after that"
    ))
}
