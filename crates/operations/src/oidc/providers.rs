//! What issuers publish about themselves, fetched when it is needed and kept for a while.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use model::timestamp::Timestamp;
use reqwest::{Method, Request, Url};
use serde::Deserialize;
use tokio::sync::{Mutex as AsyncMutex, Semaphore};

use super::{
    Claims, Expected, SignedToken,
    keys::{self, Key},
};
use crate::{Error, House, Result, outbound::OutboundClient};

/// The maximum number of issuers that are remembered.
const ISSUERS: usize = 200;

/// The maximum number of simultaneous fetches.
const FETCHES: usize = 8;

/// How long what was fetched is used without asking again, in milliseconds.
const FRESH_MS: i64 = 60 * 60 * 1_000;

/// How long it is used when the issuer does not answer.
const STALE_MS: i64 = 24 * 60 * 60 * 1_000;

/// The minimum interval between two fetches from an issuer, whether for unknown keys or after a failure.
const PAUSE_MS: i64 = 10 * 1_000;

/// The addresses of an issuer.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Metadata {
    issuer: String,
    jwks_uri: String,
    pub(crate) authorization_endpoint: Option<String>,
    pub(crate) token_endpoint: Option<String>,
    pub(crate) userinfo_endpoint: Option<String>,
    #[serde(default)]
    pub(crate) token_endpoint_auth_methods_supported: Option<Vec<String>>,
    /// Whether it names itself when it sends people back.
    #[serde(default)]
    pub(crate) authorization_response_iss_parameter_supported: bool,
}

/// The issuers that this node has asked.
#[derive(Debug)]
pub(crate) struct Providers {
    known: Mutex<HashMap<String, Arc<AsyncMutex<State>>>>,
    fetches: Semaphore,
}

/// What is known of an issuer.
#[derive(Debug, Default)]
struct State {
    found: Option<Arc<Found>>,
    /// When it was last asked.
    asked: Option<Timestamp>,
}

#[derive(Debug)]
struct Found {
    metadata: Metadata,
    keys: Vec<Key>,
    at: Timestamp,
}

impl Default for Providers {
    fn default() -> Self {
        Self { known: Mutex::default(), fetches: Semaphore::new(FETCHES) }
    }
}

impl Providers {
    /// Returns what an issuer publishes about its addresses.
    pub(crate) async fn metadata(&self, house: &House, issuer: &str) -> Result<Metadata> {
        Ok(self.find(house, issuer, |_| true).await?.metadata.clone())
    }

    /// Checks a token of an issuer: its signature, and then its claims.
    pub(crate) async fn verify(&self, house: &House, token: SignedToken, expected: &Expected<'_>) -> Result<Claims> {
        // An issuer that has changed its keys is asked again.
        let found = self.find(house, expected.issuer, |found| token.has_key(&found.keys)).await?;
        let invalid = |reason: &str| Error::Denied(format!("The identity token is not valid: {reason}"));
        let claims = token.verify(&found.keys).map_err(invalid)?;
        claims.check(expected).map_err(invalid)?;
        Ok(claims)
    }

    async fn find(&self, house: &House, issuer: &str, is_enough: impl Fn(&Found) -> bool) -> Result<Arc<Found>> {
        let state = self.state(issuer);
        // One request asks the issuer, and the others wait for it.
        let mut state = state.lock().await;
        let now = house.clock.now();
        let age = |at: Timestamp| now.millis() - at.millis();
        if let Some(found) = &state.found
            && age(found.at) < FRESH_MS
            && is_enough(found)
        {
            return Ok(found.clone());
        }
        if state.asked.is_none_or(|asked| age(asked) >= PAUSE_MS) {
            state.asked = Some(now);
            match self.fetch(house, issuer, now).await {
                Ok(found) => state.found = Some(Arc::new(found)),
                Err(problem) => tracing::warn!("fetching the keys of issuer `{issuer}` failed: {problem}"),
            }
        }
        let usable = state.found.as_ref().filter(|found| age(found.at) < STALE_MS);
        usable.cloned().ok_or_else(|| Error::ProviderUnavailable(format!("issuer `{issuer}` does not answer")))
    }

    fn state(&self, issuer: &str) -> Arc<AsyncMutex<State>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= ISSUERS && !known.contains_key(issuer) {
            known.clear();
        }
        known.entry(issuer.to_owned()).or_default().clone()
    }

    async fn fetch(&self, house: &House, issuer: &str, now: Timestamp) -> std::result::Result<Found, String> {
        let _permit = self.fetches.acquire().await.map_err(|error| error.to_string())?;
        let client = house.client_of(issuer);
        let at = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
        let metadata: Metadata = serde_json::from_slice(&get(client, &at).await?).map_err(|error| error.to_string())?;
        if metadata.issuer != issuer {
            return Err("it calls itself by another name".into());
        }
        // Keys over plain HTTP would be those of everyone on the way.
        if issuer.starts_with("https://") && !metadata.jwks_uri.starts_with("https://") {
            return Err("its keys are not at an https:// URL".into());
        }
        let keys = keys::parse(&get(client, &metadata.jwks_uri).await?).ok_or("its keys are unreadable")?;
        Ok(Found { metadata, keys, at: now })
    }
}

async fn get(client: &OutboundClient, url: &str) -> std::result::Result<Vec<u8>, String> {
    let url: Url = client.check(url)?;
    let reply = client.send(Request::new(Method::GET, url)).await.map_err(|problem| problem.to_string())?;
    if reply.status == 200 { Ok(reply.body.to_vec()) } else { Err(format!("it answers {}", reply.status)) }
}

impl House {
    /// The client for requests to an issuer: the operator's choice may be anywhere, others must be public.
    pub(crate) fn client_of(&self, issuer: &str) -> &OutboundClient {
        let is_chosen = self.policy.oidc.as_ref().is_some_and(|config| config.issuer == issuer);
        if is_chosen { &self.outgoing_to_provider } else { &self.outgoing }
    }
}
