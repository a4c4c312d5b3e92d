//! The home page: for strangers a search, the formats, what is downloaded most and the organizations; for users what waits
//! for them, their repositories, their organizations and what happened there. For both the newest releases.

use askama::Template;
use axum::{extract::State, response::Response};
use model::overview::PackageFilter;
use operations::catalogue::overviews;
use web::{App, error::Result};

use super::{
    activity::{self, ActivityRow, StorageBar},
    attention::{self, FailingRow, StagedRow},
    first_steps::{self, Step},
    org_cards::{self, OrgCard},
    popular::{self, PopularLine},
    release_rows::{self, ReleaseRow},
    repo_cards::{RepoCard, cards},
};
use crate::{
    address,
    layout::{Layout, render},
    parts,
    visitor::Visitor,
};

/// The most repositories on this page.
const REPOS: usize = 12;

/// The most releases on this page.
const RELEASES: i64 = 8;

/// The most releases and packages in a column for strangers.
const ROWS: i64 = 6;

#[derive(Template)]
#[template(path = "browse/home.html")]
struct Page {
    layout: Layout,
    steps: Vec<Step>,
    staged: Vec<StagedRow>,
    failing: Vec<FailingRow>,
    activity: Vec<ActivityRow>,
    storage: Vec<StorageBar>,
    repos: Vec<RepoCard>,
    /// The URL of all repositories; empty if all are shown.
    all_repos: String,
    releases: Vec<ReleaseRow>,
    /// The packages with the most downloads, for strangers.
    popular: Vec<PopularLine>,
    /// The organizations of the user, or for strangers those with the most packages.
    orgs: Vec<OrgCard>,
    /// The formats with the URLs of their packages, for strangers.
    formats: Vec<(&'static str, String)>,
    api_url: String,
    download_url: String,
}

pub(crate) async fn show(State(app): State<App>, visitor: Visitor) -> Result<Response> {
    let layout = visitor.layout(&app);
    let user = visitor.caller.user();
    let repos = match user {
        Some(user) => overviews::list_repos(app.house(), &visitor.caller, &user.name).await?,
        None => Vec::new(),
    };
    let all = user.filter(|_| repos.len() > REPOS).map(|user| address::path([user.name.as_str()]));
    let limit = if user.is_some() { RELEASES } else { ROWS };
    let releases = release_rows::find(&app, &visitor, PackageFilter::default(), limit).await?;
    let popular = if user.is_some() { Vec::new() } else { popular::find(&app, &visitor, ROWS).await? };
    let (staged, failing) = attention::find(&app, &visitor).await?;
    let shown = &repos[..repos.len().min(REPOS)];
    let draft = staged.first().map(|staged| staged.address.clone());
    let steps = |user: &str| first_steps::steps(user, &repos, &releases, draft.as_deref());
    let steps = user.map(|user| steps(user.name.as_str())).unwrap_or_default();
    let page = Page {
        staged,
        failing,
        activity: activity::find(&app, &visitor, shown).await?,
        storage: activity::storage(&app, &visitor, shown).await?,
        steps,
        repos: cards(&app, &visitor, shown, "").await?,
        all_repos: all.unwrap_or_default(),
        releases,
        popular,
        orgs: org_cards::find(&app, &visitor).await?,
        formats: formats(&app),
        api_url: app.settings().api_url(),
        download_url: app.settings().download_url(),
        layout: layout.clone(),
    };
    Ok(render(&layout, &page))
}

/// The formats of this server with the URLs of their packages.
fn formats(app: &App) -> Vec<(&'static str, String)> {
    let names = app.house().formats.iter().map(|format| format.name());
    names.map(|name| (parts::format_title(name), format!("/-/explore?format={name}"))).collect()
}
