//! The webhooks of a package, and the outcomes of their deliveries.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{address::PackageAddress, webhook::WebhookListItem, webhook_event::WebhookEvent};
use operations::{
    catalogue::packages,
    events::webhooks::{self, DeliveryAttempt},
};
use web::{App, error::Result, path_names::PathNames};

use crate::{
    address,
    band::Band,
    layout::{Layout, render},
    notice::Notice,
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "webhooks/webhook.html")]
struct Page {
    layout: Layout,
    band: Band,
    package: String,
    repo_webhooks: String,
    address: String,
    hooks: Vec<WebhookListItem>,
    /// A version for a test callback.
    version: String,
    callbacks: Vec<DeliveryAttempt>,
    /// The secret of a webhook that was just registered.
    secret: String,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    page(&app, &visitor, &path.package_address()?, None, String::new()).await
}

pub(super) async fn page(
    app: &App,
    visitor: &Visitor,
    at: &PackageAddress,
    notice: Option<Notice>,
    secret: String,
) -> Result<Response> {
    let (house, caller) = (app.house(), &visitor.caller);
    let callbacks = webhooks::list_deliveries(house, caller, at).await?;
    let mut hooks = webhooks::list_of_repo(house, caller, &at.repo).await?;
    hooks.retain(|hook| hook.package == at.package.as_str());
    let detail = packages::show(house, caller, at).await?;
    let layout = visitor.layout(app).with_notice(notice);
    let page = Page {
        band: Band::of_package(at, &detail.access).at("Webhooks"),
        package: at.to_string(),
        repo_webhooks: format!("/-/webhooks{}", address::repo(&at.repo)),
        address: home(at),
        layout: layout.clone(),
        version: detail.latest_version.unwrap_or_default(),
        hooks,
        callbacks,
        secret,
    };
    Ok(render(&layout, &page))
}

/// The URL of the webhooks of a package.
pub(super) fn home(at: &PackageAddress) -> String {
    format!("/-/webhooks{}", address::package(at))
}
