//! The settings in force, and the source of each. Secrets are masked.

use askama::Template;
use axum::{extract::State, response::Response};
use operations::maintenance::site;
use web::{App, error::Result};

use crate::{
    band::Band,
    layout::{Layout, render},
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "admin/settings.html")]
struct Page {
    layout: Layout,
    band: Band,
    settings: String,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor) -> Result<Response> {
    site::check_may_administer(&visitor.caller)?;
    let layout = visitor.layout(&app);
    let page = Page { band: Band::of_site().at("Settings"), settings: app.settings().show(), layout: layout.clone() };
    Ok(render(&layout, &page))
}
