//! Requests to the provider, and what it sends people back with.

use base64::{Engine, prelude::BASE64_STANDARD};
use reqwest::{
    Method, Request,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use serde::Deserialize;

use super::{CALLBACK, incomplete, refused, state::State};
use crate::{
    Error, House, Result,
    oidc::{Claims, Metadata, OidcConfig},
    outbound::{Reply, encoded},
};

/// What the provider sends a person back with.
#[derive(Debug, Clone, Copy)]
pub struct Returned<'r> {
    /// The code to exchange.
    pub code: Option<&'r str>,
    /// The state of the sign-in.
    pub state: &'r str,
    /// The issuer, from providers that name themselves.
    pub issuer: Option<&'r str>,
    /// The reason why there is no code.
    pub error: Option<&'r str>,
    /// The cookie of the browser.
    pub cookie: &'r str,
}

/// The provider's answer to a code.
#[derive(Debug, Deserialize)]
pub(super) struct Answer {
    pub(super) id_token: String,
    access_token: Option<String>,
}

impl Returned<'_> {
    /// Checks that the person comes back from the right provider, in the browser that began.
    pub(super) fn check(&self, house: &House, config: &OidcConfig, metadata: &Metadata, state: &State) -> Result<()> {
        if !house.secrets.is_same(self.state.as_bytes(), state.state(house).as_bytes()) {
            return Err(super::state::out_of_date());
        }
        match self.issuer {
            Some(issuer) if issuer != config.issuer => return Err(refused("it is from another issuer")),
            None if metadata.authorization_response_iss_parameter_supported => {
                return Err(refused("it does not name its issuer"));
            }
            _ => {}
        }
        match self.error {
            None => Ok(()),
            Some(reason) => {
                let is_word = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
                let reason: String = reason.chars().take_while(is_word).take(60).collect();
                Err(Error::Denied(format!("The provider has refused the sign-in: {reason}")))
            }
        }
    }
}

/// The address of the provider's page.
pub(super) fn authorization(house: &House, config: &OidcConfig, page: &str, site: &str, state: &State) -> String {
    let scope = scopes(config);
    let back = format!("{site}{CALLBACK}");
    let (state_text, nonce, challenge) = (state.state(house), state.nonce(house), state.challenge(house));
    let fields = [
        ("response_type", "code"),
        ("client_id", &config.client_id),
        ("redirect_uri", &back),
        ("scope", &scope),
        ("state", &state_text),
        ("nonce", &nonce),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
    ];
    let separator = if page.contains('?') { '&' } else { '?' };
    format!("{page}{separator}{}", form(&fields))
}

fn scopes(config: &OidcConfig) -> String {
    let others = config.scopes.iter().map(String::as_str).filter(|scope| *scope != "openid");
    std::iter::once("openid").chain(others).collect::<Vec<_>>().join(" ")
}

/// Exchanges the code for tokens.
pub(super) async fn exchange(
    house: &House,
    config: &OidcConfig,
    metadata: &Metadata,
    site: &str,
    returned: &Returned<'_>,
    state: &State,
) -> Result<Answer> {
    let code = returned.code.ok_or_else(|| refused("it has no code"))?;
    let (back, verifier) = (format!("{site}{CALLBACK}"), state.verifier(house));
    let mut fields = vec![
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", back.as_str()),
        ("code_verifier", verifier.as_str()),
    ];
    let mut headers = HeaderMap::from_iter([
        (CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded")),
        (ACCEPT, HeaderValue::from_static("application/json")),
    ]);
    let methods = metadata.token_endpoint_auth_methods_supported.as_deref().unwrap_or_default();
    let is_in_body = methods.iter().any(|one| one == "client_secret_post")
        && !methods.iter().any(|one| one == "client_secret_basic");
    match &config.client_secret {
        Some(secret) if is_in_body => {
            fields.extend([("client_id", config.client_id.as_str()), ("client_secret", secret.expose())]);
        }
        Some(secret) => {
            let pair = format!("{}:{}", encoded(&config.client_id), encoded(secret.expose()));
            headers.insert(AUTHORIZATION, sensitive(&format!("Basic {}", BASE64_STANDARD.encode(pair)))?);
        }
        None => fields.push(("client_id", &config.client_id)),
    }
    let at = metadata.token_endpoint.as_deref().ok_or_else(|| incomplete("token_endpoint"))?;
    let reply = send(house, config, Method::POST, at, headers, form(&fields)).await?;
    if reply.status >= 500 {
        return Err(Error::ProviderUnavailable(format!("the provider answers {} to a code", reply.status)));
    }
    if reply.status != 200 {
        tracing::warn!("the provider of single sign-on refused a code with status {}", reply.status);
        return Err(refused("it refuses its own code"));
    }
    serde_json::from_slice(&reply.body).map_err(|_| refused("it has no identity token"))
}

/// Adds the claims that the provider tells only when it is asked for them.
pub(super) async fn complete(
    house: &House,
    config: &OidcConfig,
    metadata: &Metadata,
    answer: &Answer,
    claims: Claims,
) -> Result<Claims> {
    let wanted = [&config.name_claim, &config.email_claim, &config.groups_claim];
    let (Some(at), Some(token)) = (&metadata.userinfo_endpoint, &answer.access_token) else { return Ok(claims) };
    if wanted.into_iter().all(|claim| claims.has(claim)) {
        return Ok(claims);
    }
    let headers = HeaderMap::from_iter([(AUTHORIZATION, sensitive(&format!("Bearer {token}"))?)]);
    let reply = send(house, config, Method::GET, at, headers, String::new()).await?;
    if reply.status != 200 {
        return Err(Error::ProviderUnavailable(format!("the provider answers {} about a person", reply.status)));
    }
    let told = Claims::parse(&reply.body).ok_or_else(|| refused("it does not describe the person"))?;
    // The answer about another person would give away that person's groups.
    if told.subject() != claims.subject() {
        return Err(refused("it describes another person"));
    }
    Ok(claims.or(told))
}

async fn send(
    house: &House,
    config: &OidcConfig,
    method: Method,
    url: &str,
    headers: HeaderMap,
    body: String,
) -> Result<Reply> {
    let client = house.client_of(&config.issuer);
    let unavailable = |problem: String| Error::ProviderUnavailable(format!("the provider does not answer: {problem}"));
    let mut request = Request::new(method, client.check(url).map_err(unavailable)?);
    *request.headers_mut() = headers;
    if !body.is_empty() {
        *request.body_mut() = Some(body.into());
    }
    client.send(request).await.map_err(|problem| unavailable(problem.to_string()))
}

fn sensitive(text: &str) -> Result<HeaderValue> {
    let mut value = HeaderValue::from_str(text).map_err(|_| refused("its token cannot be sent"))?;
    value.set_sensitive(true);
    Ok(value)
}

fn form(fields: &[(&str, &str)]) -> String {
    fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect::<Vec<_>>().join("&")
}
