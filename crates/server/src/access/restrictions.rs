//! From where the files of a repository may be downloaded.

use axum::{Json, extract::State};
use model::access::{Countries, Country};
use operations::restrictions::{self, Lists, NetworkChange};

use crate::{App, caller::SignedIn, error::Result, json::JsonBody, path_names::PathNames};

pub(crate) async fn show_geo_restrictions(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::GeoRestrictions>> {
    let codes = |list: Vec<Country>| list.iter().map(|country| country.as_str().to_owned()).collect();
    let shown = match restrictions::show(app.house(), &caller, &path.repo_address()?).await?.countries {
        None => api::GeoRestrictions::default(),
        Some(Countries::White(list)) => api::GeoRestrictions { white_list: codes(list), black_list: Vec::new() },
        Some(Countries::Black(list)) => api::GeoRestrictions { white_list: Vec::new(), black_list: codes(list) },
    };
    Ok(Json(shown))
}

pub(crate) async fn set_geo_restrictions(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::GeoRestrictions>,
) -> Result<Json<api::Message>> {
    let lists = Lists { white: body.white_list, black: body.black_list };
    restrictions::set_countries(app.house(), &caller, &path.repo_address()?, &lists).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn delete_geo_restrictions(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    restrictions::delete_countries(app.house(), &caller, &path.repo_address()?).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn show_ip_restrictions(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::IpRestrictions>> {
    let networks = restrictions::show(app.house(), &caller, &path.repo_address()?).await?.networks;
    Ok(Json(api::IpRestrictions {
        white_cidrs: networks.white.iter().map(ToString::to_string).collect(),
        black_cidrs: networks.black.iter().map(ToString::to_string).collect(),
    }))
}

pub(crate) async fn set_ip_restrictions(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::IpRestrictions>,
) -> Result<Json<api::Message>> {
    restrictions::set_networks(app.house(), &caller, &path.repo_address()?, &lists(body)).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn edit_ip_restrictions(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::IpRestrictionsChange>,
) -> Result<Json<api::Message>> {
    let change = NetworkChange { add: lists(body.add), remove: lists(body.remove) };
    restrictions::edit_networks(app.house(), &caller, &path.repo_address()?, &change).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn delete_ip_restrictions(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    restrictions::delete_networks(app.house(), &caller, &path.repo_address()?).await?;
    Ok(Json(api::Message::success()))
}

fn lists(body: api::IpRestrictions) -> Lists {
    Lists { white: body.white_cidrs, black: body.black_cidrs }
}
