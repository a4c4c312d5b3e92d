//! The API's description, for programs and for people, both from the endpoint table.

use std::sync::OnceLock;

use askama::Template;
use axum::{
    Json,
    extract::State,
    http::{StatusCode, header},
    response::{Html, IntoResponse, Response},
};
use utoipa::openapi::{
    ComponentsBuilder, Content, HttpMethod, InfoBuilder, OpenApi, OpenApiBuilder, PathItem, PathsBuilder, Ref, RefOr,
    ResponseBuilder, ServerBuilder,
    path::{OperationBuilder, ParameterBuilder, ParameterIn},
    request_body::RequestBodyBuilder,
    schema::{ObjectBuilder, Schema, Type},
    security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme},
};

use crate::{App, endpoints::Endpoint, error::Failure, router::endpoints};

/// The description as OpenAPI.
pub(crate) async fn openapi(State(app): State<App>) -> Json<OpenApi> {
    static DESCRIPTION: OnceLock<OpenApi> = OnceLock::new();
    let mut description = DESCRIPTION.get_or_init(describe).clone();
    description.servers = Some(vec![ServerBuilder::new().url(app.settings().api_url()).build()]);
    Json(description)
}

fn describe() -> OpenApi {
    let mut components = ComponentsBuilder::new()
        .security_scheme("basic", SecurityScheme::Http(Http::new(HttpAuthScheme::Basic)))
        .schema_from::<api::Message>();
    let mut paths = PathsBuilder::new();
    for endpoint in endpoints() {
        let method = match endpoint.method.as_str() {
            "POST" => HttpMethod::Post,
            "PUT" => HttpMethod::Put,
            "PATCH" => HttpMethod::Patch,
            "DELETE" => HttpMethod::Delete,
            _ => HttpMethod::Get,
        };
        components = components.schemas_from_iter(endpoint.schemas.clone());
        paths = paths.path(endpoint.path, PathItem::new(method, operation(&endpoint)));
    }
    let info = InfoBuilder::new().title("packhouse").version(env!("CARGO_PKG_VERSION")).build();
    OpenApiBuilder::new().info(info).paths(paths).components(Some(components.build())).build()
}

fn operation(endpoint: &Endpoint) -> utoipa::openapi::path::Operation {
    let text = || Some(ObjectBuilder::new().schema_type(Type::String));
    let mut operation = OperationBuilder::new()
        .summary(Some(endpoint.summary))
        .tag(endpoint.section)
        .security(SecurityRequirement::new("basic", Vec::<String>::new()));
    for name in endpoint.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
        let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Path).schema(text());
        operation = operation.parameter(parameter.required(utoipa::openapi::Required::True));
    }
    for (name, meaning) in endpoint.query {
        let parameter = ParameterBuilder::new().name(*name).parameter_in(ParameterIn::Query).schema(text());
        operation = operation.parameter(parameter.description(Some(*meaning)));
    }
    if let Some(body) = &endpoint.body {
        operation =
            operation.request_body(Some(RequestBodyBuilder::new().content("application/json", json(body)).build()));
    }
    let mut success = ResponseBuilder::new().description("Success");
    if let Some(answer) = &endpoint.answer {
        success = success.content("application/json", json(answer));
    }
    let message = RefOr::Ref(Ref::from_schema_name("Message"));
    let failure = ResponseBuilder::new().description("Refused or failed").content("application/json", json(&message));
    operation.response(endpoint.status.to_string(), success).response("default", failure).build()
}

fn json(schema: &RefOr<Schema>) -> Content {
    Content::new(Some(schema.clone()))
}

/// The same description as a page.
pub(crate) async fn page(State(app): State<App>) -> Response {
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
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("../assets/page.css")).into_response()
}

fn render(page: &impl Template) -> Response {
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

/// A schema as a person reads it: each field with its type.
fn example(schema: &RefOr<Schema>, known: &[(String, RefOr<Schema>)]) -> serde_json::Value {
    let value = serde_json::to_value(schema).unwrap_or_default();
    let known: serde_json::Map<_, _> =
        known.iter().map(|(name, schema)| (name.clone(), serde_json::to_value(schema).unwrap_or_default())).collect();
    shape(&value, &known, 0)
}

fn shape(
    schema: &serde_json::Value,
    known: &serde_json::Map<String, serde_json::Value>,
    depth: u8,
) -> serde_json::Value {
    use serde_json::Value;
    if depth > 8 {
        return Value::from("...");
    }
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return known.get(name).map_or(Value::Null, |schema| shape(schema, known, depth + 1));
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let merged = parts.iter().filter_map(|part| shape(part, known, depth + 1).as_object().cloned()).flatten();
        return Value::Object(merged.collect());
    }
    if let Some(fields) = schema["properties"].as_object() {
        let fields = fields.iter().map(|(name, field)| (name.clone(), shape(field, known, depth + 1)));
        return Value::Object(fields.collect());
    }
    if schema["items"].is_object() {
        return Value::Array(vec![shape(&schema["items"], known, depth + 1)]);
    }
    match &schema["type"] {
        Value::Array(kinds) => Value::from(kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or ")),
        kind => Value::from(kind.as_str().unwrap_or("value")),
    }
}
