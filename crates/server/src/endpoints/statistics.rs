//! Download statistics. Each call accepts GET, with or without a body, and POST for clients that cannot send a body
//! with GET.

use api::*;

use crate::{
    endpoints::{Endpoints, get, post},
    usage::statistics::*,
};

const RANGE: &[(&str, &str)] = &[
    ("from", "A time on the first day; by default 29 days before the last"),
    ("to", "A time on the last day; by default today"),
];

const OF_PACKAGE: [&str; 3] = [
    "/packages/{subject}/{repo}/{package}/stats/time_range_downloads",
    "/packages/{subject}/{repo}/{package}/stats/total_downloads",
    "/packages/{subject}/{repo}/{package}/stats/country_downloads",
];

const OF_VERSION: [&str; 3] = [
    "/packages/{subject}/{repo}/{package}/versions/{version}/stats/time_range_downloads",
    "/packages/{subject}/{repo}/{package}/versions/{version}/stats/total_downloads",
    "/packages/{subject}/{repo}/{package}/versions/{version}/stats/country_downloads",
];

pub(super) fn statistics(calls: Endpoints) -> Endpoints {
    [OF_PACKAGE, OF_VERSION].into_iter().fold(calls, add)
}

fn add(mut calls: Endpoints, [by_day, total, by_country]: [&'static str; 3]) -> Endpoints {
    for method in [get, post] {
        let call = method(by_day, "Count downloads by day and version").query(RANGE).takes::<TimeRange>();
        calls = calls.add(call.answers::<DailyDownloads>(200), show_daily_downloads);
    }
    for method in [get, post] {
        let call = method(total, "Count downloads by version").query(RANGE).takes::<TimeRange>();
        calls = calls.add(call.answers::<TotalDownloads>(200), show_total_downloads);
    }
    for method in [get, post] {
        let call = method(by_country, "Count downloads by country").query(RANGE).takes::<TimeRange>();
        calls = calls.add(call.answers::<CountryDownloads>(200), show_country_downloads);
    }
    calls
}
