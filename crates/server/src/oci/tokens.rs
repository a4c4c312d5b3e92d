//! The endpoint that gives tokens.

use axum::{
    body::{Body, to_bytes},
    extract::FromRequestParts,
    http::{Method, StatusCode, request::Parts},
    response::Response,
};
use edge::{Client, RequestId};
use formats::oci::token::{scopes, token_document};
use model::{
    api_key::ApiKey,
    target::{Target, parse_form},
};
use operations::{
    Caller, PresentedCredentials, Via,
    access::key_tokens::{self, TokenUse},
};
use web::{
    App,
    caller::{PresentedKey, RequestCaller, agent, call_scope, sign_in},
    error::Failure,
};

use super::{Result, json, unsupported};

/// The maximum size of a form.
const FORM_BYTES: usize = 16 * 1024;

/// The maximum number of scopes in a token.
const SCOPES: usize = 16;

/// Gives a token: to anonymous callers, to callers with Basic credentials, and to those who send a form.
pub(super) async fn answer(app: &App, parts: &mut Parts, body: Body) -> Result<Response> {
    let target = parts.extensions.get::<Target>().cloned().unwrap_or_default();
    let (caller, key, fields) = match parts.method {
        Method::GET | Method::HEAD => {
            let RequestCaller(caller) = RequestCaller::from_request_parts(parts, app).await?;
            let PresentedKey(key) = PresentedKey::from_request_parts(parts, app).await?;
            (caller, key, target.query)
        }
        Method::POST => by_form(app, parts, body).await?,
        _ => return Err(unsupported()),
    };
    let asked = fields.iter().filter(|(name, _)| name == "scope").map(|(_, scope)| scope.as_str());
    let scopes = scopes(asked).iter().take(SCOPES).map(ToString::to_string).collect();
    let token = key_tokens::issue(app.house(), &caller, &key, TokenUse::Registry, scopes).await?;
    let lifetime = key_tokens::LIFETIME_SECS.unsigned_abs();
    Ok(json(StatusCode::OK, token_document(&token, lifetime, app.house().clock.now())))
}

type Fields = Vec<(String, String)>;

/// The credentials of docker's form.
async fn by_form(app: &App, parts: &Parts, body: Body) -> Result<(Caller, ApiKey, Fields)> {
    let too_large = |_| Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "The form is too large");
    let bytes = to_bytes(body, FORM_BYTES).await.map_err(too_large)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| Failure::bad_request("The form is not UTF-8"))?;
    let fields = parse_form(text).map_err(Failure::from)?;
    let field = |name: &str| fields.iter().find(|(found, _)| found == name).map_or("", |(_, value)| value.as_str());
    if field("grant_type") != "password" {
        return Err(Failure::bad_request("The grant_type must be 'password'").into());
    }
    let client = parts.extensions.get::<Client>().cloned().unwrap_or_default();
    if !client.may_send_secrets {
        let reason = "Credentials are accepted over HTTPS only; this connection is not encrypted";
        return Err(Failure::new(StatusCode::FORBIDDEN, reason).into());
    }
    let request_id = parts.extensions.get::<RequestId>().map(RequestId::to_string).unwrap_or_default();
    let (agent, key) = (agent(&parts.headers), ApiKey::presented(field("password")));
    let presented = PresentedCredentials {
        name: Some(field("username")),
        password: &key,
        address: client.address,
        is_shared: client.is_shared,
        agent: agent.as_deref(),
        request_id: &request_id,
        scope: call_scope(parts),
    };
    let principal = operations::authenticate(app.house(), presented).await?;
    sign_in(parts);
    let via = Via::Network { address: client.address, country: client.country };
    Ok((Caller { principal, via, agent, request_id }, key, fields))
}
