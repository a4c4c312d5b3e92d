//! Web pages. They show the results of the same operations as the API, with the same access checks, and change things
//! through forms.
//!
//! Each page has one file, with its template in the same folder of `templates`. All pages share `visitor`, `layout`,
//! `form`, `notice` and `errors`.

mod accounts;
mod address;
mod admin;
mod assets;
mod band;
mod breadcrumbs;
mod browse;
mod cookies;
mod csv;
pub mod docs;
mod errors;
pub mod folder;
mod form;
mod layout;
mod manage;
mod natural;
mod notice;
mod pager;
mod parts;
mod sizes;
mod statistics;
mod times;
mod visitor;
mod webhooks;
mod well_known;

use axum::{Router, http::StatusCode, middleware, routing::any};
use model::target::Target;
use web::{App, error::Failure};

pub use assets::asset;
pub use errors::{agreement, refusal};

/// The version of the program, in the foot of the pages.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// First path segments of the other surfaces, which have no pages.
const OTHER_SURFACES: [&str; 7] = ["_", "api", "dl", "assets", "livez", "readyz", "metrics"];

/// Whether a page may be at this URL.
pub fn is_page(target: &Target) -> bool {
    !target.segments.first().is_some_and(|first| OTHER_SURFACES.contains(&first.as_str()))
}

/// The router of the pages. Names of subjects begin with a letter or a digit, so no path below `/-` collides with one;
/// the other reserved paths are names that no subject can take.
pub fn router(app: App) -> Router {
    Router::new()
        .merge(well_known::routes())
        .merge(browse::routes())
        .merge(manage::routes())
        .merge(accounts::routes())
        .merge(statistics::routes())
        .merge(webhooks::routes())
        .merge(admin::routes())
        // A page that does not exist, and not a subject with a wrong name.
        .route("/-", any(async || Failure::nothing()))
        .route("/-/{*path}", any(async || Failure::nothing()))
        .method_not_allowed_fallback(async || {
            Failure::new(StatusCode::METHOD_NOT_ALLOWED, "This URL does not support this method")
        })
        .fallback(async || Failure::nothing())
        .layer(middleware::from_fn_with_state(app.clone(), errors::as_pages))
        .with_state(app)
}
