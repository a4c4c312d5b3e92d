//! Formats a response as text that people can compare.

use std::io::Read as _;

use flate2::read::MultiGzDecoder;
use suite::Answer;

use super::{json, mask::Mask};

/// Headers that many responses share: described once, and omitted from responses that have all of them.
const SETS: [(&str, &[(&str, &str)]); 5] = [
    ("the headers of a public object", &PUBLIC_OBJECT),
    ("the headers of an object", &OBJECT),
    ("the headers of a call", &CALL),
    ("the headers of a page", &PAGE),
    ("the headers of a redirect", &REDIRECT),
];

const PUBLIC_OBJECT: [(&str, &str); 10] = [
    ("cache-control", "public, no-cache"),
    CALL[1],
    CALL[2],
    CALL[3],
    CALL[4],
    ("etag", "\"(64 digits)\""),
    CALL[5],
    ("vary", "authorization"),
    CALL[6],
    CALL[7],
];

const OBJECT: [(&str, &str); 10] =
    [CALL[0], CALL[1], CALL[2], CALL[3], CALL[4], PUBLIC_OBJECT[5], CALL[5], PUBLIC_OBJECT[7], CALL[6], CALL[7]];

const CALL: [(&str, &str); 8] = [
    ("cache-control", "no-store"),
    ("content-length", LENGTH),
    (
        "content-security-policy",
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    ("content-type", "application/json"),
    ("date", NOW),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
    ("x-request-id", "(16 digits)"),
];

const PAGE: [(&str, &str); 9] = [
    ("cache-control", "no-store"),
    ("content-length", LENGTH),
    (
        "content-security-policy",
        "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'nonce-(64 digits)'; connect-src 'self'; \
         font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    ("content-type", "text/html; charset=utf-8"),
    ("date", NOW),
    ("referrer-policy", "same-origin"),
    ("vary", "accept, authorization, cookie"),
    ("x-content-type-options", "nosniff"),
    ("x-request-id", "(16 digits)"),
];

const REDIRECT: [(&str, &str); 7] = [CALL[0], CALL[1], CALL[2], CALL[4], CALL[5], CALL[6], CALL[7]];

const LENGTH: &str = "(of the body)";
const NOW: &str = "(now)";

/// Describes the sets of headers.
pub(super) fn sets() -> String {
    let line = |(name, value): &(&str, &str)| format!("    {name}: {value}\n");
    SETS.iter().map(|(name, set)| format!("{name}:\n{}", set.iter().map(line).collect::<String>())).collect()
}

/// Returns the status, the headers sorted by name, and the body.
pub(super) fn shown(answer: &Answer, mask: &Mask) -> String {
    let mut lines = answer.status.to_string();
    let mut headers = headers(answer, mask);
    let has =
        |set: &[(&str, &str)]| set.iter().all(|pair| headers.iter().any(|(name, value)| (&**name, &**value) == *pair));
    if let Some((called, set)) = SETS.into_iter().find(|(_, set)| has(set)) {
        lines.push_str(&format!(", {called}"));
        headers.retain(|(name, _)| !set.iter().any(|(known, _)| known == name));
    }
    for (name, value) in headers {
        lines.push_str(&format!("\n{name}: {value}"));
    }
    let body = body(answer, mask);
    if !body.is_empty() {
        lines.push_str(&format!("\n\n{body}"));
    }
    lines
}

fn headers(answer: &Answer, mask: &Mask) -> Vec<(String, String)> {
    let value = |name: &str, value: &str| match name {
        "date" => NOW.to_owned(),
        "content-length" if value == answer.body.len().to_string() => LENGTH.to_owned(),
        "x-ratelimit-remaining" => "(some)".to_owned(),
        _ => mask.apply(value),
    };
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let pairs = answer.headers.iter().map(|(name, is)| (name.to_string(), value(name.as_str(), &lossy(is.as_bytes()))));
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort();
    pairs
}

fn body(answer: &Answer, mask: &Mask) -> String {
    match answer.header("content-type") {
        "application/json" if is_json(answer) => json::in_lines(&mask.apply(&answer.text())),
        "application/gzip" => mask.apply(&unpacked(answer)),
        _ if std::str::from_utf8(&answer.body).is_err() => format!("({} bytes)", answer.body.len()),
        _ => mask.apply(&answer.text()).replace('\r', "(CR)"),
    }
}

/// Returns whether the body is one JSON value: a stream has a JSON content type, but many lines.
fn is_json(answer: &Answer) -> bool {
    serde_json::from_slice::<serde_json::Value>(&answer.body).is_ok()
}

fn unpacked(answer: &Answer) -> String {
    let mut text = String::new();
    MultiGzDecoder::new(&answer.body[..]).read_to_string(&mut text).expect("gzip");
    text
}
