//! The API reference for people.

use askama::Template;
use axum::{extract::State, response::Response};
use utoipa::openapi::{RefOr, schema::Schema};

use super::shape::example;
use crate::{App, caller::RequestCaller, endpoints::Endpoint, pages::render_plain, router::endpoints};

/// Answers with a page of all calls, each with its bodies and an example command.
pub(crate) async fn page(State(app): State<App>, _: RequestCaller) -> Response {
    let mut sections: Vec<Section> = Vec::new();
    for endpoint in endpoints() {
        match sections.last_mut().filter(|section| section.name == endpoint.section) {
            Some(section) => section.calls.push(Line::from(&endpoint)),
            None => sections.push(Section { name: endpoint.section, calls: vec![Line::from(&endpoint)] }),
        }
    }
    render_plain(&DocsPage { api_url: app.settings().api_url(), version: env!("CARGO_PKG_VERSION"), sections })
}

#[derive(Template)]
#[template(path = "docs.html")]
struct DocsPage {
    api_url: String,
    version: &'static str,
    sections: Vec<Section>,
}

struct Section {
    name: &'static str,
    calls: Vec<Line>,
}

struct Line {
    method: String,
    path: &'static str,
    summary: &'static str,
    status: u16,
    query: &'static [(&'static str, &'static str)],
    body: String,
    answer: String,
}

impl From<&Endpoint> for Line {
    fn from(endpoint: &Endpoint) -> Self {
        let show = |schema: &Option<RefOr<Schema>>| {
            let fields = schema.as_ref().map(|schema| example(schema, &endpoint.schemas));
            fields.and_then(|fields| serde_json::to_string_pretty(&fields).ok()).unwrap_or_default()
        };
        Self {
            method: endpoint.method.to_string(),
            path: endpoint.path,
            summary: endpoint.summary,
            status: endpoint.status,
            query: endpoint.query,
            body: show(&endpoint.body),
            answer: show(&endpoint.answer),
        }
    }
}
