//! The state of the server: its health, its nodes, the contents of the stores, and the garbage to be collected.

use askama::Template;
use axum::{extract::State, response::Response};
use model::timestamp::Timestamp;
use operations::{
    maintenance::{
        garbage::{self, BlobTotals},
        nodes::{self, NodeStatus},
        site,
    },
    signing,
};
use web::{App, error::Result};

use crate::{
    band::Band,
    layout::{Layout, render},
    sizes,
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "admin/overview.html")]
struct Page {
    layout: Layout,
    band: Band,
    health: Vec<HealthCheck>,
    nodes: Vec<NodeStatus>,
    content: String,
    files: String,
    repos: i64,
    collects_now: String,
    collects_later: String,
    grace_hours: i64,
    last_run: Option<(Timestamp, String)>,
}

/// The result of a check.
struct HealthCheck {
    name: &'static str,
    is_good: bool,
    text: String,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor) -> Result<Response> {
    let (house, caller) = (app.house(), &visitor.caller);
    let totals = site::totals(house, caller).await?;
    let (report, last_run) = garbage::show(house, caller).await?;
    let layout = visitor.layout(&app);
    let page = Page {
        health: health(&app).await,
        nodes: nodes::list(house, caller).await?,
        content: amount(totals.content),
        files: sizes::bytes(totals.file_bytes.unsigned_abs()),
        repos: totals.repos,
        collects_now: amount(report.removed),
        collects_later: amount(report.waiting),
        grace_hours: house.policy.garbage_grace_hours,
        last_run: last_run.map(|run| (run.at, amount(run.removed))),
        band: Band { lead: format!("packhouse {}", nodes::VERSION), ..Band::of_site().at("Overview") },
        layout: layout.clone(),
    };
    Ok(render(&layout, &page))
}

/// The checks of the probes, and of the stores. Only site administrators see the errors.
async fn health(app: &App) -> Vec<HealthCheck> {
    let check = |name, done: std::result::Result<String, String>| match done {
        Ok(text) => HealthCheck { name, is_good: true, text },
        Err(text) => HealthCheck { name, is_good: false, text },
    };
    let database = site::check_ready(app.house()).await.map_err(|error| error.to_string());
    let content = app.house().blobs.check().await.map_err(|error| error.to_string());
    let kind = if app.house().blobs.folder().is_some() { "a folder" } else { "an S3 store" };
    let draining =
        if app.draining().has_begun() { Err("stopping".to_owned()) } else { Ok("accepts requests".to_owned()) };
    let keys = match signing::list_expiring(app.house()).await {
        Ok(keys) => Ok(format!("{} with an expiry date", keys.len())),
        Err(error) => Err(error.to_string()),
    };
    vec![
        check("This server", draining),
        check("Database", database.map(|()| "reachable, with the schema of this version".to_owned())),
        check("Content store", content.map(|()| format!("{kind}; writing, reading and deleting work"))),
        check("Signing keys", keys),
    ]
}

fn amount(BlobTotals { blobs, bytes }: BlobTotals) -> String {
    format!("{}, {}", sizes::counted(blobs.unsigned_abs(), "blob"), sizes::bytes(bytes.unsigned_abs()))
}
