//! Pages with statistics: downloads of a package, storage and traffic of a subject or a repository.

mod bars;
pub(crate) mod chart;
mod countries;
mod csv;
mod downloads;
pub(crate) mod thresholds;
mod thresholds_form;
mod usage;

use axum::Router;
use web::{
    App,
    boxed::{form, get},
};

/// The routes of these pages.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/-/numbers/{subject}/{repo}/{package}", get(downloads::show))
        .route("/-/usage/{subject}", form(usage::show, thresholds_form::set))
        .route("/-/usage/{subject}/{repo}", form(usage::show, thresholds_form::set))
}
