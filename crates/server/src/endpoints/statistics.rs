//! Download statistics. Each call accepts GET, with or without a body, and POST for clients that cannot send a body
//! with GET.

use api::*;
use axum::{Json, extract::State, response::IntoResponse};
use model::statistics::{Dimension, DimensionDownloads};
use utoipa::ToSchema;
use web::{App, caller::RequestCaller, path_names::PathNames};

use crate::{
    endpoints::{Endpoints, get, post},
    usage::statistics::*,
};

const RANGE: &[(&str, &str)] = &[
    ("from", "A time on the first day; by default 29 days before the last"),
    ("to", "A time on the last day; by default today"),
];

/// The paths of a call: for a package, and for one of its versions.
macro_rules! paths {
    ($call:literal) => {
        [
            concat!("/packages/{subject}/{repo}/{package}/stats/", $call),
            concat!("/packages/{subject}/{repo}/{package}/versions/{version}/stats/", $call),
        ]
    };
}

pub(super) fn statistics(mut calls: Endpoints) -> Endpoints {
    for path in [0, 1] {
        calls = add_days(calls, paths!("time_range_downloads")[path]);
        for dimension in Dimension::ALL {
            calls = add_dimension(calls, path, dimension);
        }
    }
    calls
}

fn add_days(mut calls: Endpoints, path: &'static str) -> Endpoints {
    for method in [get, post] {
        let call = method(path, "Count downloads by day and version").query(RANGE).takes::<TimeRange>();
        calls = calls.add(call.answers::<DailyDownloads>(200), show_daily_downloads);
    }
    calls
}

fn add_dimension(calls: Endpoints, path: usize, dimension: Dimension) -> Endpoints {
    match dimension {
        Dimension::Version => {
            let view = |from, to, records: Vec<DimensionDownloads>| {
                let record = |DimensionDownloads { value: version, count }| VersionDownloads { version, count };
                TotalDownloads { from, to, records: records.into_iter().map(record).collect() }
            };
            add(calls, dimension, paths!("total_downloads")[path], "Count downloads by version", view)
        }
        Dimension::Country => {
            let view = |from, to, records: Vec<DimensionDownloads>| {
                let record = |DimensionDownloads { value: country, count }| CountryRecord { country, count };
                CountryDownloads { from, to, records: records.into_iter().map(record).collect() }
            };
            add(calls, dimension, paths!("country_downloads")[path], "Count downloads by country", view)
        }
    }
}

fn add<T: ToSchema + 'static>(
    mut calls: Endpoints,
    dimension: Dimension,
    path: &'static str,
    summary: &'static str,
    view: View<T>,
) -> Endpoints
where
    Json<T>: IntoResponse,
{
    for method in [get, post] {
        let call = method(path, summary).query(RANGE).takes::<TimeRange>().answers::<T>(200);
        calls = calls.add(call, move |app: State<App>, caller: RequestCaller, path: PathNames, range| {
            show_downloads_by(dimension, view, app, caller, path, range)
        });
    }
    calls
}
