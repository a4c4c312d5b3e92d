//! What happened lately in a user's repositories, and how full their owners' storage is, on the home page.

use model::{
    names::SubjectName,
    overview::{ActivityKind, RepoEvent, RepoOverview},
    timestamp::Timestamp,
};
use operations::{accounts::storage_quotas, catalogue::repo_activity};
use web::{App, error::Result};

use crate::{address, sizes, visitor::Visitor};

/// The most rows of the list.
const ROWS: i64 = 6;

/// The most owners whose storage is shown.
const OWNERS: usize = 4;

/// Something that happened.
pub(crate) struct ActivityRow {
    pub(crate) actor: String,
    /// What the actor did.
    pub(crate) verb: &'static str,
    /// What it was done to.
    pub(crate) object: String,
    /// The page of the object; empty if it is gone.
    pub(crate) address: String,
    pub(crate) at: Timestamp,
}

/// The storage of an owner with a quota.
pub(crate) struct StorageBar {
    pub(crate) owner: String,
    pub(crate) used: String,
    pub(crate) quota: String,
    /// The used part of the quota in percent, at most 100.
    pub(crate) percent: i64,
}

/// The newest events in these repositories of the visitor; none without a session.
pub(crate) async fn find(app: &App, visitor: &Visitor, repos: &[RepoOverview]) -> Result<Vec<ActivityRow>> {
    if !visitor.may_change() || repos.is_empty() {
        return Ok(Vec::new());
    }
    let found = repo_activity::list_events(app.house(), &visitor.caller, repos, ROWS).await?;
    Ok(found.into_iter().map(row).collect())
}

fn row(event: RepoEvent) -> ActivityRow {
    let place = format!("{}/{}", event.owner, event.repo);
    let address = if event.is_there {
        address::path([&*event.owner, &*event.repo, &*event.package, &*event.version])
    } else {
        String::new()
    };
    let object = match (&event.path, event.package.as_str(), event.version.as_str()) {
        (Some(path), ..) => path.clone(),
        (None, "", _) => place,
        (None, package, "") => package.to_owned(),
        (None, package, version) => format!("{package} {version}"),
    };
    // Names of access keys are for owners.
    let actor = if event.actor.contains('@') { "An access key".to_owned() } else { event.actor };
    let verb = match event.kind {
        ActivityKind::Release => "released",
        ActivityKind::Deletion => "deleted",
    };
    ActivityRow { actor, verb, object, address, at: event.at }
}

/// The storage of the visitor and of the owners of these repositories, where the visitor manages it and it has a quota.
pub(crate) async fn storage(app: &App, visitor: &Visitor, repos: &[RepoOverview]) -> Result<Vec<StorageBar>> {
    let Some(user) = visitor.caller.user().filter(|_| visitor.may_change()) else { return Ok(Vec::new()) };
    let mut owners = vec![user.name.clone()];
    for owner in repos.iter().filter_map(|repo| SubjectName::parse(&repo.owner).ok()) {
        if owners.len() < OWNERS && !owners.contains(&owner) {
            owners.push(owner);
        }
    }
    let found = storage_quotas::list_of_subjects(app.house(), &visitor.caller, &owners).await?;
    let bar = |(owner, quota): (SubjectName, storage_quotas::Quota)| {
        let bytes = quota.bytes?;
        Some(StorageBar {
            owner: owner.to_string(),
            used: sizes::bytes(quota.used.unsigned_abs()),
            quota: sizes::bytes(bytes.unsigned_abs()),
            percent: percent(quota.used, bytes),
        })
    };
    Ok(found.into_iter().filter_map(bar).collect())
}

fn percent(used: i64, quota: i64) -> i64 {
    let percent = i128::from(used.max(0)) * 100 / i128::from(quota.max(1));
    i64::try_from(percent).unwrap_or(100).min(100)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(kind: ActivityKind, [package, version]: [&str; 2], is_there: bool) -> RepoEvent {
        RepoEvent {
            at: Timestamp::EPOCH,
            kind,
            owner: "ada".into(),
            repo: "tools".into(),
            package: package.into(),
            version: version.into(),
            path: None,
            actor: "bob".into(),
            is_there,
        }
    }

    #[test]
    fn a_row_says_what_it_is_about() {
        let shown = |event| {
            let row = row(event);
            (row.verb, row.object, row.address)
        };
        let released = event(ActivityKind::Release, ["cat", "1.0"], true);
        assert_eq!(shown(released), ("released", "cat 1.0".to_owned(), "/ada/tools/cat/1.0".to_owned()));
        let deleted = event(ActivityKind::Deletion, ["cat", ""], false);
        assert_eq!(shown(deleted), ("deleted", "cat".to_owned(), String::new()));
        assert_eq!(shown(event(ActivityKind::Deletion, ["", ""], false)).1, "ada/tools");
        let by_key = RepoEvent { actor: "k1@ada".into(), ..event(ActivityKind::Release, ["cat", "1.0"], true) };
        assert_eq!(row(by_key).actor, "An access key");
    }

    #[test]
    fn a_bar_is_never_longer_than_the_quota() {
        assert_eq!([(0, 10), (5, 10), (20, 10), (1, 0)].map(|(used, quota)| percent(used, quota)), [0, 50, 100, 100]);
    }
}
