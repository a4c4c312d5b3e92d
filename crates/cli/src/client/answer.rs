//! Converts a response that is not a success to an error with a hint.

use std::{path::Path, time::Duration};

use reqwest::{Response, StatusCode, header};

use crate::error::{Error, ExitKind};

/// Converts an error response.
pub(super) async fn refusal(answer: Response, is_signed_in: bool) -> Error {
    let status = answer.status();
    let request_id = answer.headers().get("x-request-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
    let body = answer.bytes().await.unwrap_or_default();
    let parsed = message(&body);
    let is_ours = parsed.is_some();
    let message = parsed.unwrap_or_else(|| status.canonical_reason().unwrap_or("no reason given").to_owned());
    let error = Error::new(kind(status), format!("the server answered {}: {message}", status.as_u16()));
    if message.starts_with("gpg_sign_files: ") {
        return error.hint("`packhouse repo edit OWNER/REPO --sign-files` turns signing on");
    }
    if message.starts_with("This needs the plan ") {
        return error.hint("the operator of the server sets plans: `packhouse admin plan set OWNER PLAN`");
    }
    match hint(status, is_signed_in, is_ours, request_id) {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

/// The reason in a response of the API, or of the registry of images.
fn message(body: &[u8]) -> Option<String> {
    if let Ok(body) = serde_json::from_slice::<api::Message>(body) {
        return Some(body.message);
    }
    let body: serde_json::Value = serde_json::from_slice(body).ok()?;
    Some(body.pointer("/errors/0/message")?.as_str()?.to_owned())
}

fn kind(status: StatusCode) -> ExitKind {
    match status.as_u16() {
        401 => ExitKind::SignedOut,
        403 => ExitKind::Denied,
        404 => ExitKind::Missing,
        409 => ExitKind::Conflict,
        429 | 502..=504 => ExitKind::Busy,
        _ => ExitKind::Failed,
    }
}

fn hint(status: StatusCode, is_signed_in: bool, is_ours: bool, request_id: Option<String>) -> Option<String> {
    let hint = match status.as_u16() {
        401 if is_signed_in => {
            "run `packhouse login` to store another key; PACKHOUSE_USER and PACKHOUSE_API_KEY override it"
        }
        401 => "run `packhouse login`, or set PACKHOUSE_USER and PACKHOUSE_API_KEY",
        404 if !is_ours => "is this the URL of a packhouse server? run `packhouse doctor` to check",
        404 if !is_signed_in => "private content is visible only after you sign in: run `packhouse login`",
        404 => "check the name; what you may not read is not found either, and `packhouse whoami` shows who you are",
        403 if is_ours => "`packhouse whoami` shows who you are; owners and administrators can give you the right",
        413 if !is_ours => "something in front of the server limits uploads; run `packhouse doctor` to see what to set",
        500 => return request_id.map(|id| format!("the request id is {id}")),
        _ => return None,
    };
    Some(hint.to_owned())
}

/// Returns how long to wait before a retry; `None` if waiting does not help.
pub(super) fn asks_to_wait(answer: &Response, attempt: u32) -> Option<Duration> {
    if !matches!(answer.status().as_u16(), 429 | 502..=504) {
        return None;
    }
    let retry_after = answer.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
    Some(retry_after.map_or_else(|| Duration::from_millis(250 << attempt), Duration::from_secs))
}

/// A local file that cannot be read during its upload. A retry does not help.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Unreadable(String);

impl Unreadable {
    pub(crate) fn new(path: &Path, cause: &std::io::Error) -> Self {
        Self(format!("{}: {cause}", path.display()))
    }
}

/// What the TLS library says about bytes of a server without TLS.
const NO_TLS: &str = "InvalidContentType";

/// Converts a failure without any response.
pub(super) fn unreachable(url: &str, error: &reqwest::Error) -> Error {
    let causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
    if let Some(unreadable) = causes.clone().find_map(|cause| cause.downcast_ref::<Unreadable>()) {
        return Error::new(ExitKind::Failed, unreadable.to_string());
    }
    if error.is_timeout() && !error.is_connect() {
        let late = Error::new(ExitKind::Unreachable, format!("{url} did not answer in time"));
        return late.hint("--timeout waits longer; the server may still be at it, as with large deletions");
    }
    let cause = causes.last().map_or_else(|| error.to_string(), ToString::to_string);
    if cause.contains(NO_TLS) {
        let plain = Error::new(ExitKind::Unreachable, format!("{url} answers without TLS"));
        return plain.hint(format!("if that is right, try --url {}", url.replacen("https://", "http://", 1)));
    }
    let error = Error::new(ExitKind::Unreachable, format!("{url} does not answer: {cause}"));
    error.hint("is the URL right? set it with --url or PACKHOUSE_URL; run `packhouse doctor` to check")
}

/// A response that does not come from packhouse.
pub(super) fn not_ours(url: &str) -> Error {
    let error = Error::new(ExitKind::Failed, format!("{url} does not answer like a packhouse server"));
    error.hint("is the URL right? set it with --url or PACKHOUSE_URL; run `packhouse doctor` to check")
}
