//! The API reference for people.

use axum::{
    extract::State,
    response::{Redirect, Response},
};
use pages::docs;
use utoipa::openapi::{RefOr, schema::Schema};
use web::{App, caller::RequestCaller};

use super::shape::example;
use crate::endpoints::{Endpoint, endpoints};

/// Answers with a page of all calls, each with its bodies and an example command.
pub(crate) async fn page(State(app): State<App>, _: RequestCaller) -> Response {
    let mut sections: Vec<docs::Section> = Vec::new();
    for endpoint in endpoints() {
        match sections.last_mut().filter(|section| section.name == endpoint.section) {
            Some(section) => section.calls.push(line(&endpoint)),
            None => sections.push(docs::Section { name: endpoint.section, calls: vec![line(&endpoint)] }),
        }
    }
    docs::page(app.settings().api_url(), app.settings().public_url(), sections)
}

/// Leads those who open the URL of the API to its reference.
pub(crate) async fn to_page(_: RequestCaller) -> Redirect {
    Redirect::to("/api/docs")
}

fn line(endpoint: &Endpoint) -> docs::Line {
    let show = |schema: &Option<RefOr<Schema>>| {
        let fields = schema.as_ref().map(|schema| example(schema, &endpoint.schemas));
        fields.and_then(|fields| serde_json::to_string_pretty(&fields).ok()).unwrap_or_default()
    };
    docs::Line {
        method: endpoint.method.to_string(),
        path: endpoint.path,
        summary: endpoint.summary,
        permission: endpoint.permission(),
        status: endpoint.status,
        query: endpoint.query,
        body: show(&endpoint.body),
        answer: show(&endpoint.answer),
    }
}
