//! The audit log: actions with their users and IP addresses.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{audit::AuditRecord, timestamp::Timestamp};
use operations::access::audit_log::{self, Filter};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use crate::{
    address::query_value,
    band::Band,
    layout::{Layout, render},
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "admin/audit.html")]
struct Page {
    layout: Layout,
    band: Band,
    filter: Filter,
    /// Each with its time.
    entries: Vec<(Timestamp, AuditRecord)>,
    /// The URL of older entries; empty at the end of the log.
    older: String,
    /// The oldest position that was read.
    looked_at: i64,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let field = |name: &str| Ok::<_, Failure>(path.query(name)?.unwrap_or_default().trim().to_owned());
    let filter = Filter { actor: field("actor")?, action: field("action")?, target: field("target")? };
    let wrong = |_| Failure::bad_request("from: it must be a whole number");
    let from = Some(field("from")?).filter(|text| !text.is_empty());
    let from = from.map(|text| text.parse::<i64>().map_err(wrong)).transpose()?;
    let found = audit_log::search(app.house(), &visitor.caller, &filter, from).await?;
    let layout = visitor.layout(&app);
    let page = Page {
        older: found.next.map(|next| older(&filter, next)).unwrap_or_default(),
        looked_at: found.next.map_or(1, |next| next + 1),
        entries: found.items.into_iter().map(|item| (Timestamp::from_millis(item.at), item)).collect(),
        band: Band::of_site().at("Audit log"),
        layout: layout.clone(),
        filter,
    };
    Ok(render(&layout, &page))
}

fn older(filter: &Filter, from: i64) -> String {
    let given = [("actor", &filter.actor), ("action", &filter.action), ("target", &filter.target)];
    let given = given.into_iter().filter(|(_, value)| !value.is_empty());
    let given: String = given.map(|(name, value)| format!("{name}={}&", query_value(value))).collect();
    format!("/-/admin/audit?{given}from={from}")
}
