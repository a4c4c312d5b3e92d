//! Tokens that stand for credentials below the URL of one repository.

use axum::{
    extract::FromRequestParts,
    http::{StatusCode, header, request::Parts},
};
use edge::{Client, RequestId};
use model::{address::RepoAddress, target::Target};
use operations::{
    Caller, Error, Principal, Via,
    cache::current_epoch,
    format::{Native, NativeAnswer, NativeCall},
    native::repo_tokens,
};
use web::{
    App,
    caller::{
        PresentedKey, QUERY_TOKEN, RequestCaller, RequestEpoch, agent, call_scope, has_other_credentials, sign_in,
    },
    error::{Failure, Result},
    quota,
};

use crate::downloads::{CredentialsExpiry, repo_address};

/// Answers a caller who has signed in with a token. A token is not good for another one, or it would never end.
pub(super) async fn issue(
    app: &App,
    parts: &Parts,
    caller: &Caller,
    at: &RepoAddress,
    native: &dyn Native,
    call: &NativeCall<'_>,
) -> Result<NativeAnswer> {
    if parts.extensions.get::<CredentialsExpiry>().is_some() {
        return Err(Error::Unauthenticated("Sign in with a name and a key to get a token").into());
    }
    let PresentedKey(key) = PresentedKey::from_request_parts(&mut parts.clone(), app).await?;
    let token = repo_tokens::issue(app.house(), caller, &key, at).await?;
    let missing = || Error::NotFound { what: "Path", name: String::new() };
    Ok(native.token_issued(call, &token).ok_or_else(missing)?)
}

/// Returns the caller whom the token of a repository stands for, if there is one; else the caller with other credentials.
pub(super) async fn identify(app: &App, parts: &mut Parts) -> Result<Caller> {
    let Some((at, token)) = presented(parts) else {
        let RequestCaller(caller) = RequestCaller::from_request_parts(parts, app).await?;
        return Ok(caller);
    };
    parts.extensions.insert(RequestEpoch(current_epoch(app.house())));
    let Client { address, country, may_send_secrets, .. } = parts.extensions.get().cloned().unwrap_or_default();
    if !may_send_secrets {
        let reason = "Credentials are accepted over HTTPS only; this connection is not encrypted";
        return Err(Failure::new(StatusCode::FORBIDDEN, reason));
    }
    let request_id = parts.extensions.get::<RequestId>().map(RequestId::to_string).unwrap_or_default();
    let via = Via::Network { address, country };
    let caller = Caller { principal: Principal::Anonymous, via, agent: agent(&parts.headers), request_id };
    let (caller, until) = repo_tokens::open(app.house(), caller, &at, &token, call_scope(parts)).await?;
    if let Some(user) = caller.counted() {
        sign_in(parts);
        quota::charge(app.house(), user, parts).await?;
    }
    parts.extensions.insert(CredentialsExpiry(until));
    Ok(caller)
}

/// The repository that a request names and the token that it sends, if it has the form of one. A request with other
/// credentials besides the token is refused where those are read.
fn presented(parts: &Parts) -> Option<(RepoAddress, String)> {
    let target = parts.extensions.get::<Target>()?;
    let at = repo_address(target)?;
    if has_other_credentials(&parts.headers) || target.query.iter().any(|(name, _)| name == QUERY_TOKEN) {
        return None;
    }
    let mut values = parts.headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next().filter(|_| values.next().is_none())?;
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    let token = token.trim();
    let is_token = scheme.eq_ignore_ascii_case("bearer") && repo_tokens::has_token_form(token);
    is_token.then(|| (at, token.to_owned()))
}
