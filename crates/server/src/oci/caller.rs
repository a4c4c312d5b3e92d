//! Who calls: with a token, with Basic credentials, or with neither.

use axum::{
    extract::FromRequestParts,
    http::{Method, StatusCode, header, request::Parts},
};
use edge::{Client, RequestId};
use formats::oci::{ImageName, token::TokenScope};
use model::{api_key::ApiKey, timestamp::Timestamp};
use operations::{
    Caller, Via,
    access::key_tokens::{self, TokenUse},
    cache::current_epoch,
};
use web::{
    App,
    caller::{RequestCaller, RequestEpoch, agent, call_scope, sign_in},
    error::Failure,
};

use super::{Result, failure::Refused, is_read};

/// The caller of a call of the registry.
pub(super) struct Identified {
    pub(super) caller: Caller,
    /// Until when the token is good, if there is one.
    pub(super) until: Option<Timestamp>,
    /// What the token is for at most, if there is one.
    scopes: Option<Vec<TokenScope>>,
    /// Whether the caller has shown a token or credentials.
    pub(super) is_shown: bool,
}

/// What a call wants to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ImageAction {
    Pull,
    Push,
    Delete,
}

impl ImageAction {
    pub(super) fn by(method: &Method) -> Self {
        match method {
            method if is_read(method) => Self::Pull,
            &Method::DELETE => Self::Delete,
            _ => Self::Push,
        }
    }
}

impl Identified {
    /// Identifies the caller. Wrong credentials end the request here.
    pub(super) async fn of(app: &App, parts: &mut Parts) -> Result<Self> {
        let mut values = parts.headers.get_all(header::AUTHORIZATION).iter();
        let (value, second) = (values.next(), values.next());
        let text = value.filter(|_| second.is_none()).and_then(|value| value.to_str().ok());
        let bearer = text.and_then(|text| text.split_once(' ')).filter(|(kind, _)| kind.eq_ignore_ascii_case("bearer"));
        // A token of an account and an API key are credentials themselves.
        let bearer = bearer.filter(|(_, token)| !ApiKey::presented(token.trim()).is_well_formed());
        let Some(token) = bearer.map(|(_, token)| token.trim().to_owned()) else {
            let is_shown = value.is_some();
            let RequestCaller(caller) = RequestCaller::from_request_parts(parts, app).await?;
            return Ok(Self { caller, until: None, scopes: None, is_shown });
        };
        Self::of_token(app, parts, &token).await
    }

    async fn of_token(app: &App, parts: &mut Parts, token: &str) -> Result<Self> {
        parts.extensions.insert(RequestEpoch(current_epoch(app.house())));
        let client = parts.extensions.get::<Client>().cloned().unwrap_or_default();
        if !client.may_send_secrets {
            let reason = "Credentials are accepted over HTTPS only; this connection is not encrypted";
            return Err(Failure::new(StatusCode::FORBIDDEN, reason).into());
        }
        let opened =
            key_tokens::open(app.house(), client.address, TokenUse::Registry, token, call_scope(parts)).await?;
        let request_id = parts.extensions.get::<RequestId>().map(RequestId::to_string).unwrap_or_default();
        let via = Via::Network { address: client.address, country: client.country };
        let caller = Caller { principal: opened.principal, via, agent: agent(&parts.headers), request_id };
        if caller.is_signed_in() {
            sign_in(parts);
        }
        let scopes = opened.scopes.iter().filter_map(|scope| TokenScope::parse(scope)).collect();
        Ok(Self { caller, until: Some(opened.until), scopes: Some(scopes), is_shown: true })
    }

    /// Refuses what the token is not for.
    pub(super) fn check_scope(&self, name: &ImageName, wanted: ImageAction) -> Result<()> {
        if self.is_for(name, wanted) { Ok(()) } else { Err(Refused::Scope) }
    }

    /// Whether the token is for this; credentials are for everything.
    pub(super) fn is_for(&self, name: &ImageName, wanted: ImageAction) -> bool {
        let Some(scopes) = &self.scopes else { return true };
        scopes.iter().filter(|scope| scope.name == *name).any(|scope| match wanted {
            ImageAction::Pull => scope.pull || scope.push,
            ImageAction::Push => scope.push,
            ImageAction::Delete => scope.delete || scope.push,
        })
    }
}
