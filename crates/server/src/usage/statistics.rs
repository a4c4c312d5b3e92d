//! Download statistics. The days may be in the body or in the query, for every method.

use axum::{Json, extract::State};
use model::{
    day::Day,
    statistics::{CountryDownloads, DailyDownloads, VersionDownloads},
    timestamp::Timestamp,
};
use operations::usage::statistics::{self, StatisticsQuery};
use web::{
    App,
    caller::RequestCaller,
    error::{Failure, Result},
    json::OptionalJsonBody,
    path_names::PathNames,
};

pub(crate) async fn show_daily_downloads(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
    OptionalJsonBody(range): OptionalJsonBody<api::TimeRange>,
) -> Result<Json<api::DailyDownloads>> {
    let numbers = statistics::list_by_day(app.house(), &caller, &wanted(&path, &range)?).await?;
    let (from, to) = (numbers.days.first.start().to_string(), numbers.days.last.end().to_string());
    Ok(Json(api::DailyDownloads { from, to, records: by_day(numbers.records) }))
}

pub(crate) async fn show_total_downloads(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
    OptionalJsonBody(range): OptionalJsonBody<api::TimeRange>,
) -> Result<Json<api::TotalDownloads>> {
    let numbers = statistics::list_by_version(app.house(), &caller, &wanted(&path, &range)?).await?;
    let (from, to) = (numbers.days.first.start().to_string(), numbers.days.last.end().to_string());
    let record = |VersionDownloads { version, count }| api::VersionDownloads { version, count };
    Ok(Json(api::TotalDownloads { from, to, records: numbers.records.into_iter().map(record).collect() }))
}

pub(crate) async fn show_country_downloads(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
    OptionalJsonBody(range): OptionalJsonBody<api::TimeRange>,
) -> Result<Json<api::CountryDownloads>> {
    let numbers = statistics::list_by_country(app.house(), &caller, &wanted(&path, &range)?).await?;
    let (from, to) = (numbers.days.first.start().to_string(), numbers.days.last.end().to_string());
    let record = |CountryDownloads { country, count }| api::CountryRecord { country, count };
    Ok(Json(api::CountryDownloads { from, to, records: numbers.records.into_iter().map(record).collect() }))
}

fn wanted(path: &PathNames, range: &api::TimeRange) -> Result<StatisticsQuery> {
    let version = path.has("version").then(|| path.version()).transpose()?;
    let (from, to) = (moment(path, "from", range.from.as_deref())?, moment(path, "to", range.to.as_deref())?);
    Ok(StatisticsQuery { package: path.package_address()?, version, from, to })
}

/// A time in the body or in the query.
pub(crate) fn moment(path: &PathNames, field: &str, in_body: Option<&str>) -> Result<Option<Timestamp>> {
    let text = match (in_body, path.query(field)?) {
        (Some(_), Some(_)) => {
            return Err(Failure::bad_request(format!("{field}: it is given in the body and in the query")));
        }
        (in_body, in_query) => in_body.or(in_query),
    };
    let parsed = text.map(Timestamp::parse).transpose();
    parsed.map_err(|error| Failure::bad_request(format!("{field}: {error}")))
}

/// Groups the downloads by day. The records arrive in the order of days.
fn by_day(records: Vec<DailyDownloads>) -> Vec<api::DayRecord> {
    let mut days: Vec<api::DayRecord> = Vec::new();
    let mut last = None;
    for DailyDownloads { day, version, count } in records {
        if last.replace(day) != Some(day) {
            days.push(api::DayRecord { date: Day::from_number(day).to_string(), downloads: Vec::new() });
        }
        if let Some(day) = days.last_mut() {
            day.downloads.push(api::VersionDownloads { version, count });
        }
    }
    days
}
