//! The home page: the visitor's repositories, and the URLs of the surfaces.

use askama::Template;
use axum::{extract::State, response::Response};
use model::repo::RepoListItem;
use operations::catalogue::repos;
use web::{App, error::Result};

use crate::{
    address,
    layout::{Layout, render},
    visitor::Visitor,
};

/// The most repositories on this page.
const REPOS: usize = 50;

#[derive(Template)]
#[template(path = "browse/home.html")]
struct Page {
    layout: Layout,
    repos: Vec<(String, String)>,
    api_url: String,
    download_url: String,
}

pub(crate) async fn show(State(app): State<App>, visitor: Visitor) -> Result<Response> {
    let layout = visitor.layout(&app);
    let repos = match visitor.caller.user() {
        Some(user) => repos::list(app.house(), &visitor.caller, &user.name).await?,
        None => Vec::new(),
    };
    let link = |repo: &RepoListItem| {
        let path = address::path([repo.owner.as_str(), repo.name.as_str()]);
        (format!("{}/{}", repo.owner, repo.name), path)
    };
    let page = Page {
        repos: repos.iter().take(REPOS).map(link).collect(),
        api_url: app.settings().api_url(),
        download_url: app.settings().download_url(),
        layout: layout.clone(),
    };
    Ok(render(&layout, &page))
}
