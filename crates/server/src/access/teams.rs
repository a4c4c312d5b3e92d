//! Teams of organisations.

use axum::{Json, extract::State, http::StatusCode};
use model::names::TeamName;
use operations::access::{
    permissions,
    teams::{self, TeamAddress, TeamChange, TeamDetail},
};
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    json::JsonBody,
    path_names::PathNames,
};

pub(crate) async fn list_teams(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::TeamList>> {
    let teams = teams::list(app.house(), &caller, &path.subject("org")?).await?;
    Ok(Json(api::TeamList { teams }))
}

pub(crate) async fn create_team(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::NewTeam>,
) -> Result<(StatusCode, Json<api::Team>)> {
    let team = TeamName::parse(&body.name).map_err(|error| Failure::bad_request(format!("name: {error}")))?;
    let at = TeamAddress { org: path.subject("org")?, team };
    let change = TeamChange { members: body.members, may_create_repos: body.allow_repo_creation };
    let team = teams::create(app.house(), &caller, &at, change).await?;
    Ok((StatusCode::CREATED, Json(view(team))))
}

pub(crate) async fn show_team(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Team>> {
    Ok(Json(view(teams::show(app.house(), &caller, &address(&path)?).await?)))
}

pub(crate) async fn edit_team(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::TeamChange>,
) -> Result<Json<api::Message>> {
    let change = TeamChange { members: body.members, may_create_repos: body.allow_repo_creation };
    teams::edit(app.house(), &caller, &address(&path)?, change).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn delete_team(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    teams::delete(app.house(), &caller, &address(&path)?).await?;
    Ok(Json(api::Message::success()))
}

fn address(path: &PathNames) -> Result<TeamAddress> {
    Ok(TeamAddress { org: path.subject("org")?, team: path.team()? })
}

fn view(detail: TeamDetail) -> api::Team {
    let repos = detail.repos.into_iter().map(|repo| (repo.name, permissions::name(repo.right).to_owned()));
    api::Team {
        name: detail.team.name.to_string(),
        members: detail.members,
        allow_repo_creation: detail.team.may_create_repos,
        permitted_repos: repos.collect(),
    }
}
