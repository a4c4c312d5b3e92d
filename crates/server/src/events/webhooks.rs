//! Webhooks: registering, listing and testing them.

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode},
    response::{IntoResponse, Response},
};
use model::webhook::WebhookListItem;
use operations::{
    events::webhooks::{self, DeliveryAttempt, NewWebhook, Registration, WebhookQuota},
    run_to_end,
};
use web::{
    App,
    caller::{PresentedKey, SignedIn},
    error::{Failure, Result},
    json::JsonBody,
    path_names::PathNames,
};

const LIMIT: HeaderName = HeaderName::from_static("x-service-webhooklimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-service-webhooklimit-remaining");

pub(crate) async fn list_webhooks(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<Vec<api::Webhook>>> {
    let hooks = webhooks::list(app.house(), &caller, &path.subject("subject")?).await?;
    Ok(Json(hooks.into_iter().map(view).collect()))
}

pub(crate) async fn list_repo_webhooks(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<Vec<api::Webhook>>> {
    let hooks = webhooks::list_of_repo(app.house(), &caller, &path.repo_address()?).await?;
    Ok(Json(hooks.into_iter().map(view).collect()))
}

pub(crate) async fn register_webhook(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    PresentedKey(key): PresentedKey,
    path: PathNames,
    JsonBody(body): JsonBody<api::NewWebhook>,
) -> Result<Response> {
    let new = NewWebhook { url: body.url, method: body.method, events: body.events };
    let at = path.package_address()?;
    let (mut response, allowance) = match webhooks::register(app.house(), &caller, &key, &at, new).await? {
        Registration::Done { secret, allowance } => {
            let created = api::CreatedWebhook { message: "success".into(), secret: secret.to_string() };
            ((StatusCode::CREATED, Json(created)).into_response(), allowance)
        }
        Registration::Full(allowance) => {
            let message = format!("You have reached your limit of {} webhooks", allowance.limit);
            (Failure::new(StatusCode::FORBIDDEN, message).into_response(), allowance)
        }
    };
    set_quota_headers(response.headers_mut(), allowance);
    Ok(response)
}

/// Sends a test callback. Runs to the end even if the client disconnects, because the attempt has to be counted and
/// recorded.
pub(crate) async fn test_webhook(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    PresentedKey(key): PresentedKey,
    path: PathNames,
    JsonBody(body): JsonBody<api::WebhookTest>,
) -> Result<Json<api::WebhookOutcome>> {
    let at = path.version_address()?;
    let testing = async move { webhooks::test(app.house(), &caller, &key, &at, &body.url).await };
    let outcome = run_to_end(testing).await?;
    let message = outcome.error.as_ref().map_or("success".into(), |error| format!("The callback failed: {error}"));
    Ok(Json(api::WebhookOutcome {
        message,
        status: outcome.status,
        duration_ms: outcome.duration_ms,
        error: outcome.error,
    }))
}

pub(crate) async fn delete_webhooks(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    webhooks::delete(app.house(), &caller, &path.package_address()?).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn list_deliveries(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<Vec<api::Delivery>>> {
    let tried = webhooks::list_deliveries(app.house(), &caller, &path.package_address()?).await?;
    Ok(Json(tried.into_iter().map(delivery).collect()))
}

pub(crate) async fn replay_event(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    webhooks::replay(app.house(), &caller, &path.package_address()?, path.event()).await?;
    Ok(Json(api::Message::success()))
}

fn set_quota_headers(headers: &mut HeaderMap, quota: WebhookQuota) {
    headers.insert(LIMIT, HeaderValue::from(quota.limit));
    headers.insert(REMAINING, HeaderValue::from(quota.remaining));
}

fn view(hook: WebhookListItem) -> api::Webhook {
    api::Webhook {
        events: hook.event_names(),
        package: hook.package,
        url: hook.url,
        method: hook.method,
        failure_count: hook.failure_count.to_string(),
        active: hook.is_active,
    }
}

fn delivery(tried: DeliveryAttempt) -> api::Delivery {
    api::Delivery {
        id: tried.event,
        version: tried.version,
        status: tried.outcome.status,
        duration_ms: tried.outcome.duration_ms,
        error: tried.outcome.error,
        at: tried.at.to_string(),
        can_replay: tried.can_replay,
    }
}
