//! The forms in which clients present credentials.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts};
use base64::{Engine, prelude::BASE64_STANDARD};
use model::{
    api_key::{ApiKey, PREFIX, TOKEN_PREFIX},
    target::Target,
};

use super::CREDENTIALS_BYTES;
use crate::error::{Failure, Result};

/// The header in which NuGet's clients send a key when they publish.
const NUGET_KEY: HeaderName = HeaderName::from_static("x-nuget-apikey");

/// The query parameter in which Vagrant sends a token. It is for reads of downloads only, and is never logged.
pub const QUERY_TOKEN: &str = "access_token";

/// The name that clients of the Python index send with a token. No subject can have it.
const TOKEN_NAME: &str = "__token__";

/// A key, and the name that came with it.
pub(super) struct Credentials {
    /// The name of the user or of the access key; `None` if the key came alone.
    pub(super) name: Option<String>,
    /// The key or password.
    pub(super) key: ApiKey,
}

/// Whether a request presents credentials in its headers, right or wrong.
pub fn has_credentials(headers: &HeaderMap) -> bool {
    headers.contains_key(header::AUTHORIZATION) || has_other_credentials(headers)
}

/// Whether a request presents credentials in another header than `Authorization`.
pub fn has_other_credentials(headers: &HeaderMap) -> bool {
    headers.contains_key(NUGET_KEY)
}

/// The credentials of a request. Malformed ones count as wrong, not as none; two different ones are rejected.
pub(super) fn credentials(parts: &Parts) -> Result<Option<Credentials>> {
    let target = parts.extensions.get::<Target>();
    let download = target.filter(|target| target.segments.first().is_some_and(|first| first == "dl"));
    let authorization = single(&parts.headers, &header::AUTHORIZATION)?.map(authorization).transpose()?;
    let nuget = match single(&parts.headers, &NUGET_KEY)? {
        Some(value) if download.is_some() => Some(nuget(value)?),
        _ => None,
    };
    let is_read = matches!(parts.method, Method::GET | Method::HEAD);
    let queried = download.filter(|_| is_read).map(query_token).transpose()?.flatten();
    agreed(agreed(authorization, nuget)?, queried)
}

/// One of two credentials, if they do not contradict each other.
fn agreed(one: Option<Credentials>, other: Option<Credentials>) -> Result<Option<Credentials>> {
    match (one, other) {
        (Some(one), Some(other)) if !one.agrees_with(&other) => {
            Err(Failure::bad_request("The request has two different credentials"))
        }
        // A name tells more than a key alone.
        (Some(one), Some(other)) => Ok(Some(if one.name.is_some() { one } else { other })),
        (one, other) => Ok(one.or(other)),
    }
}

fn single<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h HeaderValue>> {
    let mut values = headers.get_all(name).iter();
    let value = values.next();
    if values.next().is_some() {
        let shown = if *name == header::AUTHORIZATION { "Authorization" } else { "X-NuGet-ApiKey" };
        return Err(Failure::bad_request(format!("There are several {shown} headers")));
    }
    Ok(value)
}

/// Parses HTTP Basic, a bearer token, or a key without a scheme.
fn authorization(value: &HeaderValue) -> Result<Credentials> {
    let text = text(value).ok_or_else(malformed)?;
    let (scheme, rest) = text.split_once(' ').unwrap_or(("", text));
    let rest = rest.trim();
    if scheme.eq_ignore_ascii_case("basic") {
        return Credentials::encoded(rest).ok_or_else(malformed);
    }
    let is_scheme_alone = rest.eq_ignore_ascii_case("basic") || rest.eq_ignore_ascii_case("bearer");
    let is_known = scheme.is_empty() || scheme.eq_ignore_ascii_case("bearer");
    if !is_known || is_scheme_alone || rest.is_empty() || rest.contains(' ') {
        return Err(malformed());
    }
    Ok(Credentials::token(rest))
}

/// Parses a key, or a name and a key with a colon between them.
fn nuget(value: &HeaderValue) -> Result<Credentials> {
    let text = text(value).map(str::trim).filter(|text| !text.is_empty());
    let text =
        text.ok_or_else(|| Failure::new(StatusCode::UNAUTHORIZED, "The X-NuGet-ApiKey header is not an API key"))?;
    Ok(Credentials::pair(text).unwrap_or_else(|| Credentials::alone(text)))
}

/// The token in the query of a download, as Vagrant sends it. Two of them are rejected, even if they are equal.
fn query_token(target: &Target) -> Result<Option<Credentials>> {
    let mut tokens = target.query.iter().filter(|(name, _)| name == QUERY_TOKEN).map(|(_, token)| token.as_str());
    match (tokens.next(), tokens.next()) {
        (_, Some(_)) => Err(Failure::bad_request("access_token appears in the URL twice")),
        (None | Some(""), None) => Ok(None),
        (Some(token), None) if token.len() <= CREDENTIALS_BYTES => Ok(Some(Credentials::token(token))),
        (Some(_), None) => Err(Failure::new(StatusCode::UNAUTHORIZED, "The access_token is not an API key")),
    }
}

fn text(value: &HeaderValue) -> Option<&str> {
    value.to_str().ok().filter(|text| text.len() <= CREDENTIALS_BYTES)
}

fn malformed() -> Failure {
    let reason = "The Authorization header is not HTTP Basic with a user name and an API key, and no API key";
    Failure::new(StatusCode::UNAUTHORIZED, reason)
}

impl Credentials {
    fn alone(key: &str) -> Self {
        Self { name: None, key: ApiKey::presented(key) }
    }

    /// The text before the first colon is the name.
    fn pair(text: &str) -> Option<Self> {
        let (name, key) = text.split_once(':')?;
        if name == TOKEN_NAME && key.starts_with(TOKEN_PREFIX) {
            return Some(Self::alone(key));
        }
        Some(Self { name: Some(name.to_owned()), key: ApiKey::presented(key) })
    }

    /// A name and a key in base64.
    fn encoded(text: &str) -> Option<Self> {
        Self::pair(&String::from_utf8(BASE64_STANDARD.decode(text).ok()?).ok()?)
    }

    /// A bearer: an API key, a token, or a name and a key in base64. No key and no token is base64, because of its
    /// prefix.
    fn token(text: &str) -> Self {
        let is_key = text.starts_with(PREFIX) || text.starts_with(TOKEN_PREFIX);
        let pair = if is_key { None } else { Self::encoded(text) };
        pair.unwrap_or_else(|| Self::alone(text))
    }

    fn agrees_with(&self, other: &Self) -> bool {
        let is_same_name = self.name.is_none() || other.name.is_none() || self.name == other.name;
        self.key == other.key && is_same_name
    }
}

#[cfg(test)]
mod tests;
