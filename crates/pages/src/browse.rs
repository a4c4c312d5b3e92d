//! Pages for reading the catalogue: subjects, repositories, packages, versions, files, searches and EULAs.

pub(crate) mod attributes;
mod commands;
mod eula;
mod explore;
mod feed;
mod file_links;
mod files;
mod hits;
mod home;
mod image;
mod package;
mod package_lines;
mod package_parts;
mod release_rows;
pub(crate) mod releases;
mod repo;
mod repo_cards;
mod search;
mod subject;
mod suggest;
pub(crate) mod version;
pub(crate) mod version_files;
mod version_manage;

use axum::Router;
use web::{
    App,
    boxed::{form, get},
};

/// The routes of these pages.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/", get(home::show))
        .route("/search", get(search::show))
        .route("/-/suggest", get(suggest::list))
        .route("/-/explore", get(explore::show))
        .route("/-/explore.atom", get(feed::show))
        .route("/eula/{subject}/{product}/{version}", form(eula::show, eula::accept))
        .route("/-/files/{subject}/{repo}", get(files::show))
        .route("/-/files/{subject}/{repo}/{*file_path}", get(files::show))
        .route("/{subject}", get(subject::show))
        .route("/{subject}/{repo}", get(repo::show))
        .route("/{subject}/{repo}/{package}", get(package::show))
        .route("/{subject}/{repo}/{package}/{version}", get(version::show))
}
