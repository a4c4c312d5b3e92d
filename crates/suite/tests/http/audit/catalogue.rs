//! Calls that change the catalogue.

use reqwest::Method;
use serde_json::{Value, json};

use super::step::{Step, step};

/// Steps for a repository, a package and a version.
pub(super) fn catalogue() -> Vec<Step> {
    vec![
        step(Method::POST, "/repos/{subject}/{repo}", "/repos/acme/tools", json!({"type": "maven"})),
        step(Method::PATCH, "/repos/{subject}/{repo}", "/repos/acme/tools", json!({"desc": "Tools"})),
        step(
            Method::PUT,
            "/repos/{subject}/{repo}/quota",
            "/repos/acme/tools/quota",
            json!({"quota_bytes": 1_000_000}),
        ),
        step(Method::POST, "/packages/{subject}/{repo}", "/packages/acme/tools", json!({"name": "cat"})),
        step(Method::PATCH, "/packages/{subject}/{repo}/{package}", "/packages/acme/tools/cat", json!({"desc": "Cat"})),
        step(
            Method::POST,
            "/packages/{subject}/{repo}/{package}/versions",
            "/packages/acme/tools/cat/versions",
            json!({"name": "1.0"}),
        ),
        step(
            Method::PATCH,
            "/packages/{subject}/{repo}/{package}/versions/{version}",
            "/packages/acme/tools/cat/versions/1.0",
            json!({"desc": "The first"}),
        ),
        step(
            Method::PUT,
            "/packages/{subject}/{repo}/{package}/tags/{tag}",
            "/packages/acme/tools/cat/tags/stable",
            json!({"version": "1.0"}),
        ),
        step(
            Method::DELETE,
            "/packages/{subject}/{repo}/{package}/tags/{tag}",
            "/packages/acme/tools/cat/tags/stable",
            Value::Null,
        ),
    ]
}

/// Steps for attributes of a package and of a version.
pub(super) fn attributes() -> Vec<Step> {
    vec![
        step(
            Method::POST,
            "/packages/{subject}/{repo}/{package}/attributes",
            "/packages/acme/tools/cat/attributes",
            json!([{"name": "a", "values": [1]}]),
        ),
        step(
            Method::PATCH,
            "/packages/{subject}/{repo}/{package}/attributes",
            "/packages/acme/tools/cat/attributes",
            json!([{"name": "b", "values": ["x"]}]),
        ),
        step(
            Method::DELETE,
            "/packages/{subject}/{repo}/{package}/attributes",
            "/packages/acme/tools/cat/attributes",
            Value::Null,
        ),
        step(
            Method::POST,
            "/packages/{subject}/{repo}/{package}/versions/{version}/attributes",
            "/packages/acme/tools/cat/versions/1.0/attributes",
            json!([{"name": "a", "values": [1]}]),
        ),
        step(
            Method::PATCH,
            "/packages/{subject}/{repo}/{package}/versions/{version}/attributes",
            "/packages/acme/tools/cat/versions/1.0/attributes",
            json!([{"name": "b", "values": ["x"]}]),
        ),
        step(
            Method::DELETE,
            "/packages/{subject}/{repo}/{package}/versions/{version}/attributes",
            "/packages/acme/tools/cat/versions/1.0/attributes",
            Value::Null,
        ),
    ]
}

/// Steps for a readme, and release notes of a package and of a version.
pub(super) fn documents() -> Vec<Step> {
    vec![
        step(
            Method::POST,
            "/packages/{subject}/{repo}/{package}/readme",
            "/packages/acme/tools/cat/readme",
            json!({"syntax": "markdown", "content": "# Cat"}),
        ),
        step(
            Method::DELETE,
            "/packages/{subject}/{repo}/{package}/readme",
            "/packages/acme/tools/cat/readme",
            Value::Null,
        ),
        step(
            Method::POST,
            "/packages/{subject}/{repo}/{package}/release_notes",
            "/packages/acme/tools/cat/release_notes",
            json!({"syntax": "markdown", "content": "# Cat"}),
        ),
        step(
            Method::DELETE,
            "/packages/{subject}/{repo}/{package}/release_notes",
            "/packages/acme/tools/cat/release_notes",
            Value::Null,
        ),
        step(
            Method::POST,
            "/packages/{subject}/{repo}/{package}/versions/{version}/release_notes",
            "/packages/acme/tools/cat/versions/1.0/release_notes",
            json!({"syntax": "markdown", "content": "# Cat"}),
        ),
        step(
            Method::DELETE,
            "/packages/{subject}/{repo}/{package}/versions/{version}/release_notes",
            "/packages/acme/tools/cat/versions/1.0/release_notes",
            Value::Null,
        ),
    ]
}

/// Steps for ratings of a package.
pub(super) fn opinions() -> Vec<Step> {
    vec![
        step(
            Method::PUT,
            "/packages/{subject}/{repo}/{package}/follow",
            "/packages/acme/tools/cat/follow",
            Value::Null,
        ),
        step(
            Method::DELETE,
            "/packages/{subject}/{repo}/{package}/follow",
            "/packages/acme/tools/cat/follow",
            Value::Null,
        ),
        step(
            Method::PUT,
            "/packages/{subject}/{repo}/{package}/rating",
            "/packages/acme/tools/cat/rating",
            json!({"rating": 4}),
        ),
    ]
}
