//! What is new and what is downloaded most: of all packages, of one format, or with one label.

use std::collections::BTreeMap;

use askama::Template;
use axum::{extract::State, response::Response};
use model::{
    overview::{PackageFilter, PopularPackage, VersionOverview},
    timestamp::Timestamp,
};
use operations::{catalogue::overviews, usage};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::{
    release_rows::{self, ReleaseRow},
    releases::is_prerelease,
};
use crate::{
    address::{self, query_value},
    band::{Band, Tab, first_line},
    layout::{Layout, render},
    parts, sizes,
    visitor::Visitor,
};

/// The most rows on this page.
const ROWS: i64 = 50;

/// The most labels to choose from.
const LABELS: usize = 24;

#[derive(Template)]
#[template(path = "browse/explore.html")]
struct Page {
    layout: Layout,
    band: Band,
    /// The name of the chosen format for people; empty without one.
    format: &'static str,
    /// The chosen label; empty without one.
    label: String,
    /// The formats with their URL, and whether they are chosen.
    formats: Vec<(&'static str, String, bool)>,
    /// The labels of the packages in the list with their URL.
    labels: Vec<(String, String)>,
    /// The URLs of the list of all formats, and of all labels.
    all_formats: String,
    all_labels: String,
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
    labels: Vec<String>,
    is_private: bool,
    is_prerelease: bool,
    is_signed: bool,
    is_yanked: bool,
    license: String,
    /// The size of its latest version.
    size: String,
    updated: Timestamp,
    downloads: String,
}

pub(crate) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let format = path.query("format")?.unwrap_or_default();
    let label = path.query("label")?.unwrap_or_default().trim();
    let known: Vec<_> = app.house().formats.iter().map(|format| format.name()).collect();
    if !format.is_empty() && !known.contains(&format) {
        return Err(Failure::bad_request("format: this server does not know it"));
    }
    let is_popular = match path.query("sort")?.unwrap_or_default() {
        "" | "newest" => false,
        "downloads" => true,
        _ => return Err(Failure::bad_request("sort: it is not one of newest, downloads")),
    };
    let filter = PackageFilter { format, label };
    let (mut releases, mut packages) = (Vec::new(), Vec::new());
    if is_popular {
        let found = usage::list_popular(app.house(), &visitor.caller, filter, ROWS).await?;
        let ids: Vec<_> = found.iter().map(|package| package.id).collect();
        let latest = overviews::list_latest(app.house(), &ids).await?;
        packages = found.into_iter().map(|package| row(&app, latest.get(&package.id), package)).collect();
    } else {
        releases = release_rows::find(&app, &visitor, filter, ROWS).await?;
    }
    let shown = releases.iter().map(|release| &release.labels).chain(packages.iter().map(|package| &package.labels));
    let labels = most_frequent(shown.flatten(), label);
    let layout = visitor.layout(&app);
    let url = |filter| url(is_popular, filter);
    let page = Page {
        band: band(filter, is_popular),
        format: if format.is_empty() { "" } else { parts::format_title(format) },
        formats: known
            .into_iter()
            .map(|name| (parts::format_title(name), url(PackageFilter { format: name, ..filter }), name == format))
            .collect(),
        labels: labels
            .into_iter()
            .map(|name| (name.to_owned(), url(PackageFilter { label: name, ..filter })))
            .collect(),
        all_formats: url(PackageFilter { format: "", ..filter }),
        all_labels: url(PackageFilter { label: "", ..filter }),
        label: label.to_owned(),
        layout: layout.clone(),
        is_popular,
        releases,
        packages,
    };
    Ok(render(&layout, &page))
}

/// The labels that most rows have, the most frequent first, without the chosen one.
fn most_frequent<'r>(labels: impl Iterator<Item = &'r String>, chosen: &str) -> Vec<&'r str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for label in labels.filter(|label| !label.eq_ignore_ascii_case(chosen)) {
        *counts.entry(label).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.into_iter().take(LABELS).map(|(label, _)| label).collect()
}

/// The URL of a list.
fn url(is_popular: bool, filter: PackageFilter<'_>) -> String {
    let sort = if is_popular { "downloads" } else { "" };
    let parameters = [("sort", sort), ("format", filter.format), ("label", filter.label)];
    let query: Vec<String> = parameters
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("{name}={}", query_value(value)))
        .collect();
    if query.is_empty() { "/-/explore".to_owned() } else { format!("/-/explore?{}", query.join("&")) }
}

fn band(filter: PackageFilter<'_>, is_popular: bool) -> Band {
    let mut band = Band::plain(Vec::new(), "Explore");
    band.lead = "Packages in all repositories that you may see".to_owned();
    band.tabs = vec![
        Tab::new("clock", "Newest", url(false, filter)),
        Tab::new("download", "Most downloaded", url(true, filter)),
    ];
    band.at(if is_popular { "Most downloaded" } else { "Newest" })
}

fn row(app: &App, latest: Option<&VersionOverview>, package: PopularPackage) -> PopularRow {
    let version = package.latest_version.unwrap_or_default();
    PopularRow {
        is_prerelease: is_prerelease(app, &package.kind, &version),
        is_signed: latest.is_some_and(|latest| latest.is_signed),
        is_yanked: latest.is_some_and(|latest| latest.is_yanked),
        size: latest.map(|latest| sizes::bytes(latest.bytes.unsigned_abs())).unwrap_or_default(),
        license: package.licenses.join(", "),
        version,
        place: format!("{}/{}", package.owner, package.repo),
        address: address::path([&*package.owner, &*package.repo, &*package.name]),
        kind: package.kind,
        name: package.name,
        description: first_line(&package.description),
        labels: package.labels,
        is_private: package.is_private,
        updated: package.updated,
        downloads: sizes::number(package.downloads),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_labels_come_first() {
        let labels = ["b", "a", "c", "a", "X"].map(str::to_owned);
        assert_eq!(most_frequent(labels.iter(), "x"), ["a", "b", "c"]);
        let many: Vec<String> = (0..100).map(|number| number.to_string()).collect();
        assert_eq!(most_frequent(many.iter(), "").len(), LABELS);
    }

    #[test]
    fn urls_have_what_is_chosen() {
        assert_eq!(url(false, PackageFilter::default()), "/-/explore");
        let filter = PackageFilter { format: "npm", label: "a b" };
        assert_eq!(url(true, filter), format!("/-/explore?sort=downloads&format=npm&label={}", query_value("a b")));
    }
}
