//! Publishing, discarding, and rebuilding indexes.

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode},
};
use model::{
    address::{PackageAddress, VersionAddress},
    names::{PackageName, VersionName},
};
use operations::{content, oci};
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    json::OptionalJsonBody,
    path_names::PathNames,
    signing_options::of_body,
};

pub(crate) async fn publish_version(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    headers: HeaderMap,
    OptionalJsonBody(body): OptionalJsonBody<api::Publish>,
) -> Result<Json<api::PublishedFiles>> {
    let at = version_address(&path)?;
    let (files, is_indexed) = if body.discard {
        (oci::discard(app.house(), &caller, &at).await?, true)
    } else {
        oci::publish(app.house(), &caller, &at, &of_body(&headers, None, body.signing())?).await?
    };
    let indexed = if is_indexed { None } else { Some(false) };
    Ok(Json(api::PublishedFiles { files, indexed }))
}

/// Parses `:package/:version/publish`, which the router takes for the path of a file.
fn version_address(path: &PathNames) -> Result<VersionAddress> {
    let repo = path.repo_address()?;
    match path.rest().as_slice() {
        [package, version, publish] if publish == "publish" => {
            let package = PackageName::parse(package).map_err(Failure::bad_request)?;
            let version = VersionName::parse(version).map_err(Failure::bad_request)?;
            Ok(VersionAddress { package: PackageAddress { repo, package }, version })
        }
        _ => Err(Failure::nothing()),
    }
}

pub(crate) async fn calc_metadata(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    headers: HeaderMap,
    OptionalJsonBody(body): OptionalJsonBody<api::Signing>,
) -> Result<(StatusCode, Json<api::Message>)> {
    let with = of_body(&headers, None, body)?;
    content::rebuild_all(app.house(), &caller, &path.repo_address()?, None, &with).await?;
    Ok((StatusCode::ACCEPTED, Json(api::Message::success())))
}

pub(crate) async fn calc_metadata_below(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    headers: HeaderMap,
    OptionalJsonBody(body): OptionalJsonBody<api::Signing>,
) -> Result<(StatusCode, Json<api::Message>)> {
    let with = of_body(&headers, None, body)?;
    content::rebuild_all(app.house(), &caller, &path.repo_address()?, Some(&path.file_path()?), &with).await?;
    Ok((StatusCode::ACCEPTED, Json(api::Message::success())))
}
