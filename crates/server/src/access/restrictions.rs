//! Download restrictions of a repository by network and country.

use axum::{Json, extract::State};
use model::access::{Countries, Country, Networks};
use operations::access::restrictions::{self, NetworkChange, RestrictionLists};
use web::{App, caller::SignedIn, error::Result, json::JsonBody, path_names::PathNames};

pub(crate) async fn show_geo_restrictions(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::GeoRestrictions>> {
    let countries = restrictions::show(app.house(), &caller, &path.repo_address()?).await?.countries;
    Ok(Json(geo_view(countries)))
}

pub(crate) async fn set_geo_restrictions(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::GeoRestrictions>,
) -> Result<Json<api::GeoRestrictions>> {
    let lists = RestrictionLists { white: body.white_list, black: body.black_list };
    let countries = restrictions::set_countries(app.house(), &caller, &path.repo_address()?, &lists).await?;
    Ok(Json(geo_view(Some(countries))))
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
    Ok(Json(ip_view(&restrictions::show(app.house(), &caller, &path.repo_address()?).await?.networks)))
}

pub(crate) async fn set_ip_restrictions(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::IpRestrictions>,
) -> Result<Json<api::IpRestrictions>> {
    Ok(Json(ip_view(&restrictions::set_networks(app.house(), &caller, &path.repo_address()?, &lists(body)).await?)))
}

pub(crate) async fn edit_ip_restrictions(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::IpRestrictionsChange>,
) -> Result<Json<api::IpRestrictions>> {
    let change = NetworkChange { add: lists(body.add), remove: lists(body.remove) };
    Ok(Json(ip_view(&restrictions::edit_networks(app.house(), &caller, &path.repo_address()?, &change).await?)))
}

pub(crate) async fn delete_ip_restrictions(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    restrictions::delete_networks(app.house(), &caller, &path.repo_address()?).await?;
    Ok(Json(api::Message::success()))
}

fn geo_view(countries: Option<Countries>) -> api::GeoRestrictions {
    let codes = |list: Vec<Country>| list.iter().map(|country| country.as_str().to_owned()).collect();
    match countries {
        None => api::GeoRestrictions::default(),
        Some(Countries::White(list)) => api::GeoRestrictions { white_list: codes(list), black_list: Vec::new() },
        Some(Countries::Black(list)) => api::GeoRestrictions { white_list: Vec::new(), black_list: codes(list) },
    }
}

fn ip_view(networks: &Networks) -> api::IpRestrictions {
    api::IpRestrictions {
        white_cidrs: networks.white.iter().map(ToString::to_string).collect(),
        black_cidrs: networks.black.iter().map(ToString::to_string).collect(),
    }
}

fn lists(body: api::IpRestrictions) -> RestrictionLists {
    RestrictionLists { white: body.white_cidrs, black: body.black_cidrs }
}
