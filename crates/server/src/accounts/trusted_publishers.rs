//! Trusted publishers, and the exchange of identity tokens.

use axum::{
    Json,
    body::{Body, to_bytes},
    extract::State,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use model::{id::PublisherId, names::SubjectName, token::Resource, trusted_publisher::TrustedPublisher};
use operations::accounts::{
    tokens::TokenOwner,
    trusted_publishers::{self, MintedToken, NewPublisher},
};
use serde_json::json;
use web::{
    App,
    caller::{RequestCaller, SignedIn},
    error::{Failure, Result},
    json::JsonBody,
    path_names::PathNames,
};

/// The maximum size of an identity token in a body.
const BODY_BYTES: usize = 32 * 1024;

pub(crate) async fn list_publishers(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<Vec<api::TrustedPublisher>>> {
    let found = trusted_publishers::list(app.house(), &caller, &owner(&path)?).await?;
    Ok(Json(found.iter().map(view).collect()))
}

pub(crate) async fn create_publisher(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::NewTrustedPublisher>,
) -> Result<(StatusCode, Json<api::TrustedPublisher>)> {
    let new = NewPublisher {
        name: body.name,
        provider: body.provider,
        issuer: body.issuer,
        claims: body.claims.into_iter().collect(),
        resource: body.resource,
    };
    let made = trusted_publishers::create(app.house(), &caller, &owner(&path)?, &new).await?;
    Ok((StatusCode::CREATED, Json(view(&made))))
}

pub(crate) async fn delete_publisher(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    let id = PublisherId::parse(path.publisher()).unwrap_or(PublisherId::NONE);
    let text: String = path.publisher().chars().take(40).collect();
    let deleted = trusted_publishers::delete(app.house(), &caller, &owner(&path)?, id).await;
    deleted.map_err(|error| Failure::from(error).renamed(&PublisherId::NONE.name(), &text))?;
    Ok(Json(api::Message::success()))
}

/// Exchanges an identity token.
pub(crate) async fn mint_token(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    JsonBody(body): JsonBody<api::IdentityToken>,
) -> Result<Json<api::MintedToken>> {
    let of = body.owner.as_deref().map(SubjectName::parse).transpose().map_err(Failure::bad_request)?;
    let audience = app.settings().public_url();
    let made = trusted_publishers::mint(app.house(), &caller, &audience, &body.token, of.as_ref()).await?;
    Ok(Json(api::MintedToken {
        owner: made.owner.to_string(),
        token: made.secret.expose().to_owned(),
        resources: made.resources.iter().map(Resource::to_string).collect(),
        expiry: made.expiry.millis(),
    }))
}

/// The audience, as clients of the Python index ask for it.
pub(crate) async fn show_audience(State(app): State<App>) -> Json<api::Audience> {
    Json(api::Audience { audience: app.settings().public_url() })
}

/// Exchanges an identity token as clients of the Python index do.
pub(crate) async fn mint_for_pypi(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    body: Body,
) -> Response {
    match mint(&app, &caller, body).await {
        Ok(made) => {
            let expires = made.expiry.millis().div_euclid(1_000);
            let answer = json!({"success": true, "token": made.secret.expose(), "expires": expires});
            ([(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))], Json(answer)).into_response()
        }
        Err(failure) => refusal(failure),
    }
}

async fn mint(app: &App, caller: &operations::Caller, body: Body) -> Result<MintedToken> {
    let unreadable = |_| Failure::bad_request("The body is too large or broken");
    let bytes = to_bytes(body, BODY_BYTES).await.map_err(unreadable)?;
    let invalid = |_| Failure::bad_request("The body is not JSON with a token");
    let sent: api::IdentityToken = serde_json::from_slice(&bytes).map_err(invalid)?;
    let audience = app.settings().public_url();
    Ok(trusted_publishers::mint(app.house(), caller, &audience, &sent.token, None).await?)
}

/// A refusal in the form that these clients show.
fn refusal(failure: Failure) -> Response {
    let (status, message) = (failure.status(), failure.message().to_owned());
    let code = match status {
        StatusCode::FORBIDDEN => "invalid-publisher",
        StatusCode::BAD_REQUEST => "invalid-payload",
        _ => "unavailable",
    };
    let retry = failure.into_response().headers().get(header::RETRY_AFTER).cloned();
    let status = if status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        status
    };
    let errors = json!([{"code": code, "description": message}]);
    let mut response = (status, Json(json!({"message": message, "errors": errors}))).into_response();
    response.headers_mut().extend(retry.map(|value| (header::RETRY_AFTER, value)));
    response
}

fn owner(path: &PathNames) -> Result<TokenOwner> {
    let (kind, name) = path.account()?;
    Ok(TokenOwner { kind, name })
}

fn view(publisher: &TrustedPublisher) -> api::TrustedPublisher {
    api::TrustedPublisher {
        id: publisher.id.name(),
        name: publisher.name.clone(),
        provider: publisher.provider.as_str().to_owned(),
        issuer: publisher.issuer.clone(),
        claims: publisher.claims.iter().map(|one| (one.claim.clone(), one.pattern.clone())).collect(),
        resource: publisher.resource.to_string(),
        created: publisher.created.to_string(),
    }
}
