//! Pages for site administrators.

mod audit;
mod audit_words;
mod new_user;
mod overview;
mod person;
mod settings;
mod storage;
mod subject;
mod users;

use axum::Router;
use web::{
    App,
    boxed::{form, get, post},
};

/// The routes of these pages.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/-/admin", get(overview::show))
        .route("/-/admin/users", form(users::show, new_user::create))
        .route("/-/admin/users/{subject}", get(subject::show))
        .route("/-/admin/users/{subject}/plan", post(subject::set_plan))
        .route("/-/admin/users/{subject}/api_key", post(subject::rotate_key))
        .route("/-/admin/users/{subject}/suspend", post(person::suspend))
        .route("/-/admin/users/{subject}/unsuspend", post(person::unsuspend))
        .route("/-/admin/users/{subject}/reset_password", post(person::reset_password))
        .route("/-/admin/users/{subject}/second_factor/reset", post(person::reset_second_factor))
        .route("/-/admin/users/{subject}/sessions/end_all", post(person::end_sessions))
        .route("/-/admin/users/{subject}/rename", post(person::rename))
        .route("/-/admin/users/{subject}/delete", post(subject::delete))
        .route("/-/admin/audit", get(audit::show))
        .route("/-/admin/settings", get(settings::show))
}
