//! Permissions of teams in a repository.

use axum::{Json, extract::State};
use model::{names::TeamName, team::Permission};
use operations::access::permissions;
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    json::JsonBody,
    path_names::PathNames,
};

pub(crate) async fn list_permissions(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<Vec<api::Permission>>> {
    let list = permissions::list(app.house(), &caller, &path.repo_address()?).await?;
    Ok(Json(list.into_iter().map(view).collect()))
}

pub(crate) async fn show_permission(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Permission>> {
    Ok(Json(view(permissions::show(app.house(), &caller, &path.repo_address()?, &path.team()?).await?)))
}

pub(crate) async fn set_permission(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::Permission>,
) -> Result<Json<api::Message>> {
    let team = TeamName::parse(&body.team).map_err(|error| Failure::bad_request(format!("team: {error}")))?;
    let unknown =
        || Failure::bad_request(format!("permission: '{}' is not one of read, publish, admin", body.permission));
    let right = permissions::parse(&body.permission).ok_or_else(unknown)?;
    permissions::set(app.house(), &caller, &path.repo_address()?, &team, right).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn delete_permission(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    permissions::delete(app.house(), &caller, &path.repo_address()?, &path.team()?).await?;
    Ok(Json(api::Message::success()))
}

fn view(permission: Permission) -> api::Permission {
    api::Permission { team: permission.name, permission: permissions::name(permission.right).to_owned() }
}
