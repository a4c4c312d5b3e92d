//! Identifies the caller of a request from its credentials.

mod credentials;

pub use credentials::{QUERY_TOKEN, has_credentials, has_other_credentials};

use axum::{
    extract::{FromRef, FromRequestParts},
    http::{HeaderMap, StatusCode, header, request::Parts},
};
use edge::{Client, RequestId, Standing};
use model::{
    access::{Scope, scope_of_call},
    api_key::ApiKey,
    target::Target,
};
use operations::{
    Caller, PresentedCredentials, Principal, Via,
    cache::{Epoch, current_epoch},
};

use crate::{
    App,
    caller::credentials::{Credentials, credentials},
    error::{Failure, Result},
    quota,
};

/// The longest credentials that are accepted, in bytes.
const CREDENTIALS_BYTES: usize = 1_024;

/// The most characters of a client's user agent that are stored.
const AGENT_CHARACTERS: usize = 300;

/// The epoch in which the credentials of a request were checked: a later change may have revoked them.
#[derive(Debug, Clone, Copy)]
pub struct RequestEpoch(pub Epoch);

/// The caller of a request. Wrong credentials end the request here, on every resource.
pub struct RequestCaller(pub Caller);

impl<S> FromRequestParts<S> for RequestCaller
where
    App: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let app = App::from_ref(state);
        parts.extensions.insert(RequestEpoch(current_epoch(app.house())));
        let client = parts.extensions.get::<Client>().cloned().unwrap_or_default();
        let request_id = parts.extensions.get::<RequestId>().map(RequestId::to_string).unwrap_or_default();
        let agent = agent(&parts.headers);
        let principal = match credentials(parts)? {
            None => Principal::Anonymous,
            Some(_) if !client.may_send_secrets => return Err(insecure()),
            Some(Credentials { name, key }) => {
                let (name, password, address) = (name.as_deref(), &key, client.address);
                let agent = agent.as_deref();
                let (is_shared, request_id) = (client.is_shared, request_id.as_str());
                let scope = call_scope(parts);
                let presented = PresentedCredentials { name, password, address, is_shared, agent, request_id, scope };
                operations::authenticate(app.house(), presented).await?
            }
        };
        if let Some(user) = principal.counted() {
            sign_in(parts);
            quota::charge(app.house(), user, parts).await?;
        }
        let Client { address, country, .. } = client;
        Ok(Self(Caller { principal, via: Via::Network { address, country }, agent, request_id }))
    }
}

/// The scope that a token needs for a call, by its method and address.
pub fn call_scope(parts: &Parts) -> Scope {
    let target = parts.extensions.get::<Target>();
    scope_of_call(parts.method.as_str(), target.map(|target| target.segments.as_slice()).unwrap_or_default())
}

/// Marks the connection of a request as authenticated from now on.
pub fn sign_in(parts: &Parts) {
    if let Some(standing) = parts.extensions.get::<Standing>() {
        standing.sign_in();
    }
}

/// The client's user agent, cut to a length that may be stored.
pub fn agent(headers: &HeaderMap) -> Option<String> {
    let said = headers.get(header::USER_AGENT)?.to_str().ok()?;
    Some(said.chars().take(AGENT_CHARACTERS).collect())
}

/// A caller who has signed in. Extracted before the body, so that other callers are rejected before they send one.
pub struct SignedIn(pub Caller);

impl<S> FromRequestParts<S> for SignedIn
where
    App: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let RequestCaller(caller) = RequestCaller::from_request_parts(parts, state).await?;
        caller.check_signed_in()?;
        Ok(Self(caller))
    }
}

/// The key that the request was authenticated with. Extracted after the caller, which has checked it.
pub struct PresentedKey(pub ApiKey);

impl<S: Send + Sync> FromRequestParts<S> for PresentedKey {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let shown = credentials(parts)?;
        // A caller without a key cannot have signed in.
        Ok(Self(shown.map_or_else(|| ApiKey::presented(""), |shown| shown.key)))
    }
}

/// A caller who may create accounts. Extracted before the body for the same reason.
pub struct RegisteringCaller(pub Caller);

impl<S> FromRequestParts<S> for RegisteringCaller
where
    App: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let RequestCaller(caller) = RequestCaller::from_request_parts(parts, state).await?;
        operations::accounts::users::check_may_create(App::from_ref(state).house(), &caller)?;
        Ok(Self(caller))
    }
}

fn insecure() -> Failure {
    let reason = "Credentials are accepted over HTTPS only; this connection is not encrypted";
    Failure::new(StatusCode::FORBIDDEN, reason)
}
