//! The page of a repository: its packages, and commands to use it.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{
    access::{Countries, Country, Restrictions, Right},
    address::RepoAddress,
    package::PackageListItem,
};
use operations::{
    RepoAccess,
    access::restrictions,
    catalogue::{package_list, repos},
    usage::usage_thresholds::ThresholdOwner,
};
use web::{App, error::Result, path_names::PathNames};

use super::{
    commands::{self, Command},
    owner_links,
};
use crate::{
    address,
    layout::{Layout, render},
    pager::Pager,
    sizes,
    statistics::thresholds::{self, Threshold},
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "browse/repo.html")]
struct Page {
    layout: Layout,
    owner: String,
    name: String,
    address: String,
    files: String,
    kind: String,
    is_private: bool,
    description: String,
    labels: Vec<String>,
    created: String,
    size: Option<String>,
    restrictions: Vec<String>,
    thresholds: Vec<Threshold>,
    filter: String,
    packages: Vec<Line>,
    pager: Pager,
    commands: Vec<Command>,
    may_publish: bool,
    may_own: bool,
    owner_links: Vec<(&'static str, String)>,
}

struct Line {
    name: String,
    address: String,
    is_linked: bool,
}

pub(crate) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let (house, caller) = (app.house(), &visitor.caller);
    let (at, start) = (path.repo_address()?, path.start_position()?);
    let filter = path.query("start_name")?.unwrap_or_default().to_owned();
    let access = repos::show(house, caller, &at).await?;
    let list = package_list::list(house, caller, &at, &filter, start).await?;
    let parameters = [("start_name", filter.as_str())];
    let pager = Pager::new(&address::repo(&at), &parameters, start, list.items.len(), list.total);
    let size = repos::stored_bytes(house, &access).await?.map(sizes::bytes);
    let layout = visitor.layout(&app);
    let page = Page {
        may_publish: visitor.may_change() && access.is_publisher(),
        may_own: visitor.may_change() && access.right >= Right::Own,
        restrictions: restrictions_in_words(&app, &visitor, &at, &access).await?,
        thresholds: thresholds::find(&app, &visitor, &ThresholdOwner::Repo(at.clone())).await?,
        commands: commands::of_repo(&app, &visitor, &at, &access.repo),
        owner_links: owner_links::of_repo(&at, access.right),
        packages: list.items.into_iter().map(|listed| line(&at, listed)).collect(),
        owner: at.owner.to_string(),
        name: at.repo.to_string(),
        address: address::repo(&at),
        files: address::folder(&at, ""),
        kind: access.repo.kind,
        is_private: access.repo.profile.is_private,
        description: access.repo.profile.description,
        labels: access.repo.profile.labels,
        created: sizes::day(access.repo.created),
        layout: layout.clone(),
        size,
        filter,
        pager,
    };
    Ok(render(&layout, &page))
}

fn line(at: &RepoAddress, listed: PackageListItem) -> Line {
    let address = address::path([at.owner.as_str(), at.repo.as_str(), &listed.name]);
    Line { address, name: listed.name, is_linked: listed.is_linked }
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
