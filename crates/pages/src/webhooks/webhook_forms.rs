//! Registers, tests and deletes webhooks, and sends callbacks again.

use axum::response::Response;
use model::{
    address::{PackageAddress, VersionAddress},
    api_key::ApiKey,
    names::VersionName,
    webhook_event::WebhookEvent,
};
use operations::{
    Error,
    events::webhooks::{self, DeliveryOutcome, NewWebhook, Registration},
};
use tracing::Instrument;
use web::{
    App,
    error::{Failure, Result},
};

use super::webhook::{home, page};
use crate::{
    form::{Form, Submitted},
    notice::{self, Notice},
    visitor::Visitor,
};

/// Registers, tests or deletes webhooks, or sends a callback again, as the form says.
pub(super) async fn change(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = path.package_address()?;
    match act(&app, &visitor, &at, &form).await {
        Ok(Done::Changed(text)) => Ok(notice::redirect(&app, &visitor, &home(&at), Notice::success(text))),
        Ok(Done::Tried) => {
            page(
                &app,
                &visitor,
                &at,
                Some(Notice::success("The receiver has accepted the test callback.")),
                String::new(),
            )
            .await
        }
        Ok(Done::Registered(secret)) => {
            page(&app, &visitor, &at, Some(Notice::success("The webhook has been registered.")), secret).await
        }
        Err(failure) => page(&app, &visitor, &at, Some(form.refusal(failure)?), String::new()).await,
    }
}

/// The outcome of a form.
enum Done {
    /// A webhook was registered that signs with this secret.
    Registered(String),
    /// A receiver accepted a test callback.
    Tried,
    /// Another change, with the text of its notice.
    Changed(&'static str),
}

async fn act(app: &App, visitor: &Visitor, at: &PackageAddress, form: &Form) -> Result<Done> {
    let (house, caller) = (app.house(), &visitor.caller);
    match form.line("act")? {
        "register" => register(app, visitor, at, form).await.map(Done::Registered),
        "test" => test(app, visitor, at, form).await.map(|()| Done::Tried),
        "replay" => Ok(webhooks::replay(house, caller, at, form.line("event")?)
            .await
            .map(|()| Done::Changed("The callback will be sent again."))?),
        "delete" => Ok(webhooks::delete(house, caller, at)
            .await
            .map(|()| Done::Changed("All webhooks of the package have been deleted."))?),
        _ => Err(Failure::bad_request("The form names no action")),
    }
}

/// Registers a webhook. The server computes a header of its callbacks from the API key and does not store the key.
async fn register(app: &App, visitor: &Visitor, at: &PackageAddress, form: &Form) -> Result<String> {
    let (key, method) = (ApiKey::presented(form.trimmed("api_key")?), form.optional("method")?);
    let new = NewWebhook { url: form.trimmed("url")?.to_owned(), method, events: events(form) };
    match webhooks::register(app.house(), &visitor.caller, &key, at, new).await {
        Ok(Registration::Done { secret, .. }) => Ok(secret.to_string()),
        Ok(Registration::Full(allowance)) => {
            Err(Error::Denied(format!("You have reached your limit of {} webhooks", allowance.limit)).into())
        }
        Err(Error::Unauthenticated(_)) if visitor.caller.is_signed_in() => {
            Err(Error::Denied("The API key is not yours".into()).into())
        }
        Err(error) => Err(error.into()),
    }
}

/// The names of the checked events; `None` without any.
fn events(form: &Form) -> Option<Vec<String>> {
    let is_checked = |event: &WebhookEvent| form.is_checked(&format!("event_{}", event.as_str()));
    let events: Vec<String> =
        WebhookEvent::ALL.into_iter().filter(is_checked).map(|event| event.as_str().to_owned()).collect();
    Some(events).filter(|events| !events.is_empty())
}

/// Sends a test callback and waits for it. It continues when the visitor disconnects, so that it is counted.
async fn test(app: &App, visitor: &Visitor, at: &PackageAddress, form: &Form) -> Result<()> {
    let wrong = |error| Failure::bad_request(format!("version: {error}"));
    let version = VersionName::parse(form.trimmed("version")?).map_err(wrong)?;
    let at = VersionAddress { package: at.clone(), version };
    let (app, caller, url) = (app.clone(), visitor.caller.clone(), form.line("url")?.to_owned());
    let testing = async move { webhooks::test_registered(app.house(), &caller, &at, &url).await };
    let outcome: DeliveryOutcome =
        tokio::spawn(testing.in_current_span()).await.map_err(|error| Error::Internal(error.to_string()))??;
    match outcome.error {
        None => Ok(()),
        Some(error) => Err(Failure::bad_request(format!("The callback failed: {error}"))),
    }
}
