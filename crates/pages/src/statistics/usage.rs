//! Usage of a subject or a repository by month, its thresholds, and the storage of its packages.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{day::Day, subject::SubjectKind, usage::PackageUsage};
use operations::{
    accounts::orgs,
    catalogue::repos,
    usage::{self, MonthRange, Usage, usage_thresholds::ThresholdOwner},
};
use web::{App, error::Result, path_names::PathNames};

use super::{
    bars::{Bar, bars},
    thresholds_form::{Limits, limits},
};
use crate::{
    address,
    band::{Band, SubjectPages},
    errors::allowed,
    layout::{Layout, render},
    notice::Notice,
    pager::Pager,
    sizes,
    statistics::thresholds::{self, Threshold},
    times,
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "statistics/usage.html")]
struct Page {
    layout: Layout,
    band: Band,
    /// The name of the subject or repository.
    title: String,
    address: String,
    stored: Vec<Bar>,
    downloaded: Vec<Bar>,
    thresholds: Vec<Threshold>,
    /// The thresholds in the form; `None` if the subject or repository can have none.
    limits: Option<Limits>,
    packages: Vec<Bar>,
    pager: Pager,
}

/// The subject or repository of a usage page.
pub(super) struct UsageContext {
    /// The owner of the thresholds.
    pub(super) owner: ThresholdOwner,
    pub(super) title: (String, String),
    pub(super) address: String,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    page(&app, &visitor, &context(&path)?, path.start_position()?, None).await
}

pub(super) async fn page(
    app: &App,
    visitor: &Visitor,
    context: &UsageContext,
    start: u64,
    refused: Option<(Notice, Limits)>,
) -> Result<Response> {
    let (notice, typed) = refused.unzip();
    let months = months(app, visitor, context).await?;
    let bar = |of: fn(&Usage) -> i64| {
        let amount = |usage: &Usage| {
            let (month, bytes) = (times::month(Day::of(usage.from)), of(usage));
            (month, bytes, sizes::bytes(bytes.unsigned_abs()))
        };
        bars(months.iter().map(amount).collect())
    };
    let (packages, pager) = packages(app, visitor, context, start).await?;
    let limits = limits(app, visitor, context).await?;
    let layout = visitor.layout(app).with_notice(notice);
    let page = Page {
        band: band(app, visitor, context).await?,
        title: context.title.0.clone(),
        address: context.address.clone(),
        stored: bar(|usage| usage.storage_bytes),
        downloaded: bar(|usage| usage.download_bytes),
        thresholds: thresholds::find(app, visitor, &context.owner).await?,
        limits: limits.map(|stored| typed.unwrap_or(stored)),
        layout: layout.clone(),
        packages,
        pager,
    };
    Ok(render(&layout, &page))
}

async fn band(app: &App, visitor: &Visitor, context: &UsageContext) -> Result<Band> {
    Ok(match &context.owner {
        ThresholdOwner::Org(name) => {
            let is_org = allowed(orgs::show(app.house(), &visitor.caller, name).await)?.is_some();
            let kind = if is_org { SubjectKind::Org } else { SubjectKind::User };
            Band::of_subject(name, SubjectPages::managed(app, visitor, kind, name).await?).at("Usage")
        }
        ThresholdOwner::Repo(at) => {
            Band::of_repo(at, &repos::show(app.house(), &visitor.caller, at).await?).at("Usage")
        }
    })
}

/// The last twelve months, for owners.
async fn months(app: &App, visitor: &Visitor, context: &UsageContext) -> Result<Vec<Usage>> {
    let (house, caller, months) = (app.house(), &visitor.caller, MonthRange::default());
    let page = match &context.owner {
        ThresholdOwner::Org(name) => usage::list_of_subject(house, caller, name, months, 0).await?,
        ThresholdOwner::Repo(at) => usage::list_of_repo(house, caller, at, months, 0).await?,
    };
    Ok(page.items)
}

/// The storage of the packages of a repository.
async fn packages(app: &App, visitor: &Visitor, context: &UsageContext, start: u64) -> Result<(Vec<Bar>, Pager)> {
    let ThresholdOwner::Repo(at) = &context.owner else { return Ok((Vec::new(), Pager::default())) };
    let list = usage::list_packages(app.house(), &visitor.caller, at, start).await?;
    let pager = Pager::new(&context.address, &[], start, list.items.len(), list.total);
    let amount = |of: PackageUsage| {
        let label = format!("{}, {}", sizes::bytes(of.storage_bytes.unsigned_abs()), files(of.file_count));
        (of.package, of.storage_bytes, label)
    };
    Ok((bars(list.items.into_iter().map(amount).collect()), pager))
}

fn files(count: i64) -> String {
    sizes::counted(count.unsigned_abs(), "file")
}

pub(super) fn context(path: &PathNames) -> Result<UsageContext> {
    let (owner, name, page) = if path.has("repo") {
        let at = path.repo_address()?;
        let (name, page) = (at.to_string(), address::repo(&at));
        (ThresholdOwner::Repo(at), name, page)
    } else {
        let subject = path.subject("subject")?;
        let (name, page) = (subject.to_string(), address::path([subject.as_str()]));
        (ThresholdOwner::Org(subject), name, page)
    };
    Ok(UsageContext { owner, address: format!("/-/usage{page}"), title: (name, page) })
}
