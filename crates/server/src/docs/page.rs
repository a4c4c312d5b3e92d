//! Pages for people: the front door and the list of calls.

use askama::Template;
use axum::{
    extract::State,
    http::{StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use utoipa::openapi::{RefOr, schema::Schema};

use super::shape::example;
use crate::{App, caller::Asking, endpoints::Endpoint, error::Failure, router::endpoints};

/// The calls of the API, each with its bodies and a line to try it.
pub(crate) async fn page(State(app): State<App>, _: Asking) -> Response {
    let mut sections: Vec<Section> = Vec::new();
    for endpoint in endpoints() {
        match sections.last_mut().filter(|section| section.name == endpoint.section) {
            Some(section) => section.calls.push(Line::from(&endpoint)),
            None => sections.push(Section { name: endpoint.section, calls: vec![Line::from(&endpoint)] }),
        }
    }
    render(&DocsPage { api_url: app.settings().api_url(), version: env!("CARGO_PKG_VERSION"), sections })
}

/// The front door: where the surfaces are.
pub(crate) async fn home(State(app): State<App>) -> Response {
    let settings = app.settings();
    let page = HomePage {
        public_url: settings.public_url(),
        api_url: settings.api_url(),
        download_url: settings.download_url(),
    };
    render(&page)
}

/// The style of all pages.
pub(crate) async fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("../../assets/page.css")).into_response()
}

/// A page as an answer.
pub(crate) fn render(page: &impl Template) -> Response {
    match page.render() {
        Ok(html) => Html(html).into_response(),
        Err(error) => {
            tracing::error!("a page could not be written: {error}");
            Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "The page could not be written").into_response()
        }
    }
}

#[derive(Template)]
#[template(path = "docs.html")]
struct DocsPage {
    api_url: String,
    version: &'static str,
    sections: Vec<Section>,
}

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    public_url: String,
    api_url: String,
    download_url: String,
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
