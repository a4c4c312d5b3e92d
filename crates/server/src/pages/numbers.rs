//! Pages with numbers and with what is told to others: downloads, use, webhooks.

mod bars;
mod downloads;
mod hook;
mod hook_forms;
mod hooks;
mod thresholds_form;
mod usage;

use axum::Router;

use crate::{
    App,
    boxed::{form, get},
};

/// The addresses of these pages.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/-/numbers/{subject}/{repo}/{package}", get(downloads::show))
        .route("/-/usage/{subject}", form(usage::show, thresholds_form::set))
        .route("/-/usage/{subject}/{repo}", form(usage::show, thresholds_form::set))
        .route("/-/webhooks/{subject}/{repo}", get(hooks::show))
        .route("/-/webhooks/{subject}/{repo}/{package}", form(hook::show, hook_forms::change))
}
