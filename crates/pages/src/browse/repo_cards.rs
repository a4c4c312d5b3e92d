//! Repositories as cards.

use model::{overview::RepoOverview, timestamp::Timestamp};
use operations::catalogue::repo_activity::{self, RepoActivity};
use web::{App, error::Result};

use super::package_lines::Trend;
use crate::{address, band::first_line, parts, sizes, visitor::Visitor};

/// A repository on a page.
pub(crate) struct RepoCard {
    /// Its owner; empty if the page is about the owner.
    pub(crate) owner: String,
    pub(crate) name: String,
    pub(crate) address: String,
    pub(crate) kind: String,
    pub(crate) format_title: &'static str,
    pub(crate) description: String,
    pub(crate) is_private: bool,
    /// The number of its packages in words.
    pub(crate) packages: String,
    /// When something in it last changed.
    pub(crate) updated: Option<Timestamp>,
    /// Its downloads, if the visitor may see them.
    pub(crate) trend: Option<Trend>,
}

/// The cards of repositories on a page about this owner; on other pages it is empty.
pub(crate) async fn cards(app: &App, visitor: &Visitor, repos: &[RepoOverview], owner: &str) -> Result<Vec<RepoCard>> {
    let mut activity = repo_activity::list(app.house(), &visitor.caller, repos).await?;
    Ok(repos.iter().map(|repo| card(repo, activity.remove(&repo.id).unwrap_or_default(), owner)).collect())
}

fn card(repo: &RepoOverview, activity: RepoActivity, owner: &str) -> RepoCard {
    RepoCard {
        owner: if repo.owner == owner { String::new() } else { repo.owner.clone() },
        name: repo.name.clone(),
        address: address::path([repo.owner.as_str(), repo.name.as_str()]),
        kind: repo.kind.clone(),
        format_title: parts::format_title(&repo.kind),
        description: first_line(&repo.description),
        is_private: repo.is_private,
        packages: sizes::counted(repo.package_count.unsigned_abs(), "package"),
        updated: activity.updated,
        trend: activity.downloads.map(|days| Trend::wide(&days)),
    }
}
