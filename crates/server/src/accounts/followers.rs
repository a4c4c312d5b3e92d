//! Followers of a user or an organisation.

use axum::{Json, extract::State, response::Response};
use operations::accounts::followers;
use web::{App, caller::SignedIn, error::Result, paging, path_names::PathNames};

pub(crate) async fn list_followers(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Response> {
    let page = followers::list(app.house(), &caller, &path.subject("user")?, path.start_position()?).await?;
    Ok(paging::respond(page, |name| api::Follower { name }))
}

pub(crate) async fn follow_user(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    followers::follow(app.house(), &caller, &path.subject("user")?).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn unfollow_user(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    followers::unfollow(app.house(), &caller, &path.subject("user")?).await?;
    Ok(Json(api::Message::success()))
}
