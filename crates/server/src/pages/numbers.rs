//! Pages with numbers and with what is told to others: downloads, use, webhooks.

mod bars;
mod downloads;
mod hook;
mod hook_forms;
mod hooks;
mod thresholds_form;
mod usage;

use axum::{Router, routing::get};

use crate::App;

/// The addresses of these pages.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/-/numbers/{subject}/{repo}/{package}", get(downloads::show))
        .route("/-/usage/{subject}", get(usage::show).post(thresholds_form::set))
        .route("/-/usage/{subject}/{repo}", get(usage::show).post(thresholds_form::set))
        .route("/-/webhooks/{subject}/{repo}", get(hooks::show))
        .route("/-/webhooks/{subject}/{repo}/{package}", get(hook::show).post(hook_forms::change))
}
