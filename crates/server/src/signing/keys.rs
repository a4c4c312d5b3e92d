//! Signing keys.

use axum::{
    Json,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use model::timestamp::Timestamp;
use operations::signing::{self, KeyOwner, PublicKeyDetail, SecretText};
use web::{
    App,
    caller::{RequestCaller, SignedIn},
    error::Result,
    json::JsonBody,
    path_names::PathNames,
};

pub(crate) async fn store_gpg_key(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::NewGpgKey>,
) -> Result<Json<api::GpgKey>> {
    let secret = |secret: &api::Secret| SecretText::presented(secret.expose().to_owned());
    let passphrase = body.passphrase.as_ref().filter(|text| !text.expose().is_empty()).map(secret);
    let key = signing::import(app.house(), &caller, &owner(&path)?, secret(&body.private_key), passphrase).await?;
    Ok(Json(stored(&app, key)))
}

pub(crate) async fn generate_gpg_key(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<(StatusCode, Json<api::GpgKey>)> {
    let key = signing::generate(app.house(), &caller, &owner(&path)?).await?;
    Ok((StatusCode::CREATED, Json(stored(&app, key))))
}

pub(crate) async fn show_gpg_key(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::GpgKey>> {
    let key = signing::show(app.house(), &caller, &owner(&path)?).await?;
    Ok(Json(view(&app, key)))
}

pub(crate) async fn delete_gpg_key(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    signing::delete(app.house(), &caller, &owner(&path)?).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn show_public_key(State(app): State<App>, _: RequestCaller, path: PathNames) -> Result<Response> {
    Ok(text(signing::public_key(app.house(), &owner(&path)?).await?))
}

pub(crate) async fn show_own_public_key(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
) -> Result<Response> {
    Ok(text(signing::own_public_key(app.house(), &caller).await?))
}

pub(super) fn text(key: String) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], key).into_response()
}

pub(super) fn owner(path: &PathNames) -> Result<KeyOwner> {
    let (kind, name) = path.account()?;
    Ok(KeyOwner { kind, name })
}

fn stored(app: &App, key: PublicKeyDetail) -> api::GpgKey {
    api::GpgKey { message: Some("success".into()), ..view(app, key) }
}

fn view(app: &App, key: PublicKeyDetail) -> api::GpgKey {
    api::GpgKey {
        message: None,
        warning: key.warning(app.house().clock.now()),
        fingerprint: key.fingerprint,
        needs_passphrase: key.needs_passphrase,
        created: key.created.to_string(),
        expires: key.expiry.as_ref().map(Timestamp::to_string),
    }
}
