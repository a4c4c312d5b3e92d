//! What lists show of what happens in repositories: downloads, the newest change, releases and deletions.

use std::collections::HashMap;

use database::catalogue::repo_activity;
use model::{
    day::{Day, Days},
    id::RepoId,
    overview::{RepoEvent, RepoOverview},
    plan::Plan,
    timestamp::Timestamp,
};

use super::overviews::{TREND_DAYS, by_day};
use crate::{Caller, House, RepoAccess, Result, access};

/// What happens in a repository.
#[derive(Debug, Clone, Default)]
pub struct RepoActivity {
    /// When something in its packages last changed.
    pub updated: Option<Timestamp>,
    /// Its downloads on each of the last thirty days, if the caller may see them.
    pub downloads: Option<Vec<i64>>,
}

/// Returns what happens in repositories that the caller may see. Publishers see the downloads.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller, repos: &[RepoOverview]) -> Result<HashMap<RepoId, RepoActivity>> {
    let ids: Vec<RepoId> = repos.iter().map(|repo| repo.id).collect();
    let states = repo_activity::list_states(&house.db, &ids, access::reader(caller)).await?;
    let seen = states.iter().filter(|state| state.is_publisher && state.plan >= Plan::Premium);
    let seen: Vec<RepoId> = seen.map(|state| state.id).collect();
    let days = Days::until(Day::of(house.clock.now()), TREND_DAYS);
    let counts =
        repo_activity::list_downloads(&house.db, &seen, days.first.number(), days.last.number()).await?.into_iter();
    let mut downloads = by_day(seen, days, counts.map(|found| (found.repo_id, found.day, found.count)));
    let mut activity = HashMap::new();
    for state in states {
        let downloads = downloads.remove(&state.id);
        activity.insert(state.id, RepoActivity { updated: state.updated, downloads });
    }
    Ok(activity)
}

/// The downloads from a repository on each of the last thirty days, and their number in the thirty days before.
#[derive(Debug, Clone)]
pub struct RepoDownloads {
    /// The downloads by day, the oldest first.
    pub days: Vec<i64>,
    /// The number in the thirty days before.
    pub before: i64,
}

/// Returns the downloads from a repository; `None` if the caller may not see them.
#[boxed::future]
pub async fn find_downloads(house: &House, access: &RepoAccess) -> Result<Option<RepoDownloads>> {
    let repo = &access.repo;
    if !access.is_publisher() || repo.plan < Plan::Premium {
        return Ok(None);
    }
    let days = Days::until(Day::of(house.clock.now()), 2 * TREND_DAYS);
    let counts = repo_activity::list_downloads(&house.db, &[repo.id], days.first.number(), days.last.number()).await?;
    let counts = counts.into_iter().map(|found| (found.repo_id, found.day, found.count));
    let mut by_day = by_day(vec![repo.id], days, counts).remove(&repo.id).unwrap_or_default();
    let days = by_day.split_off(by_day.len().min(usize::try_from(TREND_DAYS).unwrap_or_default()));
    Ok(Some(RepoDownloads { days, before: by_day.into_iter().sum() }))
}

/// Returns when something in the packages of repositories last changed, which the caller may see.
#[boxed::future]
pub async fn list_updates(
    house: &House,
    caller: &Caller,
    repos: &[RepoOverview],
) -> Result<HashMap<RepoId, Timestamp>> {
    let ids: Vec<RepoId> = repos.iter().map(|repo| repo.id).collect();
    let states = repo_activity::list_states(&house.db, &ids, access::reader(caller)).await?;
    Ok(states.into_iter().filter_map(|state| Some((state.id, state.updated?))).collect())
}

/// Returns the newest releases and deletions in repositories of the caller, who may publish in them.
#[boxed::future]
pub async fn list_events(house: &House, caller: &Caller, repos: &[RepoOverview], limit: i64) -> Result<Vec<RepoEvent>> {
    let ids: Vec<RepoId> = repos.iter().map(|repo| repo.id).collect();
    let states = repo_activity::list_states(&house.db, &ids, access::reader(caller)).await?;
    let ids: Vec<RepoId> = states.into_iter().filter(|state| state.is_publisher).map(|state| state.id).collect();
    Ok(repo_activity::list_events(&house.db, &ids, limit).await?)
}
