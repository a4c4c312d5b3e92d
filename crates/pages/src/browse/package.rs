//! The page of a package: its details, its readme, its versions, commands to use it, and its downloads.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress, VersionAddress},
    file::FileListState,
    names::VersionName,
    package::PackageProfile,
};
use operations::{
    catalogue::{
        attributes::{self, AttributeSelection, AttributeTarget},
        documents::{self, DocumentAddress},
        files,
        packages::{self, PackageDetail},
        repos,
    },
    rendering::Html,
    usage::statistics::{self, StatisticsQuery},
};
use web::{App, error::Result, path_names::PathNames};

use super::{
    attributes::{Attribute, shown_attribute},
    commands::{self, Command},
    owner_links,
};
use crate::{
    address,
    errors::allowed,
    layout::{Layout, render},
    pager::{Pager, page_of},
    sizes,
    statistics::chart::Chart,
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "browse/package.html")]
struct Page {
    layout: Layout,
    owner: String,
    repo: String,
    repo_address: String,
    name: String,
    is_private: bool,
    /// The package that it is linked from, if it is a link.
    source: Option<(String, String)>,
    profile: PackageProfile,
    links: Vec<(&'static str, String)>,
    created: String,
    updated: String,
    rating: Option<String>,
    followers: i64,
    linked_to: Vec<String>,
    latest: Option<(String, String)>,
    versions: Vec<(String, String)>,
    pager: Pager,
    attributes: Vec<Attribute>,
    readme: Option<Html>,
    chart: Option<Chart>,
    commands: Vec<Command>,
    /// Its own path, which follows the action in URLs.
    address: String,
    may_publish: bool,
    /// The URL of the form that links it into other repositories; empty if the visitor cannot.
    link: String,
    /// The URL of the form that removes the link to it; empty if the visitor cannot.
    unlink: String,
    owner_links: Vec<(&'static str, String)>,
    statistics_address: String,
}

pub(crate) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let (house, caller) = (app.house(), &visitor.caller);
    let (at, start) = (path.package_address()?, path.start_position()?);
    let detail = packages::show(house, caller, &at).await?;
    let readme = allowed(documents::show_html(house, caller, &DocumentAddress::Readme(at.clone())).await)?;
    let wanted = StatisticsQuery { package: at.clone(), version: None, from: None, to: None };
    let chart = allowed(statistics::list_by_day(house, caller, &wanted).await)?;
    let attributes =
        attributes::list(house, caller, &AttributeTarget::Package(at.clone()), &AttributeSelection::All).await?;
    let commands = commands_of(&app, &visitor, &at, &detail).await?;
    let version =
        |name: &String| (name.clone(), format!("{}{}", address::package(&at), address::path([name.as_str()])));
    let versions = page_of(&detail.versions, start);
    let pager = Pager::new(&address::package(&at), &[], start, versions.len(), detail.versions.len() as u64);
    let (repo, package) = (&detail.access.repo.repo, detail.access.package.clone());
    let is_linked = repo.owner != at.repo.owner || repo.name != at.repo.repo;
    let source = (format!("{}/{}", repo.owner, repo.name), address::path([repo.owner.as_str(), repo.name.as_str()]));
    let own = PackageAddress {
        repo: RepoAddress { owner: repo.owner.clone(), repo: repo.name.clone() },
        package: package.name.clone(),
    };
    let layout = visitor.layout(&app);
    let page = Page {
        may_publish: visitor.may_change() && !is_linked && detail.access.repo.is_publisher(),
        link: if visitor.may_change() { format!("/-/link{}", address::package(&own)) } else { String::new() },
        unlink: if is_linked { unlink_of(&app, &visitor, &at, &own).await? } else { String::new() },
        address: address::package(&at),
        owner: at.repo.owner.to_string(),
        repo: at.repo.repo.to_string(),
        repo_address: address::repo(&at.repo),
        name: at.package.to_string(),
        is_private: repo.profile.is_private,
        source: is_linked.then_some(source),
        links: links(&package.profile),
        created: sizes::day(package.created),
        updated: sizes::day(package.updated),
        rating: rating(package.rating_sum, package.rating_count),
        followers: package.followers_count,
        profile: package.profile,
        latest: detail.latest_version.as_ref().map(version),
        versions: versions.iter().map(version).collect(),
        linked_to: detail.linked_to_repos,
        attributes: attributes.iter().map(shown_attribute).collect(),
        chart: chart.as_ref().map(Chart::new),
        owner_links: owner_links::of_package(&at, detail.access.repo.right),
        statistics_address: format!("/-/numbers{}", address::package(&at)),
        layout: layout.clone(),
        pager,
        readme,
        commands,
    };
    Ok(render(&layout, &page))
}

/// The URL where an owner of the linking repository removes the link.
async fn unlink_of(app: &App, visitor: &Visitor, at: &PackageAddress, own: &PackageAddress) -> Result<String> {
    let owned = allowed(repos::show_for(app.house(), &visitor.caller, &at.repo, Right::Own).await)?;
    Ok(owned.filter(|_| visitor.may_change()).map(|_| address::unlink(&at.repo, own)).unwrap_or_default())
}

/// Commands that use the newest version, or the repository while it has none.
async fn commands_of(
    app: &App,
    visitor: &Visitor,
    at: &PackageAddress,
    detail: &PackageDetail,
) -> Result<Vec<Command>> {
    let repo = &detail.access.repo.repo;
    let latest = detail.latest_version.as_deref().and_then(|name| VersionName::parse(name).ok());
    let Some(version) = latest else { return Ok(commands::of_repo(app, visitor, &at.repo, repo)) };
    let at = VersionAddress { package: at.clone(), version };
    let files = allowed(files::list_of_version(app.house(), &visitor.caller, &at, FileListState::Published, 0).await)?;
    let paths: Vec<String> = files.into_iter().flat_map(|page| page.items).map(|file| file.path.to_string()).collect();
    Ok(commands::of_package(app, visitor, &at.package, None, repo, &paths))
}

fn links(profile: &PackageProfile) -> Vec<(&'static str, String)> {
    let links =
        [("Website", &profile.website_url), ("Issues", &profile.issue_tracker_url), ("Source", &profile.vcs_url)];
    links.into_iter().filter_map(|(name, url)| Some((name, address::outside(url.as_deref())?))).collect()
}

fn rating(sum: i64, count: i64) -> Option<String> {
    let tenths = (sum * 10 + count / 2).checked_div(count)?;
    Some(format!("{}.{} of 5 by {}", tenths / 10, tenths % 10, sizes::counted(count.unsigned_abs(), "user")))
}
