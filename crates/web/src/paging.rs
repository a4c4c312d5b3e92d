//! Pages of lists, described by the three range headers.

use axum::{
    Json,
    http::{HeaderMap, HeaderName, HeaderValue},
    response::{IntoResponse, Response},
};
use operations::Page;
use serde::Serialize;

const TOTAL: HeaderName = HeaderName::from_static("x-rangelimit-total");
const START: HeaderName = HeaderName::from_static("x-rangelimit-startpos");
const END: HeaderName = HeaderName::from_static("x-rangelimit-endpos");

/// Renders a page as JSON. An empty page reports only the total; `EndPos` is the position of the last result shown.
pub fn respond<T, V: Serialize>(page: Page<T>, view: impl Fn(T) -> V) -> Response {
    let (start, count) = (page.start, page.items.len() as u64);
    let views: Vec<V> = page.items.into_iter().map(view).collect();
    let mut response = Json(views).into_response();
    set_range_headers(response.headers_mut(), start, count, page.total);
    response
}

/// Sets the headers that say which part of a list a response contains.
pub fn set_range_headers(headers: &mut HeaderMap, start: u64, count: u64, total: u64) {
    headers.insert(TOTAL, HeaderValue::from(total));
    if count > 0 {
        headers.insert(START, HeaderValue::from(start));
        headers.insert(END, HeaderValue::from(start + count - 1));
    }
}
