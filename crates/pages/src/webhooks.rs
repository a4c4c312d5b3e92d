//! Pages about webhooks: those of a repository, and those of a package with their last deliveries.

mod webhook;
mod webhook_forms;
mod webhook_list;

use axum::Router;
use web::{
    App,
    boxed::{form, get},
};

/// The routes of these pages.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/-/webhooks/{subject}/{repo}", get(webhook_list::show))
        .route("/-/webhooks/{subject}/{repo}/{package}", form(webhook::show, webhook_forms::change))
}
