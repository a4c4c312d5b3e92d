//! Files that programs look for on every site: `robots.txt`, `favicon.ico` and `security.txt`.

use axum::{
    Router,
    extract::State,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use model::timestamp::Timestamp;
use web::{
    App,
    boxed::get,
    error::{Failure, Result},
};

/// Search engines may read pages about packages, and neither calls nor content nor forms.
const ROBOTS: &str =
    "User-agent: *\nDisallow: /api/\nDisallow: /dl/\nDisallow: /v2/\nDisallow: /-/\nAllow: /-/explore\n";

const TEXT: &str = "text/plain; charset=utf-8";

/// How long `security.txt` is valid, in days. Readers ignore one that has expired.
const VALID_DAYS: i64 = 180;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The routes of these files.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/robots.txt", get(robots))
        .route("/favicon.ico", get(favicon))
        .route("/.well-known/security.txt", get(security))
}

async fn robots() -> Response {
    file(TEXT, ROBOTS)
}

async fn favicon() -> Response {
    file("image/x-icon", &include_bytes!("../assets/favicon.ico")[..])
}

async fn security(State(app): State<App>) -> Result<Response> {
    let settings = app.settings();
    let contact = settings.security_contact.as_ref().ok_or_else(Failure::nothing)?;
    let expires = expiry(app.house().clock.now());
    let own = format!("{}/.well-known/security.txt", settings.public_url());
    Ok(file(TEXT, format!("Contact: {contact}\nExpires: {expires}\nCanonical: {own}\n")))
}

/// The end of the day until which the file is valid, the same for all requests of a day.
fn expiry(now: Timestamp) -> Timestamp {
    Timestamp::from_millis((now.millis().div_euclid(DAY_MS) + VALID_DAYS) * DAY_MS)
}

fn file(media_type: &'static str, content: impl IntoResponse) -> Response {
    let mut response = content.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400"));
    response
}
