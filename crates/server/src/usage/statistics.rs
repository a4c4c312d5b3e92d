//! Download statistics. The days may be in the body or in the query, for every method.

use axum::{Json, extract::State};
use model::{
    day::Day,
    statistics::{DailyDownloads, Dimension, DimensionDownloads},
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

/// Makes the JSON of statistics from the first moment, the last moment and the records.
pub(crate) type View<T> = fn(String, String, Vec<DimensionDownloads>) -> T;

/// Shows the downloads by the values of a dimension.
pub(crate) async fn show_downloads_by<T>(
    dimension: Dimension,
    view: View<T>,
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
    OptionalJsonBody(range): OptionalJsonBody<api::TimeRange>,
) -> Result<Json<T>> {
    let numbers = statistics::list_by(app.house(), &caller, dimension, &wanted(&path, &range)?).await?;
    let (from, to) = (numbers.days.first.start().to_string(), numbers.days.last.end().to_string());
    Ok(Json(view(from, to, numbers.records)))
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
