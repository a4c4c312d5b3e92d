//! The settings in force, and where each comes from. Secrets are masked.

use askama::Template;
use axum::{extract::State, response::Response};
use operations::maintenance::site;

use crate::{
    App,
    error::Result,
    pages::{
        shell::{Layout, render},
        visitor::Visitor,
    },
};

#[derive(Template)]
#[template(path = "admin_settings.html")]
struct Page {
    shell: Layout,
    settings: String,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor) -> Result<Response> {
    site::check_may_administer(&visitor.caller)?;
    let shell = visitor.shell(&app);
    let page = Page { settings: app.settings().show(), shell: shell.clone() };
    Ok(render(&shell, &page))
}
