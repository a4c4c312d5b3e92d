//! Usage, and the thresholds for it.

use api::*;

use crate::{
    endpoints::{Endpoints, delete, get, patch, post},
    usage::{usage_thresholds::*, *},
};

const MONTHS: &[(&str, &str)] = &[
    ("from", "A time in the first month; by default eleven months before the last"),
    ("to", "A time in the last month; by default now"),
    ("start_pos", "The position of the first result, from 0"),
];

const PAGE: &[(&str, &str)] = &[("start_pos", "The position of the first result, from 0")];

pub(super) fn usage(calls: Endpoints) -> Endpoints {
    calls
        .add(
            post("/usage/{subject}", "List the usage of a subject by month")
                .query(MONTHS)
                .takes::<TimeRange>()
                .lists::<Usage>(200),
            list_subject_usage,
        )
        .add(
            post("/usage/{subject}/{repo}", "List the usage of a repository by month")
                .query(MONTHS)
                .takes::<TimeRange>()
                .lists::<Usage>(200),
            list_repo_usage,
        )
        .add(
            post("/usage/package_usage/{subject}/{repo}", "List the storage of the packages of a repository")
                .query(PAGE)
                .lists::<PackageUsage>(200),
            list_package_usage,
        )
        .add(
            post("/usage/package_usage/{subject}/{repo}/{package}", "Show the storage of a package")
                .lists::<PackageUsage>(200),
            show_package_usage,
        )
}

pub(super) fn thresholds(calls: Endpoints) -> Endpoints {
    ["/usage_threshold/organization/{org}", "/usage_threshold/repo/{org}/{repo}"].into_iter().fold(calls, add)
}

fn add(calls: Endpoints, path: &'static str) -> Endpoints {
    let [show, create, edit, remove] = if path.ends_with("{repo}") { OF_REPO } else { OF_ORGANIZATION };
    calls
        .add(get(path, show).answers::<UsageThreshold>(200), show_usage_threshold)
        .add(post(path, create).takes::<UsageThresholdChange>().answers::<UsageThreshold>(201), create_usage_threshold)
        .add(patch(path, edit).takes::<UsageThresholdChange>().answers::<Message>(200), edit_usage_threshold)
        .add(delete(path, remove).answers::<Message>(200), delete_usage_threshold)
}

const OF_ORGANIZATION: [&str; 4] = [
    "Show the usage thresholds of an organization",
    "Set the usage thresholds of an organization",
    "Change the usage thresholds of an organization",
    "Remove the usage thresholds of an organization",
];

const OF_REPO: [&str; 4] = [
    "Show the usage thresholds of a repository",
    "Set the usage thresholds of a repository",
    "Change the usage thresholds of a repository",
    "Remove the usage thresholds of a repository",
];
