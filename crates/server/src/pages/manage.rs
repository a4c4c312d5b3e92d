//! Pages that create, change, fill, publish and delete what is in the catalogue.
//!
//! Each address is a word for what is done and the address of what it is done to, below `/-`. What a form begins with is
//! asked for with the right that its change needs, so that nobody sees a form who may not send it.

mod attribute_values;
mod attributes;
mod deletion;
mod document;
mod file;
mod links;
mod multipart;
mod package;
mod package_fields;
mod repo;
mod repo_fields;
mod signed_url;
mod staged;
mod upload;
mod upload_form;
mod version;

use axum::{
    Router,
    routing::{get, post, put},
};

use crate::App;

pub(super) use links::unlink;
pub(super) use staged::Manage;

/// The addresses of these pages.
pub(super) fn routes() -> Router<App> {
    const REPO: &str = "/{subject}/{repo}";
    const PACKAGE: &str = "/{subject}/{repo}/{package}";
    const VERSION: &str = "/{subject}/{repo}/{package}/{version}";
    let at = |action: &str, of: &str| format!("/-/{action}{of}");
    Router::new()
        .route("/-/new/repo/{subject}", get(repo::show_new).post(repo::create))
        .route(&at("new/package", REPO), get(package::show_new).post(package::create))
        .route(&at("new/version", PACKAGE), get(version::show_new).post(version::create))
        .route(&at("edit/repo", REPO), get(repo::show_edit).post(repo::edit))
        .route(&at("edit/package", PACKAGE), get(package::show_edit).post(package::edit))
        .route(&at("edit/version", VERSION), get(version::show_edit).post(version::edit))
        .route(&at("edit/readme", PACKAGE), get(document::show_readme).post(document::set_readme))
        .route(&at("edit/notes", PACKAGE), get(document::show_notes).post(document::set_notes))
        .route(&at("edit/notes", VERSION), get(document::show_notes).post(document::set_notes))
        .route(&at("attributes/package", PACKAGE), get(attributes::show).post(attributes::change))
        .route(&at("attributes/version", VERSION), get(attributes::show).post(attributes::change))
        .route(&at("delete/repo", REPO), get(deletion::show).post(deletion::delete))
        .route(&at("delete/package", PACKAGE), get(deletion::show).post(deletion::delete))
        .route(&at("delete/version", VERSION), get(deletion::show).post(deletion::delete))
        .route(&at("delete/file", &format!("{REPO}/{{*file_path}}")), get(deletion::show).post(deletion::delete))
        .route(&at("upload", VERSION), post(upload_form::upload_form))
        .route(&at("upload", &format!("{VERSION}/{{*file_path}}")), put(upload::upload_file))
        .route(&at("publish", VERSION), post(staged::publish))
        .route(&at("discard", VERSION), post(staged::discard))
        .route(&at("sign", VERSION), post(staged::sign))
        .route(&at("signed-url", &format!("{REPO}/{{*file_path}}")), get(signed_url::show).post(signed_url::create))
        .route(&at("link", PACKAGE), get(links::show).post(links::create))
        .route(
            &at("unlink", &format!("{REPO}/{{source_subject}}/{{source_repo}}/{{source_package}}")),
            post(links::delete),
        )
}
