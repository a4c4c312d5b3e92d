//! Access keys.

use axum::{Json, extract::State, http::StatusCode};
use ipnet::IpNet;
use model::{
    access_key::{AccessKey, ExistenceCheck},
    api_key::ApiKey,
    names::AccessKeyName,
    timestamp::Timestamp,
};
use operations::access::access_keys::{self, CheckChange, KeyAddress, KeyChange};
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    json::{JsonBody, JsonParts},
    path_names::PathNames,
};

pub(crate) async fn list_access_keys(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::AccessKeyList>> {
    let (kind, owner) = path.account()?;
    let access_keys = access_keys::list(app.house(), &caller, kind, &owner).await?;
    Ok(Json(api::AccessKeyList { access_keys }))
}

pub(crate) async fn create_access_key(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonParts(new, body): JsonParts<api::AccessKeyId, api::AccessKeyChange>,
) -> Result<(StatusCode, Json<api::AccessKeyCredentials>)> {
    let (kind, owner) = path.account()?;
    let key = AccessKeyName::parse(&new.id).map_err(|error| Failure::bad_request(format!("id: {error}")))?;
    let at = KeyAddress { kind, owner, key };
    let password = access_keys::create(app.house(), &caller, &at, &change(body)?).await?;
    Ok((StatusCode::CREATED, Json(credentials(&at, &password))))
}

pub(crate) async fn show_access_key(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::AccessKey>> {
    let at = address(&path)?;
    let key = access_keys::show(app.house(), &caller, &at).await?;
    Ok(Json(view(&at, key)))
}

pub(crate) async fn edit_access_key(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::AccessKeyChange>,
) -> Result<Json<api::AccessKey>> {
    let at = address(&path)?;
    let key = access_keys::edit(app.house(), &caller, &at, &change(body)?).await?;
    Ok(Json(view(&at, key)))
}

pub(crate) async fn delete_access_key(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    access_keys::delete(app.house(), &caller, &address(&path)?).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn renew_password(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<(StatusCode, Json<api::AccessKeyCredentials>)> {
    let at = address(&path)?;
    let password = access_keys::renew_password(app.house(), &caller, &at).await?;
    Ok((StatusCode::CREATED, Json(credentials(&at, &password))))
}

pub(crate) async fn show_access_key_usage(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::AccessKeyUsage>> {
    let usage = access_keys::show_usage(app.house(), &caller, &address(&path)?).await?;
    Ok(Json(usage.map_or_else(api::AccessKeyUsage::default, |usage| api::AccessKeyUsage {
        downloads: usage.downloads,
        bytes: usage.bytes,
        last_used: Some(Timestamp::from_millis(usage.last_used).to_string()),
        last_address: Some(usage.last_address),
    })))
}

fn address(path: &PathNames) -> Result<KeyAddress> {
    let (kind, owner) = path.account()?;
    Ok(KeyAddress { kind, owner, key: path.access_key()? })
}

fn change(body: api::AccessKeyChange) -> Result<KeyChange> {
    Ok(KeyChange {
        password: body.password.as_deref().map(ApiKey::presented),
        expiry: body.expiry,
        white_cidrs: body.white_cidrs,
        black_cidrs: body.black_cidrs,
        existence_check: check(body.existence_check)?,
        is_api_only: body.api_only,
        max_downloads: body.max_downloads,
    })
}

/// An empty object counts as absent: some clients cannot leave the field out.
fn check(given: Option<Option<api::ExistenceCheckChange>>) -> Result<Option<Option<CheckChange>>> {
    match given {
        None => Ok(None),
        Some(None) => Ok(Some(None)),
        Some(Some(check)) if check.is_empty() => Ok(None),
        Some(Some(api::ExistenceCheckChange { url: Some(url), cache_for_secs })) => {
            Ok(Some(Some(CheckChange { url, cache_for_secs })))
        }
        Some(Some(_)) => Err(Failure::bad_request("existence_check.url: it is required")),
    }
}

fn credentials(at: &KeyAddress, password: &ApiKey) -> api::AccessKeyCredentials {
    api::AccessKeyCredentials { username: username(at), password: password.expose().to_owned() }
}

fn username(at: &KeyAddress) -> String {
    format!("{}@{}", at.key, at.owner)
}

fn view(at: &KeyAddress, key: AccessKey) -> api::AccessKey {
    let networks = |list: &[IpNet]| list.iter().map(IpNet::to_string).collect();
    let check =
        |check: ExistenceCheck| api::ExistenceCheck { url: check.url, cache_for_secs: Some(check.cache_for_secs) };
    api::AccessKey {
        id: key.name.to_string(),
        username: username(at),
        expiry: key.terms.expiry.map(Timestamp::millis),
        white_cidrs: networks(&key.terms.networks.white),
        black_cidrs: networks(&key.terms.networks.black),
        existence_check: key.terms.existence_check.map(check),
        api_only: key.terms.is_api_only,
        max_downloads: key.terms.max_downloads,
        created: key.created.to_string(),
    }
}
