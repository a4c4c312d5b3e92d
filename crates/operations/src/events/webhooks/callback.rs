//! One request to a receiver.

use std::time::Duration;

use model::{webhook::Method, webhook_event::WebhookEvent};
use reqwest::{
    Request, Url,
    header::{CONTENT_TYPE, HeaderName, HeaderValue},
};
use tokio::time::Instant;

use crate::{
    House, Result,
    events::webhooks::{mac, outcome::DeliveryOutcome, payload::Payload},
};

/// The time limit for a receiver's answer.
const TIMEOUT: Duration = Duration::from_secs(10);

const MAC: HeaderName = HeaderName::from_static("x-service-webhook-hmac");
/// The header that receivers written for the first version of the API look for.
const OLD_MAC: HeaderName = HeaderName::from_static("x-bintray-webhook-hmac");
/// The name of the event. Releases do not have it: their callbacks are those of the contract. It has no old name,
/// because no receiver was written for one.
const EVENT: HeaderName = HeaderName::from_static("x-service-webhook-event");
const ID: HeaderName = HeaderName::from_static("webhook-id");
const TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

/// A callback: its destination, its payload and its signatures.
pub(super) struct Callback<'c> {
    pub(super) url: Url,
    pub(super) method: Method,
    /// The id of the delivery.
    pub(super) id: i64,
    pub(super) event: WebhookEvent,
    pub(super) payload: &'c Payload,
    /// The header computed from the user's API key.
    pub(super) mac: &'c str,
    /// The webhook's own secret; a URL that is not a webhook has none.
    pub(super) secret: Option<&'c [u8]>,
}

/// Formats the id of a delivery, for receivers and for lists of deliveries.
pub(super) fn name(id: i64) -> String {
    format!("msg_{id:016x}")
}

/// Parses the id of a delivery.
pub(super) fn parse(name: &str) -> Option<i64> {
    let id = i64::from_str_radix(name.strip_prefix("msg_")?, 16).ok()?;
    Some(id).filter(|id| self::name(*id) == name)
}

/// Sends a callback. Anything but a 2xx in time is a failure, including a redirect.
pub(super) async fn send(house: &House, callback: Callback<'_>) -> Result<DeliveryOutcome> {
    let request = request(house, callback)?;
    let began = Instant::now();
    let answer = house.outgoing.send(request).await;
    let duration_ms = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX);
    let (status, error) = match answer {
        Ok(reply) if (200..300).contains(&reply.status) => (Some(reply.status), None),
        Ok(reply) => (Some(reply.status), Some(format!("the receiver answered with {}", reply.status))),
        Err(problem) => (None, Some(problem.to_string())),
    };
    Ok(DeliveryOutcome { status, duration_ms, error })
}

fn request(house: &House, callback: Callback<'_>) -> Result<Request> {
    let Callback { url, method, id, event, payload, mac, secret } = callback;
    let (mut request, body) = match method {
        Method::Get => (Request::new(reqwest::Method::GET, payload.in_query(&url)), String::new()),
        Method::Post => (Request::new(reqwest::Method::POST, url), payload.to_text()?),
        Method::Put => (Request::new(reqwest::Method::PUT, url), payload.to_text()?),
    };
    let (id, seconds) = (name(id), house.clock.now().millis().div_euclid(1_000));
    let headers = request.headers_mut();
    headers.insert(MAC, secret_value(mac));
    if house.policy.tells_old_names {
        headers.insert(OLD_MAC, secret_value(mac));
    }
    if event != WebhookEvent::Release {
        headers.insert(EVENT, HeaderValue::from_static(event.as_str()));
    }
    if let Some(secret) = secret {
        headers.insert(SIGNATURE, secret_value(&mac::signature(secret, &id, seconds, &body)));
    }
    headers.insert(ID, HeaderValue::from_str(&id).expect("letters and digits are a header"));
    headers.insert(TIMESTAMP, HeaderValue::from(seconds));
    if method != Method::Get {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        *request.body_mut() = Some(body.into());
    }
    *request.timeout_mut() = Some(TIMEOUT);
    Ok(request)
}

fn secret_value(text: &str) -> HeaderValue {
    let mut value = HeaderValue::from_str(text).expect("base64 is a header");
    value.set_sensitive(true);
    value
}
