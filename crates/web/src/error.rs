//! Maps the causes of failures to responses with their statuses.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use model::target::InvalidTarget;
use operations::Error;

/// A response other than success.
#[derive(Debug)]
pub struct Failure {
    status: StatusCode,
    message: String,
    /// For the log; never sent to the caller.
    cause: Option<String>,
    /// Seconds after which the caller may retry.
    retry_after_secs: Option<u64>,
}

/// The message of a failure, for code that renders it in another form.
#[derive(Debug, Clone)]
pub struct ErrorMessage(pub String);

/// The result of a handler.
pub type Result<T> = std::result::Result<T, Failure>;

/// Seconds after which a caller may retry when a backend was unavailable.
const RETRY_AFTER_SECS: u64 = 2;

/// The same for a sign-in provider.
const PROVIDER_RETRY_AFTER_SECS: u64 = 15;

/// The same for content that the operator has to restore.
const DAMAGED_RETRY_AFTER_SECS: u64 = 300;

impl Failure {
    /// The same failure, with another name for what it is about.
    #[must_use]
    pub fn renamed(mut self, from: &str, to: &str) -> Self {
        self.message = self.message.replace(from, to);
        self
    }

    /// A failure with this status and message. The caller may retry soon if the service is unavailable.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        let retry_after_secs = (status == StatusCode::SERVICE_UNAVAILABLE).then_some(RETRY_AFTER_SECS);
        Self { status, message: message.into(), cause: None, retry_after_secs }
    }

    /// The response to a malformed request.
    pub fn bad_request(message: impl ToString) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message.to_string())
    }

    /// The response for a resource that does not exist.
    pub fn nothing() -> Self {
        Self::new(StatusCode::NOT_FOUND, "This URL does not exist")
    }

    /// The status of the response.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The message to the caller.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// The response to a body that failed to arrive because it was sent too slowly.
pub fn too_slow_answer(error: &(dyn std::error::Error + 'static)) -> Option<Failure> {
    let answer = || Failure::new(StatusCode::REQUEST_TIMEOUT, "The body came too slowly; send it again, faster");
    operations::is_late(error).then(answer)
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        let status = match error {
            Error::NotFound { .. } => StatusCode::NOT_FOUND,
            Error::Unauthenticated(_) => StatusCode::UNAUTHORIZED,
            Error::Denied(_) | Error::AgreementNeeded { .. } => StatusCode::FORBIDDEN,
            Error::Invalid { .. } | Error::Refused(_) | Error::Unknown { .. } => StatusCode::BAD_REQUEST,
            Error::Conflict(_) => StatusCode::CONFLICT,
            Error::TooSlow(_) => StatusCode::REQUEST_TIMEOUT,
            Error::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Error::QuotaReached(_) => StatusCode::INSUFFICIENT_STORAGE,
            Error::Full(cause) => return Self::hidden(StatusCode::INSUFFICIENT_STORAGE, FULL, cause),
            Error::LimitReached { retry_after_secs, .. } => {
                let failure = Self::new(StatusCode::TOO_MANY_REQUESTS, message);
                return Self { retry_after_secs: Some(retry_after_secs), ..failure };
            }
            Error::Unavailable(cause) => return Self::hidden(StatusCode::SERVICE_UNAVAILABLE, UNAVAILABLE, cause),
            Error::ProviderUnavailable(cause) => {
                let failure = Self::hidden(StatusCode::SERVICE_UNAVAILABLE, PROVIDER_UNAVAILABLE, cause);
                return Self { retry_after_secs: Some(PROVIDER_RETRY_AFTER_SECS), ..failure };
            }
            Error::Damaged(cause) => {
                let failure = Self::hidden(StatusCode::SERVICE_UNAVAILABLE, DAMAGED, cause);
                return Self { retry_after_secs: Some(DAMAGED_RETRY_AFTER_SECS), ..failure };
            }
            Error::Internal(cause) => return Self::hidden(StatusCode::INTERNAL_SERVER_ERROR, INTERNAL, cause),
        };
        Self::new(status, message)
    }
}

const UNAVAILABLE: &str = "The service is not available right now; please try again";
const PROVIDER_UNAVAILABLE: &str = "The provider of single sign-on, or the issuer of the identity token, does not answer. Try \
                                    again in a minute; API keys and tokens work as before";
const DAMAGED: &str = "The stored content of this file is damaged, so it is not sent. Try again later; an upload of the same \
                       file repairs it at once";
const FULL: &str = "Storage is full; ask the operator of this server to free space";
const INTERNAL: &str = "The server failed; its log has the details under the request id";

impl Failure {
    fn hidden(status: StatusCode, message: &str, cause: String) -> Self {
        Self { cause: Some(cause), ..Self::new(status, message) }
    }
}

impl From<InvalidTarget> for Failure {
    fn from(error: InvalidTarget) -> Self {
        match error {
            InvalidTarget::TooLong => Self::new(StatusCode::URI_TOO_LONG, error.to_string()),
            _ => Self::bad_request(error),
        }
    }
}

/// The challenge that asks for credentials. The edge replaces its realm with the operator's.
pub const CHALLENGE: &str = "Basic realm=\"packhouse\", charset=\"UTF-8\"";

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match &self.cause {
            Some(cause) if self.status == StatusCode::SERVICE_UNAVAILABLE => tracing::warn!("not available: {cause}"),
            Some(cause) => tracing::error!("internal error: {cause}"),
            None => {}
        }
        let told = ErrorMessage(self.message.clone());
        let mut response = (self.status, Json(api::Message { message: self.message })).into_response();
        response.extensions_mut().insert(told);
        let headers = response.headers_mut();
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(CHALLENGE));
        }
        if let Some(seconds) = self.retry_after_secs {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_came_too_slowly_is_408_however_deep_its_cause_lies() {
        let late = std::io::Error::new(std::io::ErrorKind::TimedOut, "it came too slowly");
        let error = axum::Error::new(axum::Error::new(late));
        assert_eq!(too_slow_answer(&error).map(|answer| answer.status()), Some(StatusCode::REQUEST_TIMEOUT));
        let broken = std::io::Error::from(std::io::ErrorKind::BrokenPipe);
        assert!(too_slow_answer(&axum::Error::new(broken)).is_none());
    }
}
