//! Headers that protect whoever reads an answer.

use axum::http::{HeaderMap, HeaderValue, header};

use super::Client;
use crate::settings::Settings;

/// Tells a browser that has come over TLS to use nothing else for a year.
pub(crate) fn insist_on_tls(settings: &Settings, client: &Client, headers: &mut HeaderMap) {
    if client.is_https && settings.insists_on_tls() {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
}

/// What every answer says, unless it has said something else.
pub(crate) fn add_security_headers(headers: &mut HeaderMap) {
    let page = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
    let defaults = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_SECURITY_POLICY, page),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in defaults {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}
