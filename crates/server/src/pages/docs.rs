//! The API reference for people. It has no layout: it is the same for everyone.

use askama::Template;
use axum::response::Response;

use super::layout::render_plain;

#[derive(Template)]
#[template(path = "docs.html")]
struct Page {
    api_url: String,
    version: &'static str,
    sections: Vec<Section>,
}

/// Calls of the API under one heading.
pub(crate) struct Section {
    /// The heading.
    pub(crate) name: &'static str,
    /// The calls.
    pub(crate) calls: Vec<Line>,
}

/// A call of the API.
pub(crate) struct Line {
    /// The HTTP method.
    pub(crate) method: String,
    /// The path below the API's base URL.
    pub(crate) path: &'static str,
    /// The purpose of the call.
    pub(crate) summary: &'static str,
    /// The status code of success.
    pub(crate) status: u16,
    /// The query parameters with their meaning.
    pub(crate) query: &'static [(&'static str, &'static str)],
    /// An example of the request's body; empty without one.
    pub(crate) body: String,
    /// An example of the response's body; empty without one.
    pub(crate) answer: String,
}

/// Answers with a page of all calls, each with its bodies and an example command.
pub(crate) fn page(api_url: String, sections: Vec<Section>) -> Response {
    render_plain(&Page { api_url, version: env!("CARGO_PKG_VERSION"), sections })
}
