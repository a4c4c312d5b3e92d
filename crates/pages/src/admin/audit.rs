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

use super::audit_words;
use crate::{
    address::query_value,
    band::Band,
    csv::{self, cell},
    layout::{Layout, render},
    times,
    visitor::Visitor,
};

/// The most searches for a file. Each finds a page of entries, or examines a part of a long log.
const SEARCHES: usize = 20;

#[derive(Template)]
#[template(path = "admin/audit.html")]
struct Page {
    layout: Layout,
    band: Band,
    filter: Filter,
    /// The entries by day, each with its time and in words.
    days: Vec<(String, Vec<Entry>)>,
    /// The URL of the newest matching entries as a file.
    csv: String,
    /// The URL of older entries; empty at the end of the log.
    older: String,
    /// The oldest position that was read.
    looked_at: i64,
}

struct Entry {
    at: Timestamp,
    words: String,
    record: AuditRecord,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let field = |name: &str| Ok::<_, Failure>(path.query(name)?.unwrap_or_default().trim().to_owned());
    let filter = Filter { actor: field("actor")?, action: field("action")?, target: field("target")? };
    let wrong = |_| Failure::bad_request("from: it must be a whole number");
    let from = Some(field("from")?).filter(|text| !text.is_empty());
    let from = from.map(|text| text.parse::<i64>().map_err(wrong)).transpose()?;
    if path.query("as")?.is_some_and(|format| format == "csv") {
        return file(&app, &visitor, &filter, from).await;
    }
    let found = audit_log::search(app.house(), &visitor.caller, &filter, from).await?;
    let layout = visitor.layout(&app);
    let page = Page {
        older: found.next.map(|next| url(&filter, &format!("from={next}"))).unwrap_or_default(),
        csv: url(&filter, "as=csv"),
        looked_at: found.next.map_or(1, |next| next + 1),
        days: days(layout.now, found.items),
        band: Band::of_site().at("Audit log"),
        layout: layout.clone(),
        filter,
    };
    Ok(render(&layout, &page))
}

/// The entries under the days when they were made.
fn days(now: Timestamp, records: Vec<AuditRecord>) -> Vec<(String, Vec<Entry>)> {
    let mut days: Vec<(String, Vec<Entry>)> = Vec::new();
    for record in records {
        let at = Timestamp::from_millis(record.at);
        let (day, entry) = (times::heading(now, at), Entry { at, words: audit_words::past(&record.action), record });
        match days.last_mut().filter(|(last, _)| *last == day) {
            Some((_, entries)) => entries.push(entry),
            None => days.push((day, vec![entry])),
        }
    }
    days
}

/// The newest matching entries as a file.
async fn file(app: &App, visitor: &Visitor, filter: &Filter, mut from: Option<i64>) -> Result<Response> {
    let mut text = String::from("entry,time,actor,action,target,detail,address,request\r\n");
    for _ in 0..SEARCHES {
        let found = audit_log::search(app.house(), &visitor.caller, filter, from).await?;
        found.items.iter().for_each(|record| text.push_str(&line(record)));
        from = found.next;
        if from.is_none() {
            break;
        }
    }
    Ok(csv::file("audit-log", text))
}

fn line(record: &AuditRecord) -> String {
    let texts = [&record.actor, &record.action, &record.target, &record.detail, &record.address, &record.request_id];
    let texts = texts.map(|text| cell(text)).join(",");
    format!("{},{},{texts}\r\n", record.seq, Timestamp::from_millis(record.at))
}

/// The URL of the log with this filter.
fn url(filter: &Filter, rest: &str) -> String {
    let given = [("actor", &filter.actor), ("action", &filter.action), ("target", &filter.target)];
    let given = given.into_iter().filter(|(_, value)| !value.is_empty());
    let given: String = given.map(|(name, value)| format!("{name}={}&", query_value(value))).collect();
    format!("/-/admin/audit?{given}{rest}")
}
