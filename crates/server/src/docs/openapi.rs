//! The API description for programs, from which clients can be generated.

use std::{collections::BTreeMap, sync::OnceLock};

use axum::{Json, extract::State};
use serde_json::{Map, Value, json};
use utoipa::openapi::{RefOr, schema::Schema};
use web::{App, caller::RequestCaller};

use super::{examples, headers, ids, manual, refine};
use crate::endpoints::{Endpoint, endpoints};

/// Schemas of bodies that may be left out.
const OPTIONAL_BODIES: [&str; 7] =
    ["Publish", "Signing", "NewSignedUrl", "TimeRange", "NewSync", "NewLink", "TokenRotation"];

/// The failures that any call may answer with.
const FAILURES: [(&str, &str); 7] = [
    ("400", "The path, a parameter or the body is invalid; the message names the value and the reason"),
    ("401", "Credentials are missing or wrong"),
    ("403", "You are signed in but may not do this"),
    ("404", "It does not exist, or you may not see it"),
    ("409", "It exists already, or something else conflicts with the request"),
    ("429", "A limit is reached; try again after `Retry-After` seconds"),
    ("503", "The server is overloaded or its database is unavailable; try again after `Retry-After` seconds"),
];

/// Answers with the description as OpenAPI.
pub(crate) async fn openapi(State(app): State<App>, _: RequestCaller) -> Json<Value> {
    static DESCRIPTION: OnceLock<Value> = OnceLock::new();
    let mut description = DESCRIPTION.get_or_init(describe).clone();
    description["servers"] = json!([{"url": app.settings().api_url()}]);
    description["paths"][DOWNLOAD]["servers"] = json!([{"url": app.settings().download_url()}]);
    Json(description)
}

/// The path of downloads, which are below another URL than the calls.
const DOWNLOAD: &str = "/{subject}/{repo}/{file_path}";

fn describe() -> Value {
    let endpoints = endpoints();
    let (ids, texts) = (ids::of_operations(&endpoints), manual::descriptions());
    let mut schemas: BTreeMap<String, Value> = BTreeMap::new();
    let mut paths: Map<String, Value> = Map::new();
    for (endpoint, id) in endpoints.iter().zip(ids) {
        let known = endpoint.schemas.iter().map(|(name, schema)| (name.clone(), plain(schema)));
        schemas.extend(known);
        let text = texts.get(&format!("{} {}", endpoint.method, endpoint.path)).map_or("", String::as_str);
        let method = endpoint.method.as_str().to_lowercase();
        let path = paths.entry(endpoint.path).or_insert_with(|| json!({}));
        path[method] = operation(endpoint, &id, text);
    }
    paths.insert(DOWNLOAD.into(), download());
    schemas.insert("Message".into(), plain(&<api::Message as utoipa::PartialSchema>::schema()));
    schemas.iter_mut().for_each(|(name, schema)| refine::schema(name, schema));
    let failure = |(status, meaning): (&str, &str)| {
        let content = json!({"application/json": {"schema": {"$ref": "#/components/schemas/Message"}}});
        (format!("Error{status}"), json!({"description": meaning, "content": content}))
    };
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "packhouse",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The API of a package distribution service. Sign in with HTTP Basic, or with the key alone as a bearer token.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": FAILURES.into_iter().map(failure).collect::<Map<_, _>>(),
            "securitySchemes": {
                "basic": {"type": "http", "scheme": "basic", "description": "A user name and an API key or a token"},
                "bearer": {"type": "http", "scheme": "bearer", "description": "An API key or a token alone"},
            },
        },
    })
}

fn plain(schema: &RefOr<Schema>) -> Value {
    serde_json::to_value(schema).unwrap_or_default()
}

fn operation(endpoint: &Endpoint, id: &str, text: &str) -> Value {
    let permission = endpoint.permission();
    let description = format!("{text}\n\nPermission: {permission}").trim().to_owned();
    let secured = json!([{"basic": []}, {"bearer": []}]);
    let mut operation = json!({
        "operationId": id,
        "summary": endpoint.summary,
        "description": description,
        "tags": [endpoint.section],
        "parameters": parameters(endpoint),
        "responses": responses(endpoint),
        "security": if endpoint.is_public() { json!([{}, {"basic": []}, {"bearer": []}]) } else { secured },
    });
    if let Some(body) = &endpoint.body {
        let schema = plain(body);
        let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
        let is_required = !OPTIONAL_BODIES.contains(&name);
        let mut content = json!({"schema": schema});
        // A publish is the usual call; the manual's example discards.
        let example = if name == "Publish" { Some(json!({})) } else { examples::body(endpoint) };
        if let Some(example) = example {
            content["example"] = example;
        }
        operation["requestBody"] = json!({"required": is_required, "content": {"application/json": content}});
    } else if endpoint.is_upload() {
        let schema = json!({"type": "string", "format": "binary"});
        operation["requestBody"] = json!({"required": true, "description": "The bytes of the file",
            "content": {"application/octet-stream": {"schema": schema}}});
    }
    operation
}

fn parameters(endpoint: &Endpoint) -> Vec<Value> {
    let names = endpoint.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let mut parameters: Vec<Value> = names.map(refine::path_parameter).collect();
    parameters.extend(endpoint.query.iter().map(|(name, meaning)| refine::query_parameter(name, meaning)));
    if endpoint.is_upload() {
        parameters.extend(headers::of_uploads());
    }
    parameters
}

fn responses(endpoint: &Endpoint) -> Value {
    let mut success = json!({"description": endpoint.summary});
    if let Some(answer) = &endpoint.answer {
        success["content"] = json!({"application/json": {"schema": plain(answer)}});
    } else if endpoint.status == 200 {
        success["content"] = raw(endpoint.path);
    }
    let mut responses = failures(endpoint.method.as_str());
    responses.insert(endpoint.status.to_string(), success);
    Value::Object(responses)
}

/// The content of a response that is not JSON: a text, or the bytes of a file.
fn raw(path: &str) -> Value {
    if ["/public.key", "/keyring", "/{key_file}"].iter().any(|end| path.ends_with(end)) {
        return json!({"text/plain": {"schema": {"type": "string"}}});
    }
    json!({"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}})
}

fn failures(method: &str) -> Map<String, Value> {
    let fits = |(status, _): &(&str, &str)| *status != "409" || method != "GET";
    let reference = |(status, _): (&str, &str)| {
        (status.to_owned(), json!({"$ref": format!("#/components/responses/Error{status}")}))
    };
    FAILURES.into_iter().filter(fits).map(reference).collect()
}

/// The download of a file, below its own base URL.
fn download() -> Value {
    let mut responses = failures("GET");
    let content = json!({"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}});
    responses.insert("200".into(), json!({"description": "The bytes of the file", "content": content}));
    let names = ["subject", "repo", "file_path"];
    json!({"get": {
        "operationId": "download_file",
        "summary": "Download a file",
        "description": "Sends a file of a repository. The base URL is that of downloads.\n\nPermission: Callers who may read the repository; everyone if it is public.",
        "tags": ["Downloads"],
        "parameters": names.into_iter().map(refine::path_parameter).collect::<Vec<_>>(),
        "responses": responses,
        "security": [{}, {"basic": []}, {"bearer": []}],
    }})
}
