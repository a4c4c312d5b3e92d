//! Pages of lists: the three range headers.

use axum::{
    Json,
    http::{HeaderName, HeaderValue},
    response::{IntoResponse, Response},
};
use operations::Page;
use serde::Serialize;

const TOTAL: HeaderName = HeaderName::from_static("x-rangelimit-total");
const START: HeaderName = HeaderName::from_static("x-rangelimit-startpos");
const END: HeaderName = HeaderName::from_static("x-rangelimit-endpos");

/// A page as JSON. An empty page tells the total only; `EndPos` is the position of the last result shown.
pub(crate) fn respond<T, V: Serialize>(page: Page<T>, view: impl Fn(T) -> V) -> Response {
    let (start, count) = (page.start, page.items.len() as u64);
    let views: Vec<V> = page.items.into_iter().map(view).collect();
    let mut response = Json(views).into_response();
    let headers = response.headers_mut();
    headers.insert(TOTAL, HeaderValue::from(page.total));
    if count > 0 {
        headers.insert(START, HeaderValue::from(start));
        headers.insert(END, HeaderValue::from(start + count - 1));
    }
    response
}
