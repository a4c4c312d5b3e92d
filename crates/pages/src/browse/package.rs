//! The page of a package: its details, its readme, its versions, commands to use it, and its downloads.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{address::PackageAddress, package::PackageProfile, timestamp::Timestamp};
use operations::{
    accounts::ratings::Opinion,
    catalogue::packages::{self, PackageDetail},
    rendering::Html,
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::{
    attributes::Attribute,
    commands::Command,
    package_files,
    package_numbers::Compared,
    package_parts::{SigningKey, links, rating, unlink_of},
    platforms::Platforms,
    releases::{self, VersionLine},
    shown_package::{Chosen, ShownPackage},
    waiting::Waiting,
};
use crate::{
    address,
    band::Band,
    layout::{Layout, render},
    pager::Pager,
    statistics::chart::Chart,
    visitor::Visitor,
};

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
    licenses: String,
    links: Vec<(&'static str, String)>,
    created: Timestamp,
    updated: Timestamp,
    rating: Option<String>,
    followers: i64,
    linked_to: Vec<String>,
    latest: Option<VersionLine>,
    /// Whether it is a draft, because nothing was published yet.
    has_draft: bool,
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
    let tab = path.query("tab")?.unwrap_or_default();
    if tab == "files" {
        return package_files::show(&app, &visitor, &at, start).await;
    }
    let shows_versions = shows_versions(tab, start)?;
    let detail = packages::show(house, caller, &at).await?;
    let chosen = Chosen { shows_versions, start, platform: path.query("platform")?.unwrap_or_default() };
    let shown = ShownPackage::find(&app, &visitor, at, detail, &chosen).await?;
    let page = page(&app, &visitor, shown).await?;
    Ok(render(&page.layout, &page))
}

async fn page(app: &App, visitor: &Visitor, shown: ShownPackage) -> Result<Page> {
    let ShownPackage { at, detail, own, numbers, versions, opinion, .. } = shown;
    let may_change = visitor.may_change();
    let (repo, package) = (&detail.access.repo.repo, detail.access.package.clone());
    let (own_page, total) = (address::package(&at), detail.versions.len());
    let is_linked = own.repo != at.repo;
    let latest = detail.latest_version.as_deref().map(|name| releases::find(&versions, name, &own_page));
    Ok(Page {
        layout: visitor.layout(app),
        band: band(&at, &detail, if shown.shows_versions { "Versions" } else { "Overview" }),
        may_publish: may_change && !is_linked && detail.access.repo.is_publisher(),
        link: if may_change { format!("/-/link{}", address::package(&own)) } else { String::new() },
        unlink: if is_linked { unlink_of(app, visitor, &at, &own).await? } else { String::new() },
        owner: at.repo.owner.to_string(),
        repo: at.repo.repo.to_string(),
        name: at.package.to_string(),
        is_private: repo.profile.is_private,
        is_image: app.house().format(&repo.kind).holds_images(),
        source: is_linked.then(|| (format!("{}/{}", repo.owner, repo.name), address::repo(&own.repo))),
        links: links(&package.profile),
        licenses: [&package.profile.licenses[..], &package.profile.custom_licenses].concat().join(", "),
        created: package.created,
        updated: package.updated,
        rating: rating(package.rating_sum, package.rating_count),
        followers: package.followers_count,
        profile: package.profile,
        has_draft: latest.as_ref().is_some_and(|latest| latest.is_draft),
        latest,
        change: numbers.as_ref().and_then(Compared::change),
        chart: numbers.as_ref().map(|numbers| Chart::new(&numbers.now, numbers.now.days.last)),
        setup: if may_change && repo.profile.is_private { address::setup(&own_page) } else { String::new() },
        linked_to: detail.linked_to_repos,
        statistics_address: format!("/-/numbers{own_page}"),
        feed: address::feed(&own_page),
        stars: (1..=5).map(|stars| (stars, opinion.is_some_and(|given| given.rating == Some(stars)))).collect(),
        opinion,
        all_versions: all_versions(&own_page, !shown.shows_versions && total > versions.len()),
        version_count: total,
        commands_title: "Install",
        address: own_page,
        shows_versions: shown.shows_versions,
        versions,
        pager: shown.pager,
        platforms: shown.platforms,
        commands: shown.commands,
        attributes: shown.attributes,
        readme: shown.readme,
        signing_key: shown.signing_key,
        waiting: shown.waiting,
    })
}

/// The URL of all versions, if there are more than those on the page.
fn all_versions(own_page: &str, has_more: bool) -> String {
    if has_more { format!("{own_page}?tab=versions") } else { String::new() }
}

/// Whether the tab with all versions is open.
fn shows_versions(tab: &str, start: u64) -> Result<bool> {
    match tab {
        "" => Ok(start > 0),
        "versions" => Ok(true),
        _ => Err(Failure::bad_request("tab: it is not one of versions, files")),
    }
}

/// The head of the page, at one of its tabs.
pub(super) fn band(at: &PackageAddress, detail: &PackageDetail, tab: &str) -> Band {
    let mut band = Band::of_package(at, &detail.access);
    let latest = detail.latest_version.as_ref();
    band.version =
        latest.map(|name| (name.clone(), format!("{}{}", address::package(at), address::path([name.as_str()]))));
    for tab in band.tabs.iter_mut().filter(|tab| tab.name == "Versions") {
        tab.count = Some(detail.versions.len() as u64);
    }
    band.at(tab)
}
