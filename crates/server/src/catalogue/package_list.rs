//! The list of a repository's packages.

use axum::{extract::State, response::Response};
use model::package::PackageListItem;
use operations::catalogue::package_list;
use web::{App, caller::RequestCaller, error::Result, paging, path_names::PathNames};

pub(crate) async fn list_packages(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
) -> Result<Response> {
    let prefix = path.query("start_name")?.unwrap_or_default();
    let page = package_list::list(app.house(), &caller, &path.repo_address()?, prefix, path.start_position()?).await?;
    Ok(paging::respond(page, |package: PackageListItem| api::PackageSummary {
        name: package.name,
        linked: package.is_linked,
    }))
}
