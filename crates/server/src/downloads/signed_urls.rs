//! Signed URLs: creating one, and revoking all.

use axum::{Json, extract::State, http::StatusCode};
use operations::downloads::signed_urls::{self, NewSignedUrl, UrlLifetime};
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    json::OptionalJsonBody,
    path_names::PathNames,
    signed_url,
};

pub(crate) async fn create_signed_url(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    OptionalJsonBody(body): OptionalJsonBody<api::NewSignedUrl>,
) -> Result<Json<api::SignedUrl>> {
    let (at, file) = (path.repo_address()?, path.file_path()?);
    if body.encrypt == Some(true) || !matches!(path.query("encrypt")?, None | Some("" | "0" | "false")) {
        return Err(Failure::bad_request("encrypt: files are not encrypted for a download; leave it out"));
    }
    let life = match (body.expiry, body.valid_for_secs) {
        (Some(_), Some(_)) => return Err(Failure::bad_request("expiry: give it or valid_for_secs, not both")),
        (Some(expiry), None) => Some(UrlLifetime::Until(expiry)),
        (None, Some(seconds)) => Some(UrlLifetime::Seconds(seconds)),
        (None, None) => None,
    };
    let new = NewSignedUrl { life, callback_id: body.callback_id };
    let signature = signed_urls::create(app.house(), &caller, &at, &file, &new).await?;
    Ok(Json(api::SignedUrl { url: signed_url::full(&app, &at, &file, &signature) }))
}

pub(crate) async fn renew_keypair(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<(StatusCode, Json<api::Message>)> {
    signed_urls::revoke_all(app.house(), &caller, &path.subject("subject")?).await?;
    Ok((StatusCode::CREATED, Json(api::Message::success())))
}
