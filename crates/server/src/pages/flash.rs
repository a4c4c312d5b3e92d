//! What the next page says about what was just done: a cookie that one page reads, and takes away.

use axum::{
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Redirect, Response},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};

use crate::App;

/// The most characters of the text, and the most bytes of the cookie that they make.
const TEXT_CHARS: usize = 240;
const COOKIE_BYTES: usize = 4 * TEXT_CHARS * 4 / 3 + 4;

/// Long enough for a browser to follow where it is sent.
const SECS: u64 = 60;

/// Sends the visitor on to a page of this site, which says this.
pub(super) fn go(app: &App, to: &str, text: &str) -> Response {
    let text: String = text.chars().take(TEXT_CHARS).collect();
    let value = BASE64_URL_SAFE_NO_PAD.encode(text);
    let mut response = Redirect::to(to).into_response();
    let cookie = HeaderValue::from_str(&cookie(app, &value, SECS));
    response.headers_mut().extend(cookie.ok().map(|cookie| (header::SET_COOKIE, cookie)));
    response
}

/// What was said; empty when nothing was.
pub(super) fn read(app: &App, headers: &HeaderMap) -> String {
    let texts = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let value = pairs.find(|(key, _)| *key == name(app)).map_or("", |(_, value)| value);
    let decoded = Some(value).filter(|value| value.len() <= COOKIE_BYTES);
    let decoded = decoded.and_then(|value| BASE64_URL_SAFE_NO_PAD.decode(value).ok());
    decoded.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// What takes the cookie away.
pub(super) fn forget(app: &App) -> String {
    cookie(app, "", 0)
}

fn cookie(app: &App, value: &str, secs: u64) -> String {
    let secure = if is_secure(app) { "; Secure" } else { "" };
    format!("{}={value}; HttpOnly; Path=/; SameSite=Lax; Max-Age={secs}{secure}", name(app))
}

fn name(app: &App) -> &'static str {
    if is_secure(app) { "__Host-packhouse_said" } else { "packhouse_said" }
}

fn is_secure(app: &App) -> bool {
    app.settings().public_url().starts_with("https://")
}
