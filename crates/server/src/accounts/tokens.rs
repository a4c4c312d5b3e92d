//! Tokens of users and organizations.

use axum::{Json, extract::State, http::StatusCode};
use ipnet::IpNet;
use model::{
    access::Scope,
    api_key::ApiKey,
    id::TokenId,
    timestamp::Timestamp,
    token::{Resource, Token, TokenTerms},
};
use operations::accounts::tokens::{self, TokenChange, TokenOwner};
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    json::{JsonBody, OptionalJsonBody},
    path_names::PathNames,
};

pub(crate) async fn list_tokens(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<Vec<api::ListedToken>>> {
    let tokens = tokens::list(app.house(), &caller, &owner(&path)?).await?;
    Ok(Json(tokens.iter().map(listed).collect()))
}

pub(crate) async fn create_token(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::NewToken>,
) -> Result<(StatusCode, Json<api::CreatedToken>)> {
    let change = TokenChange {
        name: Some(body.name),
        scopes: Some(body.scopes),
        resources: Some(body.resources),
        expiry: Some(body.expiry),
        cidrs: body.cidrs,
    };
    let (token, secret) = tokens::create(app.house(), &caller, &owner(&path)?, &change).await?;
    Ok((StatusCode::CREATED, Json(created(&token, &secret))))
}

pub(crate) async fn edit_token(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::TokenChange>,
) -> Result<Json<api::Message>> {
    let change = TokenChange {
        name: body.name,
        scopes: body.scopes,
        resources: body.resources,
        expiry: body.expiry,
        cidrs: body.cidrs.map(Option::unwrap_or_default),
    };
    tokens::edit(app.house(), &caller, &owner(&path)?, id(&path), &change).await.map_err(named(&path))?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn rotate_token(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    OptionalJsonBody(body): OptionalJsonBody<api::TokenRotation>,
) -> Result<(StatusCode, Json<api::CreatedToken>)> {
    let overlap_secs = body.overlap_secs.unwrap_or_default();
    let (token, secret) =
        tokens::rotate(app.house(), &caller, &owner(&path)?, id(&path), overlap_secs).await.map_err(named(&path))?;
    Ok((StatusCode::CREATED, Json(created(&token, &secret))))
}

pub(crate) async fn revoke_token(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    tokens::revoke(app.house(), &caller, &owner(&path)?, id(&path)).await.map_err(named(&path))?;
    Ok(Json(api::Message::success()))
}

/// Shows the credentials of the caller.
pub(crate) async fn show_token(SignedIn(caller): SignedIn) -> Result<Json<api::PresentedToken>> {
    let Some(user) = caller.user() else {
        return Err(Failure::new(StatusCode::FORBIDDEN, "An access key is not a token of an account"));
    };
    let subject = user.name.to_string();
    let terms = user.token.as_ref().map(|token| &token.terms);
    Ok(Json(api::PresentedToken {
        subject,
        id: user.token.as_ref().map(|token| token.id.name()),
        name: terms.map(|terms| terms.name.clone()),
        scopes: terms.map_or_else(|| vec![Scope::Admin.as_str().to_owned()], scopes),
        resources: terms.and_then(resources),
        expiry: terms.and_then(|terms| terms.expiry).map(Timestamp::millis),
    }))
}

fn owner(path: &PathNames) -> Result<TokenOwner> {
    let (kind, name) = path.account()?;
    Ok(TokenOwner { kind, name })
}

/// The id in the path. No token has the one that stands for every other text, so rights are checked first.
fn id(path: &PathNames) -> TokenId {
    TokenId::parse(path.token()).unwrap_or(TokenId::NONE)
}

/// The failure of a call, with the id as the caller has written it.
fn named(path: &PathNames) -> impl FnOnce(operations::Error) -> Failure {
    let text: String = path.token().chars().take(40).collect();
    move |error| Failure::from(error).renamed(&TokenId::NONE.name(), &text)
}

fn created(token: &Token, secret: &ApiKey) -> api::CreatedToken {
    api::CreatedToken { details: view(token), token: secret.expose().to_owned() }
}

fn listed(token: &Token) -> api::ListedToken {
    let last = token.last_use.as_ref();
    api::ListedToken {
        token: view(token),
        last_used: last.map(|last| last.at.to_string()),
        last_used_from: last.map(|last| last.address.clone()),
        last_used_by: last.and_then(|last| last.agent.clone()),
    }
}

fn view(token: &Token) -> api::Token {
    api::Token {
        id: token.id.name(),
        name: token.terms.name.clone(),
        scopes: scopes(&token.terms),
        resources: resources(&token.terms),
        expiry: token.terms.expiry.map(Timestamp::millis),
        cidrs: token.terms.cidrs.iter().map(IpNet::to_string).collect(),
        created: token.created.to_string(),
    }
}

fn scopes(terms: &TokenTerms) -> Vec<String> {
    terms.scopes.iter().map(|scope| scope.as_str().to_owned()).collect()
}

fn resources(terms: &TokenTerms) -> Option<Vec<String>> {
    terms.resources.as_ref().map(|all| all.iter().map(Resource::to_string).collect())
}
