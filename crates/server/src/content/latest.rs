//! Redirects from the API to a file's download; `$latest` selects the newest version.

use axum::{
    extract::State,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use model::{address::PackageAddress, names::PackageName};
use operations::downloads;
use web::{
    App,
    caller::RequestCaller,
    error::{Failure, Result},
    path_names::PathNames,
    refusal::refuse_download,
    signed_url,
};

use crate::content::forms::Forms;

pub(crate) async fn redirect_to_file(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
    forms: Forms,
) -> Result<Response> {
    let (repo, file) = (path.repo_address()?, path.file_path()?);
    let needed = || Failure::bad_request("The package is required as svc_package or X-Service-Package");
    let package = PackageName::parse(&forms.value("package")?.ok_or_else(needed)?).map_err(Failure::bad_request)?;
    let at = PackageAddress { repo, package };
    let found = downloads::find_latest(app.house(), &caller, &at, &file).await;
    let (file, signature) = found.map_err(|error| refuse_download(&app, error))?;
    let location = signed_url::full(&app, &at.repo, &file, &signature);
    let location =
        HeaderValue::from_str(&location).map_err(|_| Failure::bad_request("The path cannot be part of a URL"))?;
    Ok((StatusCode::FOUND, [(header::LOCATION, location)]).into_response())
}
