//! Licences: the list that all packages choose from, and the custom ones of users and organisations.

use axum::{Json, extract::State, http::StatusCode};
use model::{
    license::{CustomLicense, LICENSES, License},
    names::LicenseName,
};
use operations::catalogue::licenses::{self, LicenseAddress, LicenseChange};
use web::{
    App,
    caller::{RequestCaller, SignedIn},
    error::{Failure, Result},
    json::JsonBody,
    path_names::PathNames,
};

pub(crate) async fn list_oss_licenses(State(app): State<App>, _: RequestCaller) -> Json<Vec<api::OssLicense>> {
    let shown = |license: &License| api::OssLicense {
        name: license.name.to_owned(),
        longname: license.long_name.to_owned(),
        url: license.url.to_owned(),
    };
    let extra = |name: &String| api::OssLicense { name: name.clone(), longname: name.clone(), url: String::new() };
    Json(LICENSES.iter().map(shown).chain(app.settings().licenses.extra.iter().map(extra)).collect())
}

pub(crate) async fn list_licenses(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<Vec<api::CustomLicense>>> {
    let (kind, owner) = path.account()?;
    let licenses = licenses::list(app.house(), &caller, kind, &owner).await?;
    Ok(Json(licenses.into_iter().map(view).collect()))
}

pub(crate) async fn create_license(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::NewCustomLicense>,
) -> Result<(StatusCode, Json<api::CustomLicense>)> {
    let (kind, owner) = path.account()?;
    let license = LicenseName::parse_new(&body.name).map_err(|error| Failure::bad_request(format!("name: {error}")))?;
    let at = LicenseAddress { kind, owner, license };
    let change = LicenseChange { description: body.description, url: body.url };
    let license = licenses::create(app.house(), &caller, &at, change).await?;
    Ok((StatusCode::CREATED, Json(view(license))))
}

pub(crate) async fn edit_license(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::CustomLicenseChange>,
) -> Result<Json<api::Message>> {
    let change = LicenseChange { description: body.description, url: body.url };
    licenses::edit(app.house(), &caller, &address(&path)?, change).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn delete_license(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    licenses::delete(app.house(), &caller, &address(&path)?).await?;
    Ok(Json(api::Message::success()))
}

fn address(path: &PathNames) -> Result<LicenseAddress> {
    let (kind, owner) = path.account()?;
    Ok(LicenseAddress { kind, owner, license: path.license()? })
}

fn view(license: CustomLicense) -> api::CustomLicense {
    api::CustomLicense { name: license.name, description: license.description, url: license.url }
}
