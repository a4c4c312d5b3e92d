//! What is new and what is downloaded most, of all formats or of one.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{overview::PopularPackage, timestamp::Timestamp};
use operations::usage;
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::release_rows::{self, ReleaseRow};
use crate::{
    address,
    band::{Band, Tab, first_line},
    layout::{Layout, render},
    parts, sizes,
    visitor::Visitor,
};

/// The most rows on this page.
const ROWS: i64 = 50;

#[derive(Template)]
#[template(path = "browse/explore.html")]
struct Page {
    layout: Layout,
    band: Band,
    /// The chosen format, with its name for people.
    format: Option<(&'static str, &'static str)>,
    /// The formats with their name for people and their URL.
    formats: Vec<(&'static str, &'static str, String)>,
    /// The URL of the list without a format.
    all_formats: String,
    /// Whether the page shows the packages with the most downloads.
    is_popular: bool,
    releases: Vec<ReleaseRow>,
    packages: Vec<PopularRow>,
}

/// A package with its downloads.
struct PopularRow {
    place: String,
    kind: String,
    name: String,
    address: String,
    version: String,
    description: String,
    is_private: bool,
    updated: Timestamp,
    downloads: String,
}

pub(crate) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let known: Vec<_> =
        app.house().formats.iter().map(|format| (format.name(), parts::format_title(format.name()))).collect();
    let format = match path.query("format")?.unwrap_or_default() {
        "" => None,
        name => {
            let unknown = || Failure::bad_request("format: this server does not know it");
            Some(*known.iter().find(|(known, _)| *known == name).ok_or_else(unknown)?)
        }
    };
    let is_popular = match path.query("sort")?.unwrap_or_default() {
        "" | "newest" => false,
        "downloads" => true,
        _ => return Err(Failure::bad_request("sort: it is not one of newest, downloads")),
    };
    let name = format.map_or("", |(name, _)| name);
    let releases = if is_popular { Vec::new() } else { release_rows::find(&app, &visitor, name, ROWS).await? };
    let packages = if is_popular {
        usage::list_popular(app.house(), &visitor.caller, name, ROWS).await?.into_iter().map(row).collect()
    } else {
        Vec::new()
    };
    let layout = visitor.layout(&app);
    let sort = if is_popular { "sort=downloads&" } else { "" };
    let page = Page {
        band: band(name, is_popular),
        formats: known
            .into_iter()
            .map(|(name, title)| (name, title, format!("/-/explore?{sort}format={name}")))
            .collect(),
        all_formats: if is_popular { "/-/explore?sort=downloads".to_owned() } else { "/-/explore".to_owned() },
        layout: layout.clone(),
        format,
        is_popular,
        releases,
        packages,
    };
    Ok(render(&layout, &page))
}

fn band(format: &str, is_popular: bool) -> Band {
    let mut band = Band::plain(Vec::new(), "Explore");
    band.lead = "Packages in all repositories that you may see".to_owned();
    let of = |start: &str, sep: &str| {
        if format.is_empty() { format!("/-/explore{start}") } else { format!("/-/explore{start}{sep}format={format}") }
    };
    band.tabs = vec![
        Tab::new("clock", "Newest", of("", "?")),
        Tab::new("download", "Most downloaded", of("?sort=downloads", "&")),
    ];
    band.at(if is_popular { "Most downloaded" } else { "Newest" })
}

fn row(package: PopularPackage) -> PopularRow {
    PopularRow {
        place: format!("{}/{}", package.owner, package.repo),
        address: address::path([&*package.owner, &*package.repo, &*package.name]),
        kind: package.kind,
        name: package.name,
        version: package.latest_version.unwrap_or_default(),
        description: first_line(&package.description),
        is_private: package.is_private,
        updated: package.updated,
        downloads: sizes::number(package.downloads),
    }
}
