//! The state of the server: its health, its nodes, the contents of the stores, and the garbage to be collected.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{day::Day, timestamp::Timestamp};
use operations::{
    maintenance::{
        garbage::{self, BlobTotals},
        gauges,
        nodes::{self, NodeStatus},
        site,
    },
    signing,
};
use web::{App, error::Result};

use super::storage::{self, StoragePart};
use crate::{
    band::Band,
    layout::{Layout, render},
    sizes,
    times::day,
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
    parts: Vec<StoragePart>,
    parts_in_words: String,
    collects_now: String,
    collects_later: String,
    grace_hours: i64,
    last_run: Option<(Timestamp, String)>,
}

/// The result of a check.
struct HealthCheck {
    name: &'static str,
    level: Level,
    text: String,
}

/// How a check went: what it is called, the kind of its tile, and its icon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Level {
    word: &'static str,
    kind: &'static str,
    icon: &'static str,
}

const GOOD: Level = Level { word: "good", kind: "good", icon: "check" };
const SOON: Level = Level { word: "needs attention soon", kind: "warn", icon: "warn" };
const BAD: Level = Level { word: "failing", kind: "bad", icon: "fail" };

pub(super) async fn show(State(app): State<App>, visitor: Visitor) -> Result<Response> {
    let (house, caller) = (app.house(), &visitor.caller);
    let totals = site::totals(house, caller).await?;
    let (report, last_run) = garbage::show(house, caller).await?;
    let layout = visitor.layout(&app);
    let parts = storage::parts(&totals);
    let page = Page {
        health: health(&app).await,
        nodes: nodes::list(house, caller).await?,
        content: amount(totals.content),
        files: sizes::bytes(totals.file_bytes.unsigned_abs()),
        repos: totals.repos,
        parts_in_words: storage::words(&parts),
        parts,
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
        Ok(text) => HealthCheck { name, level: GOOD, text },
        Err(text) => HealthCheck { name, level: BAD, text },
    };
    let database = site::check_ready(app.house()).await.map_err(|error| error.to_string());
    let content = app.house().blobs.check().await.map_err(|error| error.to_string());
    let kind = if app.house().blobs.folder().is_some() { "a folder" } else { "an S3 store" };
    let draining =
        if app.draining().has_begun() { Err("stopping".to_owned()) } else { Ok("accepts requests".to_owned()) };
    let gauges = gauges::read(app.house()).await.map_err(|error| error.to_string());
    let queue = |count: i64, none: &str, thing: &str| match count {
        0 => none.to_owned(),
        count => format!("{} waiting", sizes::counted(count.unsigned_abs(), thing)),
    };
    vec![
        check("This server", draining),
        check("Database", database.map(|()| "reachable, with the schema of this version".to_owned())),
        check("Content store", content.map(|()| format!("{kind}; writing, reading and deleting work"))),
        keys(app).await,
        check("Webhooks", gauges.clone().map(|found| queue(found.webhook_backlog, "all delivered", "callback"))),
        check("Indexes", gauges.map(|found| queue(found.index_backlog, "up to date", "file"))),
    ]
}

/// How long before its expiry a key is reported.
const SOON_MS: i64 = 30 * 24 * 60 * 60 * 1_000;

/// The signing keys that expire soon or have expired.
async fn keys(app: &App) -> HealthCheck {
    let check = |level, text| HealthCheck { name: "Signing keys", level, text };
    let keys = match signing::list_expiring(app.house()).await {
        Ok(keys) => keys,
        Err(error) => return check(BAD, error.to_string()),
    };
    let soon = app.house().clock.now().millis() + SOON_MS;
    let ending: Vec<String> = keys
        .into_iter()
        .filter(|key| key.expiry.millis() <= soon)
        .map(|key| format!("{} on {}", key.owner.unwrap_or_else(|| "the server".to_owned()), day(Day::of(key.expiry))))
        .collect();
    if ending.is_empty() {
        check(GOOD, "none expires within 30 days".to_owned())
    } else {
        check(SOON, format!("expiry: {}", ending.join(", ")))
    }
}

fn amount(BlobTotals { blobs, bytes }: BlobTotals) -> String {
    format!("{}, {}", sizes::counted(blobs.unsigned_abs(), "blob"), sizes::bytes(bytes.unsigned_abs()))
}
