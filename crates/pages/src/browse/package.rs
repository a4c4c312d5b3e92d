//! The page of a package: its details, its readme, its versions, commands to use it, and its downloads.

use std::collections::HashMap;

use askama::Template;
use axum::{extract::State, response::Response};
use model::{
    address::{PackageAddress, RepoAddress},
    package::PackageProfile,
    page::{PAGE_SIZE, PageRequest},
    statistics::DailyDownloads,
    timestamp::Timestamp,
};
use operations::{
    accounts::ratings::{self, Opinion},
    catalogue::{
        attributes::{self, AttributeSelection, AttributeTarget},
        documents::{self, DocumentAddress},
        overviews,
        packages::{self, PackageDetail},
    },
    rendering::Html,
    usage::statistics::Statistics,
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::{
    attributes::{Attribute, shown_attribute},
    commands::Command,
    image,
    package_numbers::Compared,
    package_parts::{SigningKey, commands_of, links, rating, signing_key, unlink_of},
    platforms::Platforms,
    releases::{self, VersionLine},
    waiting::{self, Waiting},
};
use crate::{
    address,
    band::Band,
    errors::allowed,
    layout::{Layout, render},
    pager::Pager,
    statistics::chart::Chart,
    visitor::Visitor,
};

/// The versions on the overview; the others are on a page of their own.
const VERSIONS: u64 = 10;

#[derive(Template)]
#[template(path = "browse/package.html")]
struct Page {
    layout: Layout,
    band: Band,
    owner: String,
    repo: String,
    name: String,
    is_private: bool,
    /// The package that it is linked from, if it is a link.
    source: Option<(String, String)>,
    profile: PackageProfile,
    links: Vec<(&'static str, String)>,
    created: Timestamp,
    updated: Timestamp,
    rating: Option<String>,
    followers: i64,
    linked_to: Vec<String>,
    latest: Option<VersionLine>,
    /// Whether its versions are tags of an image.
    is_image: bool,
    /// Whether the page shows all versions instead of the readme.
    shows_versions: bool,
    versions: Vec<VersionLine>,
    /// Pushed tags that wait to be published.
    waiting: Vec<Waiting>,
    version_count: usize,
    /// The URL of all versions; empty if all are shown.
    all_versions: String,
    pager: Pager,
    attributes: Vec<Attribute>,
    readme: Option<Html>,
    chart: Option<Chart>,
    /// How the downloads compare to the thirty days before.
    change: Option<String>,
    signing_key: Option<SigningKey>,
    platforms: Platforms,
    commands: Vec<Command>,
    commands_title: &'static str,
    /// The URL of the page that fills a new token into the commands; empty if the visitor cannot have one.
    setup: String,
    /// Its own path, which follows the action in URLs.
    address: String,
    may_publish: bool,
    /// The URL of the form that links it into other repositories; empty if the visitor cannot.
    link: String,
    /// The URL of the form that removes the link to it; empty if the visitor cannot.
    unlink: String,
    statistics_address: String,
    /// The URL of its Atom feed.
    feed: String,
    /// What the visitor thinks of it, if the visitor may say so.
    opinion: Option<Opinion>,
    /// The ratings to choose from, and whether the visitor has given them.
    stars: Vec<(i64, bool)>,
}

pub(crate) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let (house, caller) = (app.house(), &visitor.caller);
    let (at, start) = (path.package_address()?, path.start_position()?);
    let shows_versions = shows_versions(&path, start)?;
    let detail = packages::show(house, caller, &at).await?;
    let readme = allowed(documents::show_html(house, caller, &DocumentAddress::Readme(at.clone())).await)?;
    let numbers = Compared::find(&app, &visitor, &at).await?;
    let attributes =
        attributes::list(house, caller, &AttributeTarget::Package(at.clone()), &AttributeSelection::All).await?;
    let platform = path.query("platform")?.unwrap_or_default();
    let (commands, platforms) = commands_of(&app, &visitor, &at, &detail, platform).await?;
    let downloads = downloads_by_version(numbers.as_ref().map(|numbers| &numbers.now));
    let versions = overviews::list_versions(house, &detail.access, window(shows_versions, start)).await?;
    let (repo, package) = (&detail.access.repo.repo, detail.access.package.clone());
    let (own_page, latest) = (address::package(&at), detail.latest_version.as_deref());
    let ids = versions.iter().map(|version| (version.id, version.name.clone())).collect::<Vec<_>>();
    let mut versions = releases::lines(&app, &repo.kind, &own_page, versions, latest, &downloads);
    image::add_to_lines(&app, &detail.access, &ids, &mut versions).await?;
    let total = detail.versions.len();
    let parameters = [("tab", "versions")];
    let pager = Pager::new(&own_page, &parameters, start, versions.len(), total as u64);
    let is_linked = repo.owner != at.repo.owner || repo.name != at.repo.repo;
    let source = (format!("{}/{}", repo.owner, repo.name), address::path([repo.owner.as_str(), repo.name.as_str()]));
    let own = PackageAddress {
        repo: RepoAddress { owner: repo.owner.clone(), repo: repo.name.clone() },
        package: package.name.clone(),
    };
    let opinion = if visitor.may_change() { ratings::find_opinion(house, caller, package.id).await? } else { None };
    let needs_token = visitor.may_change() && repo.profile.is_private;
    let layout = visitor.layout(&app);
    let page = Page {
        waiting: waiting::find(&app, &visitor, &own.repo, Some(&own.package)).await?,
        band: band(&at, &detail, shows_versions),
        may_publish: visitor.may_change() && !is_linked && detail.access.repo.is_publisher(),
        link: if visitor.may_change() { format!("/-/link{}", address::package(&own)) } else { String::new() },
        unlink: if is_linked { unlink_of(&app, &visitor, &at, &own).await? } else { String::new() },
        owner: at.repo.owner.to_string(),
        repo: at.repo.repo.to_string(),
        name: at.package.to_string(),
        is_private: repo.profile.is_private,
        is_image: app.house().format(&repo.kind).holds_images(),
        source: is_linked.then_some(source),
        links: links(&package.profile),
        created: package.created,
        updated: package.updated,
        rating: rating(package.rating_sum, package.rating_count),
        followers: package.followers_count,
        profile: package.profile,
        latest: latest.map(|name| releases::find(&versions, name, &own_page)),
        linked_to: detail.linked_to_repos,
        attributes: attributes.iter().map(shown_attribute).collect(),
        change: numbers.as_ref().and_then(Compared::change),
        chart: numbers.as_ref().map(|numbers| Chart::new(&numbers.now)),
        signing_key: signing_key(&app, &detail.access.repo).await?,
        platforms,
        statistics_address: format!("/-/numbers{own_page}"),
        feed: address::feed(&own_page),
        stars: (1..=5).map(|stars| (stars, opinion.is_some_and(|given| given.rating == Some(stars)))).collect(),
        opinion,
        all_versions: all_versions(&own_page, !shows_versions && total > versions.len()),
        pager: if shows_versions { pager } else { Pager::default() },
        version_count: total,
        commands_title: "Install",
        setup: if needs_token { address::setup(&own_page) } else { String::new() },
        layout: layout.clone(),
        address: own_page,
        shows_versions,
        versions,
        readme,
        commands,
    };
    Ok(render(&layout, &page))
}

/// The downloads of each version, if the visitor may see them.
fn downloads_by_version(numbers: Option<&Statistics<DailyDownloads>>) -> HashMap<String, i64> {
    let mut downloads = HashMap::new();
    for record in numbers.into_iter().flat_map(|numbers| &numbers.records) {
        *downloads.entry(record.version.to_string()).or_default() += record.count;
    }
    downloads
}

/// The URL of all versions, if there are more than those on the page.
fn all_versions(own_page: &str, has_more: bool) -> String {
    if has_more { format!("{own_page}?tab=versions") } else { String::new() }
}

/// Whether the tab with all versions is open.
fn shows_versions(path: &PathNames, start: u64) -> Result<bool> {
    match path.query("tab")?.unwrap_or_default() {
        "" => Ok(start > 0),
        "versions" => Ok(true),
        _ => Err(Failure::bad_request("tab: it is not one of versions")),
    }
}

/// The versions on the page.
fn window(shows_versions: bool, start: u64) -> PageRequest {
    let (start, limit) = if shows_versions { (start, PAGE_SIZE) } else { (0, VERSIONS) };
    PageRequest { start: start.cast_signed(), limit: limit.cast_signed() }
}

fn band(at: &PackageAddress, detail: &PackageDetail, shows_versions: bool) -> Band {
    let mut band = Band::of_package(at, &detail.access);
    let latest = detail.latest_version.as_ref();
    band.version =
        latest.map(|name| (name.clone(), format!("{}{}", address::package(at), address::path([name.as_str()]))));
    for tab in band.tabs.iter_mut().filter(|tab| tab.name == "Versions") {
        tab.count = Some(detail.versions.len() as u64);
    }
    band.at(if shows_versions { "Versions" } else { "Overview" })
}
