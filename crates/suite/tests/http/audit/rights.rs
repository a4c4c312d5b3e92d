//! Calls that change rights.

use reqwest::Method;
use serde_json::{Value, json};

use super::step::{Step, step};

/// Steps for the download restrictions of a repository.
pub(super) fn restrictions() -> Vec<Step> {
    vec![
        step(Method::PUT, "/subjects/{subject}/plan", "/subjects/acme/plan", json!({"plan": "enterprise"})),
        step(
            Method::PUT,
            "/repos/{subject}/{repo}/geo_restrictions",
            "/repos/acme/tools/geo_restrictions",
            json!({"white_list": ["DE"]}),
        ),
        step(
            Method::DELETE,
            "/repos/{subject}/{repo}/geo_restrictions",
            "/repos/acme/tools/geo_restrictions",
            Value::Null,
        ),
        step(
            Method::PUT,
            "/repos/{subject}/{repo}/ip_restrictions",
            "/repos/acme/tools/ip_restrictions",
            json!({"black_cidrs": ["10.0.0.0/8"]}),
        ),
        step(
            Method::PATCH,
            "/repos/{subject}/{repo}/ip_restrictions",
            "/repos/acme/tools/ip_restrictions",
            json!({"add": {"black_cidrs": ["::1"]}}),
        ),
        step(
            Method::DELETE,
            "/repos/{subject}/{repo}/ip_restrictions",
            "/repos/acme/tools/ip_restrictions",
            Value::Null,
        ),
    ]
}

/// Steps for usage thresholds, in an organization with the highest plan.
pub(super) fn usage_thresholds() -> Vec<Step> {
    let places = [
        ("/usage_threshold/organization/{org}", "/usage_threshold/organization/acme"),
        ("/usage_threshold/repo/{org}/{repo}", "/usage_threshold/repo/acme/tools"),
    ];
    let steps = |(endpoint, path)| {
        [
            step(Method::POST, endpoint, path, json!({"daily_download_bytes": 1})),
            step(Method::PATCH, endpoint, path, json!({"monthly_storage_bytes": 1})),
            step(Method::DELETE, endpoint, path, Value::Null),
        ]
    };
    places.into_iter().flat_map(steps).collect()
}

/// Steps for a product and its agreements.
pub(super) fn products() -> Vec<Step> {
    vec![
        step(
            Method::POST,
            "/products/{subject}",
            "/products/acme",
            json!({"name": "suite", "packages": ["tools/cat"]}),
        ),
        step(Method::PATCH, "/products/{subject}/{product}", "/products/acme/suite", json!({"desc": "All"})),
        step(
            Method::POST,
            "/products/{subject}/{product}/eulas",
            "/products/acme/suite/eulas",
            json!({"name": "terms", "syntax": "plain_text", "content": "x"}),
        ),
        step(
            Method::PATCH,
            "/products/{subject}/{product}/eulas/{eula}",
            "/products/acme/suite/eulas/terms",
            json!({"default": true}),
        ),
        step(
            Method::DELETE,
            "/products/{subject}/{product}/eulas/{eula}",
            "/products/acme/suite/eulas/terms",
            Value::Null,
        ),
        step(Method::DELETE, "/products/{subject}/{product}", "/products/acme/suite", Value::Null),
    ]
}

/// Steps for a team and its permission.
pub(super) fn teams() -> [Step; 5] {
    let (team, one) = ("/orgs/{org}/teams/{team}", "/orgs/acme/teams/devs");
    let (repo, given) = ("/repos/{subject}/{repo}/permissions", "/repos/acme/tools/permissions");
    let of_team = "/repos/{subject}/{repo}/permissions/{team}";
    [
        step(Method::POST, "/orgs/{org}/teams", "/orgs/acme/teams", json!({"name": "devs"})),
        step(Method::PATCH, team, one, json!({"allow_repo_creation": true})),
        step(Method::PUT, repo, given, json!({"team": "devs", "permission": "read"})),
        step(Method::DELETE, of_team, "/repos/acme/tools/permissions/devs", Value::Null),
        step(Method::DELETE, team, one, Value::Null),
    ]
}

/// The scopes of entitlements: both endpoints, and their paths here.
const ENTITLEMENTS: [(&str, &str, &str, &str); 4] = [
    (
        "/repos/{subject}/{repo}/entitlements",
        "/repos/{subject}/{repo}/entitlements/{entitlement}",
        "/repos/acme/tools/entitlements",
        "/repos/acme/tools/entitlements/{last}",
    ),
    (
        "/packages/{subject}/{repo}/{package}/entitlements",
        "/packages/{subject}/{repo}/{package}/entitlements/{entitlement}",
        "/packages/acme/tools/cat/entitlements",
        "/packages/acme/tools/cat/entitlements/{last}",
    ),
    (
        "/packages/{subject}/{repo}/{package}/versions/{version}/entitlements",
        "/packages/{subject}/{repo}/{package}/versions/{version}/entitlements/{entitlement}",
        "/packages/acme/tools/cat/versions/1.0/entitlements",
        "/packages/acme/tools/cat/versions/1.0/entitlements/{last}",
    ),
    (
        "/products/{subject}/{product}/entitlements",
        "/products/{subject}/{product}/entitlements/{entitlement}",
        "/products/acme/suite/entitlements",
        "/products/acme/suite/entitlements/{last}",
    ),
];

/// Steps for entitlements in all scopes.
pub(super) fn entitlements() -> Vec<Step> {
    ENTITLEMENTS.into_iter().flat_map(|(list, one, at, last)| entitlement(list, one, at, last)).collect()
}

/// Steps for an entitlement in one scope. In their paths, `{last}` stands for the last created id.
fn entitlement(list: &'static str, one: &'static str, at: &'static str, last: &'static str) -> [Step; 3] {
    [
        step(Method::POST, list, at, json!({"access": "r", "tags": ["x"]})),
        step(Method::PATCH, one, last, json!({"access": "rw"})),
        step(Method::DELETE, one, last, Value::Null),
    ]
}
