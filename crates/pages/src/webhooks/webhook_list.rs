//! The webhooks in a repository, for those who may publish there.

use askama::Template;
use axum::{extract::State, response::Response};
use model::webhook::WebhookListItem;
use operations::{catalogue::repos, events::webhooks};
use web::{App, error::Result, path_names::PathNames};

use crate::{
    address,
    band::Band,
    layout::{Layout, render},
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "webhooks/webhook_list.html")]
struct Page {
    layout: Layout,
    band: Band,
    repo: String,
    repo_address: String,
    /// The webhooks, each with the URL of its package's page.
    hooks: Vec<(WebhookListItem, String)>,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.repo_address()?;
    let hooks = webhooks::list_of_repo(app.house(), &visitor.caller, &at).await?;
    let access = repos::show(app.house(), &visitor.caller, &at).await?;
    let with_page = |hook: WebhookListItem| {
        let page = address::path(["-", "webhooks", at.owner.as_str(), at.repo.as_str(), &hook.package]);
        (hook, page)
    };
    let layout = visitor.layout(&app);
    let page = Page {
        band: Band::of_repo(&at, &access).at("Webhooks"),
        repo: at.to_string(),
        repo_address: address::repo(&at),
        hooks: hooks.into_iter().map(with_page).collect(),
        layout: layout.clone(),
    };
    Ok(render(&layout, &page))
}
