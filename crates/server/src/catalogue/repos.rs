//! Repositories.

use axum::{Json, extract::State, http::StatusCode};
use model::{plan::Plan, repo::RepoListItem, repo_type};
use operations::{House, RepoAccess, catalogue::repos, indexes};
use web::{
    App,
    caller::{RequestCaller, SignedIn},
    error::Result,
    json::{JsonBody, JsonParts},
    path_names::PathNames,
};

pub(crate) async fn list_repos(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
) -> Result<Json<Vec<api::RepoSummary>>> {
    let listed = repos::list(app.house(), &caller, &path.subject("subject")?).await?;
    let summary = |repo: RepoListItem| api::RepoSummary { name: repo.name, owner: repo.owner };
    Ok(Json(listed.into_iter().map(summary).collect()))
}

pub(crate) async fn show_repo(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
) -> Result<Json<api::Repo>> {
    let access = repos::show(app.house(), &caller, &path.repo_address()?).await?;
    Ok(Json(view(app.house(), access)))
}

pub(crate) async fn create_repo(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonParts(new, body): JsonParts<api::RepoKind, api::RepoChange>,
) -> Result<(StatusCode, Json<api::Repo>)> {
    let kind = new.kind.as_deref().unwrap_or(repo_type::DEFAULT_REPO_TYPE);
    let repo = repos::create(app.house(), &caller, &path.repo_address()?, kind, change(body)).await?;
    Ok((StatusCode::CREATED, Json(view(app.house(), repo))))
}

pub(crate) async fn edit_repo(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::RepoChange>,
) -> Result<Json<api::Message>> {
    indexes::edit_repo(app.house(), &caller, &path.repo_address()?, change(body)).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn delete_repo(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    repos::delete(app.house(), &caller, &path.repo_address()?).await?;
    Ok(Json(api::Message::success()))
}

fn change(body: api::RepoChange) -> repos::RepoChange {
    repos::RepoChange {
        is_private: body.private,
        description: body.desc,
        labels: body.labels,
        gpg_sign_metadata: body.gpg_sign_metadata,
        gpg_sign_files: body.gpg_sign_files,
        gpg_use_owner_key: body.gpg_use_owner_key,
        version_update_max_days: body.version_update_max_days,
        default_debian_distribution: body.default_debian_distribution,
        default_debian_component: body.default_debian_component,
        default_debian_architecture: body.default_debian_architecture,
        yum_metadata_depth: body.yum_metadata_depth,
        debian_valid_days: body.debian_valid_days,
        debian_contents: body.debian_contents,
        native_staged: body.native_staged,
        untagged_days: body.untagged_days,
    }
}

/// The details of a repository as JSON.
pub(crate) fn view(house: &House, access: RepoAccess) -> api::Repo {
    let (repo, profile) = (access.repo.clone(), access.repo.profile);
    let has_native = house.has_native(&repo.kind);
    api::Repo {
        name: repo.name.to_string(),
        owner: repo.owner.to_string(),
        desc: profile.description,
        labels: profile.labels,
        created: repo.created.to_string(),
        package_count: repo.package_count,
        kind: repo.kind,
        private: profile.is_private,
        premium: repo.plan >= Plan::Premium,
        gpg_sign_metadata: profile.gpg_sign_metadata,
        gpg_sign_files: profile.gpg_sign_files,
        gpg_use_owner_key: profile.gpg_use_owner_key,
        version_update_max_days: profile.version_update_max_days,
        native_staged: has_native.then_some(profile.native_staged),
        untagged_days: profile.untagged_days,
    }
}
