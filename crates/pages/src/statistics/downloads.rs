//! Downloads of a package by day, by version and by country, for those who may see them.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{
    day::{Day, Days},
    names::VersionName,
    timestamp::Timestamp,
};
use operations::usage::statistics::{self, StatisticsQuery};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::bars::{Bar, bars};
use crate::{
    address,
    layout::{Layout, render},
    notice::Notice,
    statistics::chart::Chart,
    visitor::Visitor,
};

/// The code for unknown countries.
const UNKNOWN: &str = "ZZ";

/// The most versions on the page, by number of downloads.
const VERSIONS: usize = 50;

#[derive(Template)]
#[template(path = "statistics/downloads.html")]
struct Page {
    layout: Layout,
    package: String,
    package_address: String,
    address: String,
    version: String,
    from: String,
    to: String,
    chart: Option<Chart>,
    versions: Vec<Bar>,
    countries: Vec<Bar>,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.package_address()?;
    let field = |name: &str| Ok::<_, Failure>(path.query(name)?.unwrap_or_default().trim().to_owned());
    let (version, from, to) = (field("version")?, field("from")?, field("to")?);
    let blank = StatisticsQuery { package: at.clone(), version: None, from: None, to: None };
    // The right is checked before the query.
    statistics::list_by_version(app.house(), &visitor.caller, &blank).await?;
    let (notice, found) = match find(&app, &visitor, blank, [&version, &from, &to]).await {
        Ok(found) => (None, Some(found)),
        Err(failure) => (Some(Notice::from_failure(failure)?), None),
    };
    let layout = visitor.layout(&app).with_notice(notice);
    let days = found.as_ref().map(|found| found.days);
    let day = |day: Option<Day>, typed: String| day.map_or(typed, |day| day.to_string());
    let (chart, versions, countries) =
        found.map_or((None, Vec::new(), Vec::new()), |found| (Some(found.chart), found.versions, found.countries));
    let page = Page {
        package: at.to_string(),
        package_address: address::package(&at),
        address: format!("/-/numbers{}", address::package(&at)),
        from: day(days.map(|days| days.first), from),
        to: day(days.map(|days| days.last), to),
        layout: layout.clone(),
        version,
        chart,
        versions,
        countries,
    };
    Ok(render(&layout, &page))
}

struct Found {
    days: Days,
    chart: Chart,
    versions: Vec<Bar>,
    countries: Vec<Bar>,
}

async fn find(app: &App, visitor: &Visitor, all: StatisticsQuery, [version, from, to]: [&str; 3]) -> Result<Found> {
    let wanted = StatisticsQuery { version: name(version)?, from: moment("from", from)?, to: moment("to", to)?, ..all };
    let (house, caller) = (app.house(), &visitor.caller);
    let by_day = statistics::list_by_day(house, caller, &wanted).await?;
    let by_version = statistics::list_by_version(house, caller, &wanted).await?.records;
    let by_country = statistics::list_by_country(house, caller, &wanted).await?.records;
    let versions = by_version.into_iter().map(|of| (of.version, of.count)).collect();
    let countries = by_country.into_iter().map(|of| (country(&of.country), of.count)).collect();
    Ok(Found { days: by_day.days, chart: Chart::new(&by_day), versions: most(versions), countries: most(countries) })
}

/// Sorts by downloads, the most first.
fn most(mut counts: Vec<(String, i64)>) -> Vec<Bar> {
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    bars(counts.into_iter().take(VERSIONS).map(|(name, count)| (name, count, count.to_string())).collect())
}

fn country(letters: &str) -> String {
    if letters == UNKNOWN { "unknown".to_owned() } else { letters.to_owned() }
}

fn name(text: &str) -> Result<Option<VersionName>> {
    let wrong = |error| Failure::bad_request(format!("version: {error}"));
    Some(text).filter(|text| !text.is_empty()).map(|text| VersionName::parse(text).map_err(wrong)).transpose()
}

fn moment(name: &str, text: &str) -> Result<Option<Timestamp>> {
    let wrong = |error| Failure::bad_request(format!("{name}: {error}"));
    Some(text).filter(|text| !text.is_empty()).map(|text| Timestamp::parse(text).map_err(wrong)).transpose()
}
