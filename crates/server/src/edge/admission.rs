//! What a request's head must be before anything else looks at it.

use axum::http::{Request, StatusCode, Version, header};
use model::target::Target;

use crate::error::{Failure, Result};

/// Refuses heads that proxies and servers read differently, and parses the target.
pub(crate) fn admit<B>(request: &Request<B>) -> Result<Target> {
    check_host(request)?;
    let uri = request.uri();
    // The asterisk form and other paths without a leading slash name nothing here.
    if !uri.path().starts_with('/') {
        return Err(Failure::bad_request("The request's path must begin with a slash"));
    }
    Ok(Target::parse(uri.path(), uri.query().unwrap_or_default())?)
}

/// One host, and the same one wherever it stands.
fn check_host<B>(request: &Request<B>) -> Result<()> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let (host, second) = (hosts.next(), hosts.next());
    if second.is_some() {
        return Err(Failure::bad_request("There are several Host headers"));
    }
    if host.is_none() && request.version() < Version::HTTP_2 {
        return Err(Failure::bad_request("The Host header is missing"));
    }
    let authority = request.uri().authority().map(|authority| authority.as_str());
    match (authority, host) {
        (Some(authority), Some(host)) if !host.as_bytes().eq_ignore_ascii_case(authority.as_bytes()) => {
            Err(Failure::new(StatusCode::BAD_REQUEST, "The request names two different hosts"))
        }
        _ => Ok(()),
    }
}
