//! The API description for programs.

use std::sync::OnceLock;

use axum::{Json, extract::State};
use utoipa::openapi::{
    ComponentsBuilder, Content, HttpMethod, InfoBuilder, OpenApi, OpenApiBuilder, PathItem, PathsBuilder, Ref, RefOr,
    ResponseBuilder, ServerBuilder,
    path::{OperationBuilder, ParameterBuilder, ParameterIn},
    request_body::RequestBodyBuilder,
    schema::{ObjectBuilder, Schema, Type},
    security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme},
};
use web::{App, caller::RequestCaller};

use crate::endpoints::{Endpoint, endpoints};

/// Answers with the description as OpenAPI.
pub(crate) async fn openapi(State(app): State<App>, _: RequestCaller) -> Json<OpenApi> {
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
