//! One call of every endpoint that changes something, in an order in which all of them succeed.

use reqwest::Method;
use serde_json::Value;

use super::{
    accounts::{follows, licenses, organizations, people, publishers, tokens},
    catalogue::{attributes, catalogue, documents, opinions},
    content::{content, links, webhooks},
    rights::{entitlements, products, restrictions, teams, usage_thresholds},
    signing::signing,
    step::{Step, step},
};

/// Returns all steps.
pub(super) fn scenario() -> Vec<Step> {
    let parts = [
        people(),
        organizations(),
        tokens(),
        publishers(),
        catalogue(),
        attributes(),
        documents(),
        opinions(),
        content(),
        links(),
        webhooks(),
        restrictions(),
        usage_thresholds(),
        products(),
        follows(),
        licenses(),
        teams().into(),
        signing(),
        entitlements(),
        removals(),
    ];
    parts.into_iter().flatten().collect()
}

/// Returns the steps that delete everything.
fn removals() -> Vec<Step> {
    vec![
        step(
            Method::DELETE,
            "/packages/{subject}/{repo}/{package}/versions/{version}",
            "/packages/acme/tools/cat/versions/1.0",
            Value::Null,
        ),
        step(Method::DELETE, "/packages/{subject}/{repo}/{package}", "/packages/acme/tools/cat", Value::Null),
        step(Method::DELETE, "/repos/{subject}/{repo}", "/repos/acme/tools", Value::Null),
        step(Method::DELETE, "/orgs/{org}", "/orgs/acme", Value::Null),
        step(Method::DELETE, "/users/{user}", "/users/bea", Value::Null),
    ]
}
