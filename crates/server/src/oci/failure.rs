//! Refusals in the form of the distribution specification.

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use edge::Client;
use formats::oci::{
    OciPath,
    error::{OciError, OciErrorCode},
    token::{TokenScope, challenge},
};
use operations::Error;
use web::{App, error::Failure, refusal::refuse_download};

use super::{is_read, lower, value};

/// Why a call is refused.
#[derive(Debug)]
pub(super) enum Refused {
    /// By a rule of the specification.
    Oci(OciError),
    /// By a rule of the specification, with the range that the upload has.
    Range(OciError, String),
    /// By an operation.
    Operation(Error),
    /// By the parts of HTTP that all surfaces share.
    Failure(Failure),
    /// The token is good, but not for this.
    Scope,
}

impl From<OciError> for Refused {
    fn from(error: OciError) -> Self {
        Self::Oci(error)
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Operation(error)
    }
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl Refused {
    /// The response to a call of this path.
    pub(super) fn answer(self, app: &App, parts: &Parts, path: Option<&OciPath>) -> Response {
        let error = match self {
            Self::Oci(error) => error,
            Self::Range(error, range) => {
                let mut response = body(&error);
                response.headers_mut().insert(header::RANGE, value(&range));
                return response;
            }
            Self::Scope => OciError::new(OciErrorCode::Unauthorized, "the token is not for this image and action"),
            Self::Operation(Error::NotFound { .. }) if is_unknown_reader(parts, path) => {
                OciError::new(OciErrorCode::Unauthorized, "This resource requires authentication")
            }
            Self::Operation(error) => match of_operation(error, parts, path) {
                Ok(error) => error,
                Err(error) => return of_failure(refuse_download(app, error)),
            },
            Self::Failure(failure) if failure.status() == StatusCode::UNAUTHORIZED => {
                OciError::new(OciErrorCode::Unauthorized, failure.message())
            }
            Self::Failure(failure) => return of_failure(failure),
        };
        let mut response = body(&error);
        if error.code == OciErrorCode::Unauthorized {
            let is_refused = parts.headers.contains_key(header::AUTHORIZATION);
            let scope = path.and_then(OciPath::name).map(|name| scope(parts, name.clone()));
            let text = challenge(&realm(app, parts), scope.as_ref(), is_refused);
            if let Ok(text) = HeaderValue::try_from(text) {
                response.headers_mut().insert(header::WWW_AUTHENTICATE, text);
            }
        }
        response
    }
}

/// Whether a reader of content has shown no credentials and no token. Content that is missing for others may be there
/// for a publisher, and clients show who they are only after a challenge. With an anonymous token the answer is plain.
fn is_unknown_reader(parts: &Parts, path: Option<&OciPath>) -> bool {
    let is_content = matches!(path, Some(OciPath::Manifest(..) | OciPath::Blob(..)));
    is_content && is_read(&parts.method) && !parts.headers.contains_key(header::AUTHORIZATION)
}

/// The scope that a client needs for a call.
fn scope(parts: &Parts, name: formats::oci::ImageName) -> TokenScope {
    let delete = parts.method == axum::http::Method::DELETE;
    TokenScope { delete, ..TokenScope::new(name, !is_read(&parts.method)) }
}

/// The URL of this server, as the settings say it; else as the client has called it.
fn realm(app: &App, parts: &Parts) -> String {
    let settings = app.settings();
    let host = parts.headers.get(header::HOST).and_then(|host| host.to_str().ok());
    match host.filter(|_| settings.public_url.is_none()) {
        Some(host) => {
            let is_https = parts.extensions.get::<Client>().is_some_and(|client| client.is_https);
            format!("{}://{host}", if is_https { "https" } else { "http" })
        }
        None => settings.public_url(),
    }
}

/// What an operation's error is in the specification. Errors that are not in it come back.
fn of_operation(error: Error, parts: &Parts, path: Option<&OciPath>) -> Result<OciError, Error> {
    let message = error.to_string();
    let is_upload = matches!(path, Some(OciPath::Uploads(_) | OciPath::Upload(..)));
    let new = |code: OciErrorCode| Ok(OciError::new(code, message.as_str()));
    match &error {
        Error::NotFound { what: "Repository" | "Package", .. } => new(OciErrorCode::NameUnknown),
        Error::NotFound { what: "Upload", .. } => new(OciErrorCode::BlobUploadUnknown),
        Error::NotFound { .. } => match path {
            Some(OciPath::Manifest(_, reference)) => {
                Ok(OciError::new(OciErrorCode::ManifestUnknown, "the image has no such manifest")
                    .about(reference.as_str()))
            }
            Some(OciPath::Blob(_, digest)) => {
                Ok(OciError::new(OciErrorCode::BlobUnknown, "the image has no such blob").about(digest.as_str()))
            }
            _ => new(OciErrorCode::NameUnknown),
        },
        Error::Unauthenticated(_) => new(OciErrorCode::Unauthorized),
        Error::Denied(_) => new(OciErrorCode::Denied),
        Error::Unknown { name, .. } => {
            let message = format!("the manifest refers to {name}, which the image does not have; upload it first");
            Ok(OciError::new(OciErrorCode::ManifestBlobUnknown, message).about(name.as_str()))
        }
        Error::Invalid { .. } if is_upload => new(OciErrorCode::BlobUploadInvalid),
        Error::Invalid { field: "name", .. } => new(OciErrorCode::NameInvalid),
        Error::Invalid { .. } => new(OciErrorCode::ManifestInvalid),
        Error::Conflict(_) if parts.method == axum::http::Method::DELETE => new(OciErrorCode::Unsupported),
        Error::Conflict(_) => new(OciErrorCode::DigestInvalid),
        Error::TooLarge(_) => Ok(OciError::new(OciErrorCode::SizeInvalid, message.as_str()).with_status(413)),
        Error::LimitReached { .. } => new(OciErrorCode::TooManyRequests),
        _ => Err(error),
    }
}

fn body(error: &OciError) -> Response {
    let status = StatusCode::from_u16(error.status).unwrap_or(StatusCode::BAD_REQUEST);
    super::json(status, error.body())
}

/// A failure outside the specification, with its status and headers, in the specification's form.
fn of_failure(failure: Failure) -> Response {
    let code = if failure.status() == StatusCode::FORBIDDEN { "DENIED" } else { "UNKNOWN" };
    let errors = serde_json::json!([{ "code": code, "message": failure.message(), "detail": null }]);
    let text = serde_json::json!({ "errors": errors }).to_string();
    let mut response = failure.into_response();
    response.headers_mut().remove(header::CONTENT_LENGTH);
    response.headers_mut().insert(lower("content-type"), HeaderValue::from_static("application/json"));
    *response.body_mut() = Body::from(text);
    response
}
