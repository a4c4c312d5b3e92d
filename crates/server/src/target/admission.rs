//! Checks on the head of a request, before anything else reads it.

use axum::http::{HeaderMap, Request, StatusCode, Uri, Version, header};
use model::target::Target;
use web::error::{Failure, Result};

/// Rejects heads that proxies and servers interpret differently, and parses the target.
pub(crate) fn admit<B>(request: &Request<B>) -> Result<Target> {
    check_host(request)?;
    let uri = request.uri();
    // The asterisk form and other paths without a leading slash name no resource.
    if !uri.path().starts_with('/') {
        return Err(Failure::bad_request("The request's path must begin with a slash"));
    }
    Ok(Target::parse(uri.path(), uri.query().unwrap_or_default())?)
}

/// The host that a request is for.
pub(crate) fn host<'r>(headers: &'r HeaderMap, uri: &'r Uri) -> Option<&'r str> {
    match headers.get(header::HOST) {
        Some(host) => host.to_str().ok(),
        None => uri.authority().map(|authority| authority.as_str()),
    }
}

/// Checks that a request names exactly one host, the same in the header and in the URI.
pub(crate) fn check_host<B>(request: &Request<B>) -> Result<()> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let (host, second) = (hosts.next(), hosts.next());
    if second.is_some() {
        return Err(Failure::bad_request("There are several Host headers"));
    }
    if host.is_none() && request.version() < Version::HTTP_2 {
        return Err(Failure::bad_request("The Host header is missing"));
    }
    if host.is_some_and(|host| !is_host(host.as_bytes())) {
        return Err(Failure::bad_request("The Host header is not a host"));
    }
    let authority = request.uri().authority().map(|authority| authority.as_str());
    match (authority, host) {
        (Some(authority), Some(host)) if !host.as_bytes().eq_ignore_ascii_case(authority.as_bytes()) => {
            Err(Failure::new(StatusCode::BAD_REQUEST, "The request names two different hosts"))
        }
        _ => Ok(()),
    }
}

/// Whether the text is a host name or an IP address, with an optional port.
fn is_host(text: &[u8]) -> bool {
    let port = text.iter().rposition(|byte| *byte == b':').filter(|_| !text.ends_with(b"]"));
    let (name, port) = text.split_at(port.unwrap_or(text.len()));
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._".contains(byte);
    let is_address = |byte: &u8| byte.is_ascii_hexdigit() || b":.".contains(byte);
    let is_named = match name {
        [b'[', address @ .., b']'] => !address.is_empty() && address.iter().all(is_address),
        name => !name.is_empty() && name.iter().all(is_name),
    };
    is_named && port.iter().skip(1).all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_names_or_addresses() {
        for good in ["a", "a.example.com:8080", "127.0.0.1", "[::1]", "[::1]:80", "a:"] {
            assert!(is_host(good.as_bytes()), "{good}");
        }
        for bad in ["", ":80", "a b", "a,b", "a/b", "a@b", "a:x", "[", "[]", "[::1", "h\u{f6}"] {
            assert!(!is_host(bad.as_bytes()), "{bad}");
        }
    }
}
