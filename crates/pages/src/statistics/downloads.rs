//! Downloads of a package by day and by each dimension, for those who may see them.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{
    day::{Day, Days},
    names::VersionName,
    statistics::{Dimension, DimensionDownloads},
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

/// The most values of a dimension on the page, by number of downloads.
const VALUES: usize = 50;

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
    sections: Vec<Section>,
}

/// The downloads by the values of a dimension.
struct Section {
    name: &'static str,
    plural: &'static str,
    bars: Vec<Bar>,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.package_address()?;
    let field = |name: &str| Ok::<_, Failure>(path.query(name)?.unwrap_or_default().trim().to_owned());
    let (version, from, to) = (field("version")?, field("from")?, field("to")?);
    let blank = StatisticsQuery { package: at.clone(), version: None, from: None, to: None };
    // The right is checked before the query.
    statistics::list_by(app.house(), &visitor.caller, Dimension::Version, &blank).await?;
    let (notice, found) = match find(&app, &visitor, blank, [&version, &from, &to]).await {
        Ok(found) => (None, Some(found)),
        Err(failure) => (Some(Notice::from_failure(failure)?), None),
    };
    let layout = visitor.layout(&app).with_notice(notice);
    let days = found.as_ref().map(|found| found.days);
    let day = |day: Option<Day>, typed: String| day.map_or(typed, |day| day.to_string());
    let (chart, sections) = found.map_or((None, Vec::new()), |found| (Some(found.chart), found.sections));
    let page = Page {
        package: at.to_string(),
        package_address: address::package(&at),
        address: format!("/-/numbers{}", address::package(&at)),
        from: day(days.map(|days| days.first), from),
        to: day(days.map(|days| days.last), to),
        layout: layout.clone(),
        version,
        chart,
        sections,
    };
    Ok(render(&layout, &page))
}

struct Found {
    days: Days,
    chart: Chart,
    sections: Vec<Section>,
}

async fn find(app: &App, visitor: &Visitor, all: StatisticsQuery, [version, from, to]: [&str; 3]) -> Result<Found> {
    let wanted = StatisticsQuery { version: name(version)?, from: moment("from", from)?, to: moment("to", to)?, ..all };
    let (house, caller) = (app.house(), &visitor.caller);
    let by_day = statistics::list_by_day(house, caller, &wanted).await?;
    let mut sections = Vec::new();
    for dimension in Dimension::ALL {
        let records = statistics::list_by(house, caller, dimension, &wanted).await?.records;
        let [name, plural] = dimension.names();
        sections.push(Section { name, plural, bars: most(dimension, records) });
    }
    Ok(Found { days: by_day.days, chart: Chart::new(&by_day), sections })
}

/// Sorts by downloads, the most first.
fn most(dimension: Dimension, mut records: Vec<DimensionDownloads>) -> Vec<Bar> {
    records.sort_by_key(|record| std::cmp::Reverse(record.count));
    let bar = |DimensionDownloads { value, count }| {
        let is_unknown = dimension.unknown() == Some(value.as_str());
        (if is_unknown { "unknown".to_owned() } else { value }, count, count.to_string())
    };
    bars(records.into_iter().take(VALUES).map(bar).collect())
}

fn name(text: &str) -> Result<Option<VersionName>> {
    let wrong = |error| Failure::bad_request(format!("version: {error}"));
    Some(text).filter(|text| !text.is_empty()).map(|text| VersionName::parse(text).map_err(wrong)).transpose()
}

fn moment(name: &str, text: &str) -> Result<Option<Timestamp>> {
    let wrong = |error| Failure::bad_request(format!("{name}: {error}"));
    Some(text).filter(|text| !text.is_empty()).map(|text| Timestamp::parse(text).map_err(wrong)).transpose()
}
