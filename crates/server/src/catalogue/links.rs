//! Packages linked into other repositories.

use axum::{Json, extract::State, http::StatusCode};
use model::file_path::FilePath;
use operations::catalogue::links;
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    json::OptionalJsonBody,
    path_names::PathNames,
};

pub(crate) async fn link_package(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    OptionalJsonBody(body): OptionalJsonBody<api::NewLink>,
) -> Result<(StatusCode, Json<api::Message>)> {
    let prefix = body.path_prefix.as_deref().map(folder).transpose()?.flatten();
    links::create(app.house(), &caller, &path.repo_address()?, &path.source_address()?, prefix).await?;
    Ok((StatusCode::CREATED, Json(api::Message::success())))
}

pub(crate) async fn unlink_package(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    links::delete(app.house(), &caller, &path.repo_address()?, &path.source_address()?).await?;
    Ok(Json(api::Message::success()))
}

/// Parses a folder, which may end in a slash; an empty one is the whole repository.
fn folder(text: &str) -> Result<Option<FilePath>> {
    match text.strip_suffix('/').unwrap_or(text) {
        "" if text.is_empty() => Ok(None),
        path => FilePath::parse(path).map(Some).map_err(|error| Failure::bad_request(format!("path_prefix: {error}"))),
    }
}
