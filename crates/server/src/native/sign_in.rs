//! Signs in clients that send a name and a key in a body instead of a header.

use axum::{
    body::{Body, to_bytes},
    extract::FromRequestParts,
    http::{HeaderValue, StatusCode, header, request::Parts},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use model::address::RepoAddress;
use operations::{
    Caller, Error,
    format::{Native, NativeAnswer, NativeCall},
    native,
};
use serde::Deserialize;
use web::{
    App,
    caller::{PresentedKey, RequestCaller},
    error::{Failure, Result},
};

/// The maximum size of such a body in bytes.
const BODY_BYTES: usize = 16 * 1024;

/// The part of the body that matters.
#[derive(Deserialize)]
struct SentCredentials {
    name: String,
    password: String,
}

/// Checks the credentials in a body exactly like those in a header, for a caller who may read the repository.
pub(super) async fn sign_in(
    app: &App,
    parts: &Parts,
    at: &RepoAddress,
    native: &dyn Native,
    call: &NativeCall<'_>,
    body: Body,
) -> Result<NativeAnswer> {
    let too_large = |_| {
        let reason = format!("The body is larger than {BODY_BYTES} bytes, which is the limit");
        Failure::new(StatusCode::PAYLOAD_TOO_LARGE, reason)
    };
    let bytes = to_bytes(body, BODY_BYTES).await.map_err(too_large)?;
    let invalid = |_| Failure::bad_request("The body has no name and password");
    let SentCredentials { name, password } = serde_json::from_slice(&bytes).map_err(invalid)?;
    let header = format!("Basic {}", STANDARD.encode(format!("{name}:{password}")));
    let header = HeaderValue::try_from(header).map_err(|error| Failure::bad_request(error.to_string()))?;
    let mut parts = parts.clone();
    parts.headers.insert(header::AUTHORIZATION, header);
    let RequestCaller(caller) = RequestCaller::from_request_parts(&mut parts, app).await?;
    native::check_read(app.house(), &caller, at).await?;
    let missing = || Error::NotFound { what: "Path", name: String::new() };
    Ok(native.signed_in(call, &name, &password).ok_or_else(missing)?)
}

/// Answers a caller who has signed in with a header.
pub(super) async fn sign_in_by_header(
    app: &App,
    parts: &Parts,
    caller: &Caller,
    native: &dyn Native,
    call: &NativeCall<'_>,
) -> Result<NativeAnswer> {
    caller.check_signed_in()?;
    let PresentedKey(key) = PresentedKey::from_request_parts(&mut parts.clone(), app).await?;
    let missing = || Error::NotFound { what: "Path", name: String::new() };
    let name = caller.name().ok_or_else(missing)?;
    Ok(native.signed_in(call, &name, key.expose()).ok_or_else(missing)?)
}
