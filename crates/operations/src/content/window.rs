//! How long a published version may still be changed, and how long it may be deleted.

use database::{
    Read,
    repos::Repo,
    versions::{self, Old, Version},
};
use model::timestamp::Timestamp;

use crate::{Caller, Error, House, Result};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Refuses new files of a version that was published too long ago.
pub(crate) fn check_upload(house: &House, repo: &Repo, version: &Version, now: Timestamp) -> Result<()> {
    match version.first_published {
        Some(published) if is_upload_over(house, repo, published, now) => {
            let days = upload_days(house, repo);
            Err(closed("can no longer be changed", version.name.as_str(), published, days))
        }
        _ => Ok(()),
    }
}

/// Whether a version that was first published then takes no more files.
pub(crate) fn is_upload_over(house: &House, repo: &Repo, first_published: Timestamp, now: Timestamp) -> bool {
    is_past(first_published, upload_days(house, repo), now)
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
pub(crate) enum Whole {
    /// The package of this key.
    Package(i64),
    /// The repository of this key.
    Repo(i64),
    /// All that the subject of this key owns.
    Owner(i64),
}

/// Refuses to delete what holds a version that may no longer be deleted.
pub(crate) async fn check_delete_whole(
    db: &impl Read,
    house: &House,
    caller: &Caller,
    whole: Whole,
    now: Timestamp,
) -> Result<()> {
    if may_take_down(caller) {
        return Ok(());
    }
    let days = house.policy.delete_days;
    let before = Timestamp::from_millis(now.millis() - days * DAY_MS);
    let old = match whole {
        Whole::Package(id) => versions::find_old_in_package(db, id, before).await?,
        Whole::Repo(id) => versions::find_old_in_repo(db, id, before).await?,
        Whole::Owner(id) => versions::find_old_of_owner(db, id, before).await?,
    };
    match old {
        Some(Old { name, first_published }) => {
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

fn closed(what: &str, version: &str, published: Timestamp, days: i64) -> Error {
    Error::Denied(format!(
        "Version '{version}' was published on {published} and {what}: the limit is {days} days after that"
    ))
}
