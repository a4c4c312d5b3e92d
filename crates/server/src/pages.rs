//! Web pages. They show the results of the same operations as the API, with the same access checks, and change things
//! through forms.
//!
//! Each page has one file, with its template in `templates`. All pages share `visitor`, `layout`, `form`, `notice` and
//! `errors`.

mod account;
mod accounts;
mod address;
mod admin;
mod assets;
mod attributes;
mod breadcrumbs;
mod chart;
mod commands;
mod cookies;
pub(crate) mod docs;
mod errors;
mod eula;
mod file_links;
mod files;
pub(crate) mod folder;
mod form;
mod gpg_key;
mod hits;
mod home;
mod layout;
mod manage;
mod maven;
mod notice;
mod owner_links;
mod package;
mod pager;
mod repo;
mod search;
mod sign_in;
mod sizes;
mod statistics;
mod subject;
mod suggest;
mod thresholds;
mod version;
mod version_files;
mod version_manage;
mod visitor;
mod webhooks;

use axum::{Router, http::StatusCode, middleware};
use model::target::Target;
use web::{
    App,
    boxed::{form, get, post},
    error::Failure,
};

pub(crate) use assets::{ICON, STYLE, asset};
pub(crate) use errors::refusal;

/// First path segments of the other surfaces, which have no pages.
const OTHER_SURFACES: [&str; 6] = ["api", "dl", "assets", "livez", "readyz", "metrics"];

/// Whether a page may be at this URL.
pub(crate) fn is_page(target: &Target) -> bool {
    !target.segments.first().is_some_and(|first| OTHER_SURFACES.contains(&first.as_str()))
}

/// The router of the pages. Names of subjects begin with a letter or a digit, so no path below `/-` collides with one;
/// the other reserved paths are names that no subject can take.
pub(crate) fn router(app: App) -> Router {
    Router::new()
        .route("/", get(home::show))
        .route("/search", get(search::show))
        .route("/-/suggest", get(suggest::list))
        .route("/login", form(sign_in::show, sign_in::open))
        .route("/logout", post(sign_in::close))
        .route("/account", get(account::show))
        .route("/account/api_key", post(account::rotate_key))
        .route("/account/password", post(account::change_password))
        .route("/eula/{subject}/{product}/{version}", form(eula::show, eula::accept))
        .route("/-/files/{subject}/{repo}", get(files::show))
        .route("/-/files/{subject}/{repo}/{*file_path}", get(files::show))
        .merge(manage::routes())
        .merge(accounts::routes())
        .merge(statistics::routes())
        .merge(webhooks::routes())
        .merge(admin::routes())
        .route("/{subject}", get(subject::show))
        .route("/{subject}/{repo}", get(repo::show))
        .route("/{subject}/{repo}/{package}", get(package::show))
        .route("/{subject}/{repo}/{package}/{version}", get(version::show))
        .method_not_allowed_fallback(async || {
            Failure::new(StatusCode::METHOD_NOT_ALLOWED, "This URL does not support this method")
        })
        .fallback(async || Failure::nothing())
        .layer(middleware::from_fn_with_state(app.clone(), errors::as_pages))
        .with_state(app)
}
