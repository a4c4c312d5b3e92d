//! The API reference for people. It has no layout: it is the same for everyone.

use askama::Template;
use axum::response::Response;

use crate::layout::render_plain;

#[derive(Template)]
#[template(path = "docs.html")]
struct Page {
    api_url: String,
    /// The pages may be on another host.
    public_url: String,
    version: &'static str,
    sections: Vec<Section>,
}

/// Calls of the API under one heading.
pub struct Section {
    /// The heading.
    pub name: &'static str,
    /// The calls.
    pub calls: Vec<Line>,
}

/// A call of the API.
pub struct Line {
    /// The HTTP method.
    pub method: String,
    /// The path below the API's base URL.
    pub path: &'static str,
    /// The purpose of the call.
    pub summary: &'static str,
    /// Who may make the call.
    pub permission: &'static str,
    /// The status code of success.
    pub status: u16,
    /// The query parameters with their meaning.
    pub query: &'static [(&'static str, &'static str)],
    /// An example of the request's body; empty without one.
    pub body: String,
    /// An example of the response's body; empty without one.
    pub answer: String,
}

/// Answers with a page of all calls, each with its bodies and an example command.
pub fn page(api_url: String, public_url: String, sections: Vec<Section>) -> Response {
    render_plain(&Page { api_url, public_url, version: env!("CARGO_PKG_VERSION"), sections })
}
