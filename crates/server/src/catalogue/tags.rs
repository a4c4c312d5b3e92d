//! Tags of packages.

use axum::{Json, extract::State};
use model::{address::VersionAddress, names::VersionName};
use operations::native;
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    json::JsonBody,
    path_names::PathNames,
};

pub(crate) async fn set_tag(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::TagTarget>,
) -> Result<Json<api::Message>> {
    let version =
        VersionName::parse(&body.version).map_err(|error| Failure::bad_request(format!("version: {error}")))?;
    let at = VersionAddress { package: path.package_address()?, version };
    native::set_tag(app.house(), &caller, &at, path.tag()).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn delete_tag(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    native::delete_tag(app.house(), &caller, &path.package_address()?, path.tag()).await?;
    Ok(Json(api::Message::success()))
}
