//! The newest releases that the visitor may see, of all formats or of one.

use askama::Template;
use axum::{extract::State, response::Response};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::release_rows::{self, ReleaseRow};
use crate::{
    band::Band,
    layout::{Layout, render},
    parts,
    visitor::Visitor,
};

/// The most releases on this page.
const RELEASES: i64 = 50;

#[derive(Template)]
#[template(path = "browse/explore.html")]
struct Page {
    layout: Layout,
    band: Band,
    /// The chosen format, with its name for people.
    format: Option<(&'static str, &'static str)>,
    formats: Vec<(&'static str, &'static str)>,
    releases: Vec<ReleaseRow>,
}

pub(crate) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let formats: Vec<_> =
        app.house().formats.iter().map(|format| (format.name(), parts::format_title(format.name()))).collect();
    let format = match path.query("format")?.unwrap_or_default() {
        "" => None,
        name => {
            let unknown = || Failure::bad_request("format: this server does not know it");
            Some(*formats.iter().find(|(known, _)| *known == name).ok_or_else(unknown)?)
        }
    };
    let mut releases = release_rows::find(&app, &visitor, RELEASES).await?;
    releases.retain(|release| format.is_none_or(|(name, _)| release.kind == name));
    let layout = visitor.layout(&app);
    let mut band = Band::plain(Vec::new(), "Explore");
    band.lead = "What was released lately, in all repositories that you may see".to_owned();
    Ok(render(&layout, &Page { layout: layout.clone(), band, format, formats, releases }))
}
