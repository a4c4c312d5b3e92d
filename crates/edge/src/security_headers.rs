//! Security headers of responses.

use http::{HeaderMap, HeaderValue, header};

/// Adds the header that tells browsers to use only TLS for a year.
pub fn add_hsts(headers: &mut HeaderMap) {
    headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
}

/// Adds the headers that every response has. Headers that the response sets itself stay unchanged.
pub fn add_security_headers(headers: &mut HeaderMap) {
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
