//! Downloads of a package by day and by each dimension, for those who may see them.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{
    access::Right,
    day::{Day, Days},
    names::VersionName,
    statistics::{Dimension, DimensionDownloads},
    timestamp::Timestamp,
};
use operations::{
    catalogue::packages,
    usage::statistics::{self, StatisticsQuery},
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::{
    bars::{Bar, bars},
    countries, csv,
};
use crate::{
    address::{self, query_value},
    band::Band,
    layout::{Layout, render},
    notice::Notice,
    sizes,
    statistics::chart::Chart,
    visitor::Visitor,
};

/// The most values of a dimension on the page, by number of downloads. The others are one more.
const VALUES: usize = 10;

/// The periods to choose from, in days until today.
const PERIODS: [i64; 3] = [7, 30, 90];

#[derive(Template)]
#[template(path = "statistics/downloads.html")]
struct Page {
    layout: Layout,
    band: Band,
    package: String,
    address: String,
    /// The periods: their days, URL, and whether the page shows it.
    periods: Vec<(i64, String, bool)>,
    /// The URL of the numbers as a file; empty without numbers.
    csv: String,
    version: String,
    from: String,
    to: String,
    chart: Option<Chart>,
    /// How the downloads compare to as many days before, in percent.
    change: Option<String>,
    /// The versions with the most downloads, to choose from.
    versions: Vec<String>,
    sections: Vec<Section>,
}

/// The downloads by the values of a dimension.
struct Section {
    name: &'static str,
    plural: &'static str,
    bars: Vec<Bar>,
    /// The values that have a bar of their own, and whether there are others.
    values: Vec<String>,
    has_others: bool,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.package_address()?;
    let field = |name: &str| Ok::<_, Failure>(path.query(name)?.unwrap_or_default().trim().to_owned());
    let (version, from, to) = (field("version")?, field("from")?, field("to")?);
    let blank = StatisticsQuery { package: at.clone(), version: None, from: None, to: None };
    // The right is checked before the query.
    statistics::list_by(app.house(), &visitor.caller, Dimension::Version, &blank).await?;
    if path.query("as")?.is_some_and(|format| format == "csv") {
        let wanted = wanted(blank, [&version, &from, &to])?;
        let numbers = statistics::list_by_day(app.house(), &visitor.caller, &wanted).await?;
        return Ok(csv::file(at.package.as_str(), &numbers));
    }
    let access = packages::show_for(app.house(), &visitor.caller, &at, Right::Read).await?;
    let (notice, found) = match find(&app, &visitor, blank, [&version, &from, &to]).await {
        Ok(found) => (None, Some(found)),
        Err(failure) => (Some(Notice::from_failure(failure)?), None),
    };
    let layout = visitor.layout(&app).with_notice(notice);
    let days = found.as_ref().map(|found| found.days);
    let day = |day: Option<Day>, typed: String| day.map_or(typed, |day| day.to_string());
    let (chart, change, sections) =
        found.map_or((None, None, Vec::new()), |found| (Some(found.chart), found.change, found.sections));
    let by_version = sections.iter().find(|section: &&Section| section.name == Dimension::Version.names()[0]);
    let address = format!("/-/numbers{}", address::package(&at));
    let (from, to) = (day(days.map(|days| days.first), from), day(days.map(|days| days.last), to));
    let file = format!("{address}?as=csv&from={from}&to={to}&version={}", query_value(&version));
    let page = Page {
        band: Band::of_package(&at, &access).at("Downloads"),
        package: at.to_string(),
        periods: periods(&address, &version, Day::of(layout.now), days),
        csv: if days.is_some() { file } else { String::new() },
        address,
        from,
        to,
        layout: layout.clone(),
        versions: by_version.map(|section| section.values.clone()).unwrap_or_default(),
        version,
        chart,
        change,
        sections,
    };
    Ok(render(&layout, &page))
}

struct Found {
    days: Days,
    chart: Chart,
    change: Option<String>,
    sections: Vec<Section>,
}

async fn find(app: &App, visitor: &Visitor, all: StatisticsQuery, [version, from, to]: [&str; 3]) -> Result<Found> {
    let wanted = wanted(all, [version, from, to])?;
    let (house, caller) = (app.house(), &visitor.caller);
    let by_day = statistics::list_by_day(house, caller, &wanted).await?;
    let mut sections = Vec::new();
    for dimension in Dimension::ALL {
        let records = statistics::list_by(house, caller, dimension, &wanted).await?.records;
        sections.push(section(dimension, records));
    }
    let (days, chart) = (by_day.days, Chart::new(&by_day, Day::of(house.clock.now())));
    let change = sizes::percent(chart.total, before(app, visitor, &wanted, days).await?);
    Ok(Found { days, chart, change: change.map(|percent| format!("{percent:+} %")), sections })
}

/// The downloads in as many days before.
async fn before(app: &App, visitor: &Visitor, wanted: &StatisticsQuery, days: Days) -> Result<i64> {
    let (first, last) = (days.first, days.last);
    let earlier = StatisticsQuery {
        package: wanted.package.clone(),
        version: wanted.version.clone(),
        from: Some(first.plus(first.number() - last.number() - 1).start()),
        to: Some(first.plus(-1).start()),
    };
    let found = statistics::list_by_day(app.house(), &visitor.caller, &earlier).await?;
    Ok(found.records.iter().map(|record| record.count).sum())
}

fn wanted(all: StatisticsQuery, [version, from, to]: [&str; 3]) -> Result<StatisticsQuery> {
    Ok(StatisticsQuery { version: name(version)?, from: moment("from", from)?, to: moment("to", to)?, ..all })
}

fn periods(address: &str, version: &str, today: Day, shown: Option<Days>) -> Vec<(i64, String, bool)> {
    let version = if version.is_empty() { String::new() } else { format!("&version={}", query_value(version)) };
    let period = |days: i64| {
        let period = Days::until(today, days);
        let is_current = shown.is_some_and(|shown| shown.first == period.first && shown.last == period.last);
        (days, format!("{address}?from={}&to={}{version}", period.first, period.last), is_current)
    };
    PERIODS.into_iter().map(period).collect()
}

/// Sorts by downloads, the most first, and sums up the others.
fn section(dimension: Dimension, mut records: Vec<DimensionDownloads>) -> Section {
    let [name, plural] = dimension.names();
    records.sort_by_key(|record| std::cmp::Reverse(record.count));
    let others = records.split_off(records.len().min(VALUES));
    let values = records.iter().map(|record| record.value.clone()).collect();
    let bar = |DimensionDownloads { value, count }| {
        let is_unknown = dimension.unknown() == Some(value.as_str());
        let name = match dimension {
            _ if is_unknown => "unknown".to_owned(),
            Dimension::Country => countries::named(&value),
            Dimension::Version => value,
        };
        (name, count, sizes::number(count))
    };
    let mut amounts: Vec<_> = records.into_iter().map(bar).collect();
    if !others.is_empty() {
        let sum = others.iter().map(|record| record.count).sum();
        amounts.push((sizes::counted(others.len() as u64, "other"), sum, sizes::number(sum)));
    }
    Section { name, plural, bars: bars(amounts), values, has_others: !others.is_empty() }
}

fn name(text: &str) -> Result<Option<VersionName>> {
    let wrong = |error| Failure::bad_request(format!("version: {error}"));
    Some(text).filter(|text| !text.is_empty()).map(|text| VersionName::parse(text).map_err(wrong)).transpose()
}

fn moment(name: &str, text: &str) -> Result<Option<Timestamp>> {
    let wrong = |error| Failure::bad_request(format!("{name}: {error}"));
    Some(text).filter(|text| !text.is_empty()).map(|text| Timestamp::parse(text).map_err(wrong)).transpose()
}
