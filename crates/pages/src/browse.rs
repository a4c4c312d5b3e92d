//! Pages for reading the catalogue: subjects, repositories, packages, versions, files, searches and EULAs.

mod activity;
mod attention;
pub(crate) mod attributes;
mod badge;
mod commands;
mod eula;
mod explore;
mod facets;
mod feed;
mod file_links;
mod files;
mod first_steps;
mod hits;
mod home;
mod image;
mod key_holder;
mod marked;
mod opened;
mod org_cards;
mod package;
mod package_files;
mod package_lines;
mod package_numbers;
mod package_page;
mod package_parts;
mod platforms;
mod popular;
mod publish_checks;
mod readme_image;
mod release_rows;
pub(crate) mod releases;
mod repo;
mod repo_cards;
mod repo_list;
mod search;
mod search_filters;
mod setup;
mod shown_package;
mod subject;
mod suggest;
mod verify;
pub(crate) mod version;
pub(crate) mod version_files;
mod version_manage;
mod waiting;

use axum::Router;
use web::{
    App,
    boxed::{form, get, post},
};

/// The routes of these pages.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/", get(home::show))
        .route("/search", get(search::show))
        .route("/-/suggest", get(suggest::list))
        .route("/-/explore", get(explore::show))
        .route("/-/explore.atom", get(feed::of_site))
        .route("/-/image", get(readme_image::show))
        .route("/-/badge/{subject}/{repo}/{package}/version.svg", get(badge::version))
        .route("/-/badge/{subject}/{repo}/{package}/downloads.svg", get(badge::downloads))
        .route("/-/badge/{subject}/{repo}/{package}/license.svg", get(badge::license))
        .route("/-/feed/{subject}", get(feed::of_subject))
        .route("/-/feed/{subject}/{repo}", get(feed::of_repo))
        .route("/-/feed/{subject}/{repo}/{package}", get(feed::of_package))
        .route("/-/key", form(key_holder::show, key_holder::open))
        .route("/-/key/sign-out", post(key_holder::close))
        .route("/-/setup/{subject}/{repo}", form(setup::show, setup::create))
        .route("/-/setup/{subject}/{repo}/{package}", form(setup::show, setup::create))
        .route("/eula/{subject}/{product}/{version}", form(eula::show, eula::accept))
        .route("/-/files/{subject}/{repo}", get(files::show))
        .route("/-/files/{subject}/{repo}/{*file_path}", get(files::show))
        .route("/{subject}", get(subject::show))
        .route("/{subject}/{repo}", get(repo::show))
        .route("/{subject}/{repo}/{package}", get(package::show))
        .route("/{subject}/{repo}/{package}/{version}", get(version::show))
}
