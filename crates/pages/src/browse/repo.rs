//! The page of a repository: its packages, and commands to use it.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{
    access::{Countries, Country, Restrictions, Right},
    address::RepoAddress,
    timestamp::Timestamp,
};
use operations::{
    RepoAccess,
    access::restrictions,
    catalogue::{overviews, repo_activity, repos},
    usage::usage_thresholds::ThresholdOwner,
};
use web::{App, error::Result, path_names::PathNames};

use super::{
    commands::{self, Command},
    package_lines::{self, Column, PackageLine, Trend},
    package_numbers::change,
    package_page::PackageQuery,
    waiting::{self, Waiting},
};
use crate::{
    address,
    band::Band,
    layout::{Layout, render},
    pager::Pager,
    parts, sizes,
    statistics::thresholds::{self, Threshold},
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "browse/repo.html")]
struct Page {
    layout: Layout,
    band: Band,
    owner: String,
    name: String,
    address: String,
    files: String,
    format_title: &'static str,
    is_private: bool,
    signs_files: bool,
    description: String,
    labels: Vec<String>,
    created: Timestamp,
    size: Option<String>,
    /// The downloads of thirty days, and how they compare to the days before, if the visitor may see them.
    downloads: Option<(Trend, Option<String>)>,
    /// The URL under which clients find the files.
    download_url: String,
    restrictions: Vec<String>,
    thresholds: Vec<Threshold>,
    filter: String,
    /// The order of the list in URLs; empty for the usual one.
    sort: &'static str,
    columns: Vec<Column>,
    packages: Vec<PackageLine>,
    waiting: Vec<Waiting>,
    /// Whether the visitor may see the downloads of some package.
    has_numbers: bool,
    pager: Pager,
    commands: Vec<Command>,
    commands_title: &'static str,
    /// The URL of the page that fills a new token into the commands; empty if the visitor cannot have one.
    setup: String,
    may_publish: bool,
    /// Whether an upload of the format's clients creates its package.
    clients_create_packages: bool,
    may_own: bool,
    /// The URL of its Atom feed.
    feed: String,
}

pub(crate) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let (house, caller) = (app.house(), &visitor.caller);
    let (at, query) = (path.repo_address()?, PackageQuery::parse(&path)?);
    let access = repos::show(house, caller, &at).await?;
    let (described, pager) = query.find(&app, &visitor, &at, &access).await?;
    let ids: Vec<_> = described.iter().map(|package| package.id).collect();
    let owner = ThresholdOwner::Repo(at.clone());
    // All at once: each of them waits for the database.
    let (trends, newest, size, downloads, waiting, restrictions, thresholds) = tokio::try_join!(
        async { Ok(overviews::list_trends(house, &access, &described).await?) },
        async { Ok(overviews::list_latest(house, &ids).await?) },
        async { Ok(repos::stored_bytes(house, &access).await?) },
        async { Ok(repo_activity::find_downloads(house, &access).await?) },
        waiting::find(&app, &visitor, &at, None),
        restrictions_in_words(&app, &visitor, &at, &access),
        thresholds::find(&app, &visitor, &owner),
    )?;
    let (layout, format) = (visitor.layout(&app), house.format(&access.repo.kind));
    let page = Page {
        band: Band::of_repo(&at, &access).at("Packages"),
        may_publish: visitor.may_change() && access.is_publisher(),
        clients_create_packages: format.native().is_some() || format.holds_images(),
        may_own: visitor.may_change() && access.right >= Right::Own,
        size: size.map(sizes::bytes),
        commands: commands::of_repo(&app, &visitor, &at, &access.repo),
        commands_title: "Set up your client",
        setup: if visitor.may_change() { address::setup(&address::repo(&at)) } else { String::new() },
        has_numbers: !trends.is_empty(),
        columns: package_lines::columns(&address::repo(&at), &query.filter, query.sort, !trends.is_empty()),
        packages: package_lines::lines(&app, &at, &access.repo.kind, described, (&trends, &newest), query.sort),
        owner: at.owner.to_string(),
        name: at.repo.to_string(),
        address: address::repo(&at),
        feed: address::feed(&address::repo(&at)),
        files: address::folder(&at, ""),
        format_title: parts::format_title(&access.repo.kind),
        is_private: access.repo.profile.is_private,
        signs_files: access.repo.profile.gpg_sign_files,
        description: access.repo.profile.description,
        labels: access.repo.profile.labels,
        created: access.repo.created,
        downloads: downloads.map(|found| (Trend::wide(&found.days), change(found.days.iter().sum(), found.before))),
        download_url: format!("{}{}", app.settings().download_url(), address::repo(&at)),
        layout: layout.clone(),
        waiting,
        restrictions,
        thresholds,
        filter: query.filter,
        sort: query.sort.name(),
        pager,
    };
    Ok(render(&layout, &page))
}

/// The download restrictions in words. Only owners see them, as in the API.
async fn restrictions_in_words(
    app: &App,
    visitor: &Visitor,
    at: &RepoAddress,
    access: &RepoAccess,
) -> Result<Vec<String>> {
    if access.right < Right::Own {
        return Ok(Vec::new());
    }
    let Restrictions { countries, networks } = restrictions::show(app.house(), &visitor.caller, at).await?;
    let mut words = Vec::new();
    match countries {
        Some(Countries::White(list)) => words.push(format!("only from {}", codes(&list))),
        Some(Countries::Black(list)) => words.push(format!("not from {}", codes(&list))),
        None => {}
    }
    if !networks.white.is_empty() {
        words.push(format!("only from {}", joined(&networks.white)));
    }
    if !networks.black.is_empty() {
        words.push(format!("not from {}", joined(&networks.black)));
    }
    Ok(words)
}

fn codes(list: &[Country]) -> String {
    list.iter().map(|country| country.as_str()).collect::<Vec<_>>().join(", ")
}

fn joined(list: &[impl ToString]) -> String {
    list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
