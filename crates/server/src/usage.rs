//! The storage and traffic of subjects, repositories and packages.

pub(crate) mod statistics;
pub(crate) mod usage_thresholds;

use axum::{extract::State, response::Response};
use model::usage::PackageUsage;
use operations::{
    Page,
    usage::{self, MonthRange, Usage},
};
use web::{App, caller::SignedIn, error::Result, json::OptionalJsonBody, paging, path_names::PathNames};

use crate::usage::statistics::moment;

pub(crate) async fn list_subject_usage(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    OptionalJsonBody(range): OptionalJsonBody<api::TimeRange>,
) -> Result<Response> {
    let (subject, months, start) = (path.subject("subject")?, months(&path, &range)?, path.start_position()?);
    let page = usage::list_of_subject(app.house(), &caller, &subject, months, start).await?;
    Ok(paging::respond(page, view))
}

pub(crate) async fn list_repo_usage(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    OptionalJsonBody(range): OptionalJsonBody<api::TimeRange>,
) -> Result<Response> {
    let (at, months, start) = (path.repo_address()?, months(&path, &range)?, path.start_position()?);
    let page = usage::list_of_repo(app.house(), &caller, &at, months, start).await?;
    Ok(paging::respond(page, view))
}

pub(crate) async fn list_package_usage(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Response> {
    let start = path.start_position()?;
    let page = usage::list_packages(app.house(), &caller, &path.repo_address()?, start).await?;
    Ok(paging::respond(page, view_package))
}

pub(crate) async fn show_package_usage(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Response> {
    let item = usage::show_package(app.house(), &caller, &path.package_address()?).await?;
    // Also a list, so that clients parse both calls alike.
    Ok(paging::respond(Page { items: vec![item], start: 0, total: 1 }, view_package))
}

fn months(path: &PathNames, range: &api::TimeRange) -> Result<MonthRange> {
    let (from, to) = (moment(path, "from", range.from.as_deref())?, moment(path, "to", range.to.as_deref())?);
    Ok(MonthRange { from, to })
}

fn view(usage: Usage) -> api::Usage {
    api::Usage {
        from: usage.from.to_string(),
        to: usage.to.to_string(),
        partial_period: usage.is_partial,
        storage_bytes: usage.storage_bytes,
        download_bytes: usage.download_bytes,
    }
}

fn view_package(PackageUsage { package, storage_bytes, file_count }: PackageUsage) -> api::PackageUsage {
    api::PackageUsage { package, storage_bytes, file_count }
}
