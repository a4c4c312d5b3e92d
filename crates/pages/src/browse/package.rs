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
    image, package_files,
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
    let parts = Parts::find(&app, &visitor, at, detail, &chosen).await?;
    let page = page(&app, &visitor, parts).await?;
    Ok(render(&page.layout, &page))
}

/// What the URL chooses of a package.
struct Chosen<'q> {
    shows_versions: bool,
    start: u64,
    platform: &'q str,
}

/// What the page shows of a package.
struct Parts {
    at: PackageAddress,
    detail: PackageDetail,
    /// Where it is, if that is not the repository that links it.
    own: PackageAddress,
    numbers: Option<Compared>,
    shows_versions: bool,
    versions: Vec<VersionLine>,
    pager: Pager,
    commands: Vec<Command>,
    platforms: Platforms,
    attributes: Vec<Attribute>,
    readme: Option<Html>,
    signing_key: Option<SigningKey>,
    waiting: Vec<Waiting>,
    opinion: Option<Opinion>,
}

impl Parts {
    /// Finds them all at once: each of them waits for the database several times.
    async fn find(
        app: &App,
        visitor: &Visitor,
        at: PackageAddress,
        detail: PackageDetail,
        chosen: &Chosen<'_>,
    ) -> Result<Self> {
        let (house, caller, shows_versions) = (app.house(), &visitor.caller, chosen.shows_versions);
        let (repo, package) = (&detail.access.repo.repo, &detail.access.package);
        let own_repo = RepoAddress { owner: repo.owner.clone(), repo: repo.name.clone() };
        let own = PackageAddress { repo: own_repo, package: package.name.clone() };
        let (target, readme_at) = (AttributeTarget::Package(at.clone()), DocumentAddress::Readme(at.clone()));
        let ((numbers, versions), (commands, platforms), attributes, readme, signing_key, waiting, opinion) = tokio::try_join!(
            async {
                let numbers = Compared::find(app, visitor, &at).await?;
                let window = window(shows_versions, chosen.start);
                let versions = version_lines(app, &at, &detail, numbers.as_ref(), window).await?;
                Ok((numbers, versions))
            },
            commands_of(app, visitor, &at, &detail, chosen.platform),
            async { Ok(attributes::list(house, caller, &target, &AttributeSelection::All).await?) },
            async { allowed(documents::show_html(house, caller, &readme_at).await) },
            signing_key(app, &detail.access.repo),
            waiting::find(app, visitor, &own.repo, Some(&own.package)),
            async {
                let may_rate = visitor.may_change();
                Ok(if may_rate { ratings::find_opinion(house, caller, package.id).await? } else { None })
            },
        )?;
        let pager = if shows_versions {
            let (parameters, page) = ([("tab", "versions")], address::package(&at));
            Pager::new(&page, &parameters, chosen.start, versions.len(), detail.versions.len() as u64)
        } else {
            Pager::default()
        };
        let attributes = attributes.iter().map(shown_attribute).collect();
        Ok(Self {
            own,
            numbers,
            shows_versions,
            versions,
            pager,
            commands,
            platforms,
            attributes,
            readme,
            signing_key,
            waiting,
            opinion,
            at,
            detail,
        })
    }
}

async fn page(app: &App, visitor: &Visitor, parts: Parts) -> Result<Page> {
    let Parts { at, detail, own, numbers, versions, opinion, .. } = parts;
    let may_change = visitor.may_change();
    let (repo, package) = (&detail.access.repo.repo, detail.access.package.clone());
    let (own_page, total) = (address::package(&at), detail.versions.len());
    let is_linked = own.repo != at.repo;
    let latest = detail.latest_version.as_deref().map(|name| releases::find(&versions, name, &own_page));
    Ok(Page {
        layout: visitor.layout(app),
        band: band(&at, &detail, if parts.shows_versions { "Versions" } else { "Overview" }),
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
        all_versions: all_versions(&own_page, !parts.shows_versions && total > versions.len()),
        version_count: total,
        commands_title: "Install",
        address: own_page,
        shows_versions: parts.shows_versions,
        versions,
        pager: parts.pager,
        platforms: parts.platforms,
        commands: parts.commands,
        attributes: parts.attributes,
        readme: parts.readme,
        signing_key: parts.signing_key,
        waiting: parts.waiting,
    })
}

/// The versions on the page.
async fn version_lines(
    app: &App,
    at: &PackageAddress,
    detail: &PackageDetail,
    numbers: Option<&Compared>,
    window: PageRequest,
) -> Result<Vec<VersionLine>> {
    let versions = overviews::list_versions(app.house(), &detail.access, window).await?;
    let ids = versions.iter().map(|version| (version.id, version.name.clone())).collect::<Vec<_>>();
    let (kind, latest) = (&detail.access.repo.repo.kind, detail.latest_version.as_deref());
    let downloads = downloads_by_version(numbers.map(|numbers| &numbers.now));
    let mut lines = releases::lines(app, kind, &address::package(at), versions, latest, &downloads);
    image::add_to_lines(app, &detail.access, &ids, &mut lines).await?;
    Ok(lines)
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
fn shows_versions(tab: &str, start: u64) -> Result<bool> {
    match tab {
        "" => Ok(start > 0),
        "versions" => Ok(true),
        _ => Err(Failure::bad_request("tab: it is not one of versions, files")),
    }
}

/// The versions on the page.
fn window(shows_versions: bool, start: u64) -> PageRequest {
    let (start, limit) = if shows_versions { (start, PAGE_SIZE) } else { (0, VERSIONS) };
    PageRequest { start: start.cast_signed(), limit: limit.cast_signed() }
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
