//! Failures in the form that a client shows to its user.

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use edge::ReasonPhrase;
use operations::format::{Dialect, Refusal};
use serde_json::{Value, json};
use web::error::{ErrorMessage, Failure};

/// The longest text that is also the reason phrase of a response.
const REASON_BYTES: usize = 400;

/// The response to a request that a format refuses.
pub(super) fn refused(refusal: Refusal) -> Failure {
    match refusal {
        Refusal::Invalid(reason) => Failure::bad_request(reason),
        Refusal::Forbidden(reason) => Failure::new(StatusCode::FORBIDDEN, reason),
        Refusal::NotFound => Failure::nothing(),
        Refusal::Conflict(reason) => Failure::new(StatusCode::CONFLICT, reason),
    }
}

/// The same failure in this form. Other responses stay as they are.
pub(super) fn translate(dialect: Dialect, mut response: Response) -> Response {
    let Some(ErrorMessage(message)) = response.extensions().get::<ErrorMessage>().cloned() else { return response };
    let (media_type, text) = match body(dialect, response.status(), &message) {
        Some(document) => ("application/json", document.to_string()),
        None => ("text/plain; charset=utf-8", line(&message)),
    };
    if dialect == Dialect::Line
        && let Some(reason) = reason(&text)
    {
        response.extensions_mut().insert(reason);
    }
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    response.headers_mut().remove(header::CONTENT_LENGTH);
    *response.body_mut() = Body::from(text);
    response
}

/// The document of a failure; `None` if it is a line of text.
fn body(dialect: Dialect, status: StatusCode, message: &str) -> Option<Value> {
    match dialect {
        Dialect::Message => Some(json!({ "message": message })),
        Dialect::Npm => Some(json!({ "error": message, "reason": message })),
        Dialect::Cargo => Some(json!({ "errors": [{ "detail": message }] })),
        Dialect::Oci => {
            Some(json!({ "errors": [{ "code": oci_code(status), "message": message, "detail": Value::Null }] }))
        }
        Dialect::Error => Some(json!({ "error": message })),
        Dialect::Warning => Some(json!({ "message": message, "warning": message })),
        Dialect::Line => None,
    }
}

fn oci_code(status: StatusCode) -> &'static str {
    match status {
        StatusCode::UNAUTHORIZED => "UNAUTHORIZED",
        StatusCode::FORBIDDEN => "DENIED",
        StatusCode::NOT_FOUND => "NAME_UNKNOWN",
        StatusCode::PAYLOAD_TOO_LARGE => "SIZE_INVALID",
        StatusCode::TOO_MANY_REQUESTS => "TOOMANYREQUESTS",
        _ => "UNSUPPORTED",
    }
}

/// The message on one line.
fn line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The reason phrase with this text, if it is short and plain.
fn reason(text: &str) -> Option<ReasonPhrase> {
    let is_plain = text.len() <= REASON_BYTES && text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
    ReasonPhrase::try_from(text.as_bytes()).ok().filter(|_| is_plain && !text.is_empty())
}

#[cfg(test)]
mod tests {
    use axum::{body::to_bytes, response::IntoResponse};
    use futures_util::FutureExt;

    use super::*;

    fn translated(dialect: Dialect, failure: Failure) -> (Response, String) {
        let response = translate(dialect, failure.into_response());
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, 10_000).now_or_never().expect("at hand").expect("bytes");
        (Response::from_parts(parts, Body::empty()), String::from_utf8(bytes.to_vec()).expect("text"))
    }

    #[test]
    fn every_dialect_has_its_form() {
        let text = |dialect| translated(dialect, Failure::new(StatusCode::FORBIDDEN, "no \"way\"")).1;
        assert_eq!(text(Dialect::Message), r#"{"message":"no \"way\""}"#);
        assert_eq!(text(Dialect::Npm), r#"{"error":"no \"way\"","reason":"no \"way\""}"#);
        assert_eq!(text(Dialect::Cargo), r#"{"errors":[{"detail":"no \"way\""}]}"#);
        assert_eq!(text(Dialect::Error), r#"{"error":"no \"way\""}"#);
        assert_eq!(text(Dialect::Warning), r#"{"message":"no \"way\"","warning":"no \"way\""}"#);
        assert_eq!(text(Dialect::Line), "no \"way\"");
        let oci: Value = serde_json::from_str(&text(Dialect::Oci)).expect("JSON");
        assert_eq!(oci["errors"][0], json!({ "code": "DENIED", "message": "no \"way\"", "detail": null }));
    }

    #[test]
    fn a_line_is_one_line_and_the_reason_if_it_is_plain() {
        let (response, text) = translated(Dialect::Line, Failure::bad_request("two\r\n lines"));
        assert_eq!(text, "two lines");
        let reason =
            |response: &Response| response.extensions().get::<ReasonPhrase>().map(|reason| reason.as_bytes().to_vec());
        assert_eq!(reason(&response), Some(b"two lines".to_vec()));
        let (response, text) = translated(Dialect::Line, Failure::bad_request("gr\u{fc}n"));
        assert_eq!((text.as_str(), reason(&response)), ("gr\u{fc}n", None));
        assert_eq!(reason(&translated(Dialect::Npm, Failure::bad_request("x")).0), None);
    }

    #[test]
    fn headers_of_a_failure_stay() {
        let (response, _) = translated(Dialect::Npm, Failure::new(StatusCode::UNAUTHORIZED, "who?"));
        assert!(response.headers()[header::WWW_AUTHENTICATE].to_str().expect("text").starts_with("Basic"));
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/json");
        let (response, _) = translated(Dialect::Cargo, Failure::new(StatusCode::SERVICE_UNAVAILABLE, "later"));
        assert!(response.headers().contains_key(header::RETRY_AFTER));
    }

    #[test]
    fn what_is_no_failure_stays() {
        let response = translate(Dialect::Npm, "fine".into_response());
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/plain; charset=utf-8");
    }
}
