//! URLs for one upload, with a token in place of other credentials.

use axum::{
    extract::FromRequestParts,
    http::{Method, StatusCode, request::Parts},
};
use edge::Client;
use formats::base::BASE;
use model::{address::RepoAddress, target::Target};
use operations::{
    Caller, Error,
    format::{Native, NativeAnswer, NativeCall},
    native::upload_tokens,
};
use web::{
    App,
    caller::{PresentedKey, call_scope, sign_in},
    error::{Failure, Result},
    quota,
};

/// The query parameter with the token. It is never logged.
const PARAMETER: &str = "upload_token";

/// Answers a caller who has signed in with a URL for one upload.
pub(super) async fn begin(
    app: &App,
    parts: &Parts,
    caller: &Caller,
    at: &RepoAddress,
    native: &dyn Native,
    call: &NativeCall<'_>,
    path: &str,
) -> Result<NativeAnswer> {
    caller.check_signed_in()?;
    let PresentedKey(key) = PresentedKey::from_request_parts(&mut parts.clone(), app).await?;
    let token = upload_tokens::issue(app.house(), caller, &key, at, path).await?;
    let missing = || Error::NotFound { what: "Path", name: String::new() };
    Ok(native.upload_to(call, &format!("{BASE}/{path}?{PARAMETER}={token}")).ok_or_else(missing)?)
}

/// Returns the caller whom the token of an upload stands for, if there is one; else the caller that the headers name.
pub(super) async fn identify(app: &App, caller: Caller, parts: &mut Parts) -> Result<Caller> {
    let Some(target) = parts.extensions.get::<Target>().cloned().filter(|_| parts.method == Method::PUT) else {
        return Ok(caller);
    };
    let mut tokens = target.query.iter().filter(|(name, _)| name == PARAMETER).map(|(_, token)| token.as_str());
    let Some(token) = tokens.next() else { return Ok(caller) };
    if tokens.next().is_some() || caller.is_signed_in() {
        return Err(Failure::bad_request("The request has several credentials"));
    }
    let client = parts.extensions.get::<Client>().cloned().unwrap_or_default();
    if !client.may_send_secrets {
        let reason = "Credentials are accepted over HTTPS only; this connection is not encrypted";
        return Err(Failure::new(StatusCode::FORBIDDEN, reason));
    }
    let path = target.segments.get(1..).unwrap_or_default().join("/");
    let principal = upload_tokens::open(app.house(), client.address, token, &path, call_scope(parts)).await?;
    if let Some(user) = principal.counted() {
        sign_in(parts);
        quota::charge(app.house(), user, parts).await?;
    }
    Ok(Caller { principal, ..caller })
}
