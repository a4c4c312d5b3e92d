//! A team: its members, and its permissions in repositories.

use askama::Template;
use axum::{extract::State, response::Response};
use model::subject::SubjectKind;
use operations::access::{
    permissions,
    teams::{self, TeamAddress},
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::{org, teams::change};
use crate::{
    address,
    band::{Band, SubjectPages},
    breadcrumbs,
    form::{Form, Submitted},
    layout::{Layout, render},
    notice::{self, Notice},
    visitor::Visitor,
};

/// The permissions of teams.
const PERMISSIONS: [&str; 3] = ["read", "publish", "admin"];

#[derive(Template)]
#[template(path = "accounts/team.html")]
struct Page {
    layout: Layout,
    band: Band,
    org: String,
    name: String,
    address: String,
    members: String,
    may_create_repos: bool,
    repos: Vec<(String, &'static str)>,
    permissions: [&'static str; 3],
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    page(&app, &visitor, &at(&path)?, None).await
}

async fn page(app: &App, visitor: &Visitor, at: &TeamAddress, notice: Option<Notice>) -> Result<Response> {
    let detail = teams::show(app.house(), &visitor.caller, at).await?;
    let layout = visitor.layout(app).with_notice(notice);
    let repos = detail.repos.into_iter().map(|repo| (repo.name, permissions::name(repo.right)));
    let page = Page {
        org: at.org.to_string(),
        band: band(app, visitor, at).await?,
        name: at.team.to_string(),
        address: home(at),
        members: detail.members.join("\n"),
        may_create_repos: detail.team.may_create_repos,
        repos: repos.collect(),
        permissions: PERMISSIONS,
        layout: layout.clone(),
    };
    Ok(render(&layout, &page))
}

async fn band(app: &App, visitor: &Visitor, at: &TeamAddress) -> Result<Band> {
    let pages = SubjectPages::managed(app, visitor, SubjectKind::Org, &at.org).await?;
    let band = Band::of_subject(&at.org, pages).at("Members");
    let mut above = breadcrumbs::of_subject(&at.org);
    above.push(("Members and teams".to_owned(), org::home(&at.org)));
    Ok(Band { breadcrumbs: above, title: format!("Team {}", at.team), ..band })
}

/// The team that the URL names.
pub(super) fn at(path: &PathNames) -> Result<TeamAddress> {
    Ok(TeamAddress { org: path.subject("org")?, team: path.team()? })
}

/// The URL of the page that manages a team.
pub(super) fn home(at: &TeamAddress) -> String {
    address::path(["-", "orgs", at.org.as_str(), "teams", at.team.as_str()])
}

/// Changes the members.
pub(super) async fn edit(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = at(&path)?;
    let done = teams::edit(app.house(), &visitor.caller, &at, change(&form)?).await;
    finish(&app, &visitor, &at, &form, done.map_err(Failure::from)).await
}

/// Deletes the team.
pub(super) async fn delete(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let at = at(&path)?;
    match teams::delete(app.house(), &visitor.caller, &at).await.map_err(Failure::from) {
        Ok(()) => {
            let notice = Notice::success(format!("The team {} has been deleted.", at.team));
            Ok(notice::redirect(&app, &visitor, &org::home(&at.org), notice))
        }
        Err(failure) => page(&app, &visitor, &at, Some(Notice::from_failure(failure)?)).await,
    }
}

/// Redirects to the page, or shows it with the reason of the rejection.
pub(super) async fn finish(
    app: &App,
    visitor: &Visitor,
    at: &TeamAddress,
    form: &Form,
    done: Result<()>,
) -> Result<Response> {
    match done {
        Ok(()) => Ok(notice::redirect(app, visitor, &home(at), Notice::success("The team has been saved."))),
        Err(failure) => page(app, visitor, at, Some(form.refusal(failure)?)).await,
    }
}
