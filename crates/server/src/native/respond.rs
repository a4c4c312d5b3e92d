//! Answers to native requests.

use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use model::address::RepoAddress;
use operations::{
    Error,
    format::{Native, NativeAnswer},
};
use web::{App, error::Result};

use crate::downloads::{filled, repo_path};

/// An answer as a response.
pub(super) fn respond(app: &App, at: &RepoAddress, native: &dyn Native, answer: &NativeAnswer) -> Result<Response> {
    let status = StatusCode::from_u16(answer.status);
    let status = status.map_err(|error| Error::Internal(error.to_string()))?;
    let text = filled(app, at, &answer.content).into_owned();
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(answer.media_type)),
        // It depends on the caller and on rows that may change at any time.
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    let mut response = (status, headers, text).into_response();
    for (name, value) in native.headers() {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    Ok(response)
}

/// The `Accept` headers, joined by commas.
pub(super) fn accept(headers: &HeaderMap) -> String {
    let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    values.collect::<Vec<_>>().join(",")
}

/// Redirects to a path below the repository, on the same host.
pub(super) fn redirect(at: &RepoAddress, path: &str) -> Result<Response> {
    let location = format!("/dl{}/{}", repo_path(at), path.trim_start_matches('/'));
    let location = HeaderValue::try_from(location).map_err(|error| Error::Internal(error.to_string()))?;
    Ok((StatusCode::MOVED_PERMANENTLY, [(header::LOCATION, location)]).into_response())
}
