//! Lists of files, and searches for them.

use axum::{Json, extract::State, response::Response};
use model::file::{FileListState, ListedFile};
use operations::catalogue::files::{self, Metadata};
use web::{
    App,
    caller::{RequestCaller, SignedIn},
    error::Result,
    json::JsonBody,
    paging,
    path_names::PathNames,
};

use super::whole_list;
use crate::catalogue;

/// Lists all files, or one page if the request asks for one.
pub(crate) async fn list_package_files(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
) -> Result<Response> {
    let (at, shown, start) = (path.package_address()?, shown(&path)?, path.start_position()?);
    if path.query("start_pos")?.is_none() {
        let list = files::all_of_package(app.house(), &caller, &at, shown).await?;
        return whole_list::respond(app, list).await;
    }
    let page = files::list_of_package(app.house(), &caller, &at, shown, start).await?;
    Ok(paging::respond(page, view))
}

/// Lists all files, or one page if the request asks for one.
pub(crate) async fn list_version_files(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
) -> Result<Response> {
    let (at, shown, start) = (path.version_address()?, shown(&path)?, path.start_position()?);
    if path.query("start_pos")?.is_none() {
        let list = files::all_of_version(app.house(), &caller, &at, shown).await?;
        return whole_list::respond(app, list).await;
    }
    let page = files::list_of_version(app.house(), &caller, &at, shown, start).await?;
    Ok(paging::respond(page, view))
}

fn shown(path: &PathNames) -> Result<FileListState> {
    Ok(if path.flag("include_unpublished")? { FileListState::Newest } else { FileListState::Published })
}

pub(crate) async fn show_file_package(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
) -> Result<Json<api::Package>> {
    let detail = files::show_package(app.house(), &caller, &path.repo_address()?, &path.file_path()?).await?;
    Ok(Json(catalogue::package_view_as_asked(&app, &path, detail).await?))
}

pub(crate) async fn show_file_version(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
) -> Result<Json<api::Version>> {
    let detail = files::show_version(app.house(), &caller, &path.repo_address()?, &path.file_path()?).await?;
    Ok(Json(catalogue::version_view_as_asked(&app, &path, detail).await?))
}

pub(crate) async fn edit_file_metadata(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::FileMetadata>,
) -> Result<Json<api::Message>> {
    let metadata = Metadata { list_in_downloads: body.list_in_downloads };
    files::edit(app.house(), &caller, &path.repo_address()?, &path.file_path()?, metadata).await?;
    Ok(Json(api::Message::success()))
}

/// A file in lists and search results as JSON.
pub(crate) fn view(file: ListedFile) -> api::File {
    api::File {
        name: file.path.file_name().to_owned(),
        path: file.path.to_string(),
        package: file.package.to_string(),
        version: file.version.to_string(),
        repo: file.repo.to_string(),
        owner: file.owner.to_string(),
        created: file.created.to_string(),
        size: file.size,
        sha1: file.sha1,
        sha256: file.sha256,
    }
}
