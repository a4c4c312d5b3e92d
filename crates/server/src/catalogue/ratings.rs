//! Followers and ratings of packages.

use axum::{Json, extract::State};
use model::rating::Rating;
use operations::accounts::{followers, ratings};
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    json::JsonBody,
    path_names::PathNames,
};

pub(crate) async fn follow_package(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    followers::follow_package(app.house(), &caller, &path.package_address()?).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn unfollow_package(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    followers::unfollow_package(app.house(), &caller, &path.package_address()?).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn rate_package(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::NewRating>,
) -> Result<Json<api::Message>> {
    let refused = || Failure::bad_request(format!("rating: {} is not a number from 1 to 5", body.rating));
    let rating = Rating::new(body.rating).ok_or_else(refused)?;
    ratings::set(app.house(), &caller, &path.package_address()?, rating).await?;
    Ok(Json(api::Message::success()))
}
