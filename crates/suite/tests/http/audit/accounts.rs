//! Calls that change accounts.

use reqwest::Method;
use serde_json::{Value, json};

use super::step::{Step, step};

/// Steps for a user, its API key and its access keys.
pub(super) fn people() -> Vec<Step> {
    vec![
        step(Method::POST, "/users", "/users", json!({"name": "bea", "password": "difference"})),
        step(
            Method::PATCH,
            "/users/{user}",
            "/users/bea",
            json!({"email": "bea@example.org", "password": "analytical"}),
        ),
        step(Method::POST, "/users/{user}/api_key", "/users/bea/api_key", Value::Null),
        step(Method::DELETE, "/users/{user}/sessions", "/users/bea/sessions", Value::Null),
        step(Method::PUT, "/users/{user}/suspension", "/users/bea/suspension", Value::Null),
        step(Method::DELETE, "/users/{user}/suspension", "/users/bea/suspension", Value::Null),
        step(Method::POST, "/users/{user}/password", "/users/bea/password", Value::Null),
        step(Method::POST, "/subjects/{subject}/rename", "/subjects/bea/rename", json!({"name": "beate"})),
        step(Method::POST, "/subjects/{subject}/rename", "/subjects/beate/rename", json!({"name": "bea"})),
        step(
            Method::POST,
            "/users/{user}/access_keys",
            "/users/bea/access_keys",
            json!({"id": "client", "password": "difference engine"}),
        ),
        step(
            Method::PATCH,
            "/users/{user}/access_keys/{access_key}",
            "/users/bea/access_keys/client",
            json!({"password": "analytical engine", "api_only": true}),
        ),
        step(
            Method::POST,
            "/users/{user}/access_keys/{access_key}/password",
            "/users/bea/access_keys/client/password",
            Value::Null,
        ),
        step(Method::DELETE, "/users/{user}/access_keys/{access_key}", "/users/bea/access_keys/client", Value::Null),
    ]
}

/// Steps for an organization, its access keys, its members, and a plan.
pub(super) fn organizations() -> Vec<Step> {
    vec![
        step(Method::POST, "/orgs", "/orgs", json!({"name": "acme"})),
        step(
            Method::POST,
            "/orgs/{org}/access_keys",
            "/orgs/acme/access_keys",
            json!({"id": "client", "password": "difference engine"}),
        ),
        step(
            Method::PATCH,
            "/orgs/{org}/access_keys/{access_key}",
            "/orgs/acme/access_keys/client",
            json!({"password": "analytical engine", "api_only": true}),
        ),
        step(
            Method::POST,
            "/orgs/{org}/access_keys/{access_key}/password",
            "/orgs/acme/access_keys/client/password",
            Value::Null,
        ),
        step(Method::DELETE, "/orgs/{org}/access_keys/{access_key}", "/orgs/acme/access_keys/client", Value::Null),
        step(Method::PATCH, "/orgs/{org}", "/orgs/acme", json!({"full_name": "Acme"})),
        step(Method::PUT, "/orgs/{org}/members/{user}", "/orgs/acme/members/bea", json!({"type": "admin"})),
        step(Method::DELETE, "/orgs/{org}/members/{user}", "/orgs/acme/members/bea", Value::Null),
        step(
            Method::POST,
            "/orgs/{org}/invitations",
            "/orgs/acme/invitations",
            json!({"email": "new@example.org", "type": "member"}),
        ),
        step(Method::DELETE, "/orgs/{org}/invitations/{invitation}", "/orgs/acme/invitations/{last}", Value::Null),
        step(Method::PUT, "/subjects/{subject}/plan", "/subjects/bea/plan", json!({"plan": "free"})),
        step(Method::PUT, "/subjects/{subject}/quota", "/subjects/bea/quota", json!({"quota_bytes": 1_000_000})),
    ]
}

/// Steps for the tokens of a user and of an organization.
pub(super) fn tokens() -> Vec<Step> {
    let new = || json!({"name": "ci", "scopes": ["read"]});
    let change = || json!({"scopes": ["publish"], "cidrs": ["127.0.0.0/8"]});
    vec![
        step(Method::POST, "/users/{user}/tokens", "/users/admin/tokens", new()),
        step(Method::PATCH, "/users/{user}/tokens/{token}", "/users/admin/tokens/{last}", change()),
        step(
            Method::POST,
            "/users/{user}/tokens/{token}/rotate",
            "/users/admin/tokens/{last}/rotate",
            json!({"overlap_secs": 60}),
        ),
        step(Method::DELETE, "/users/{user}/tokens/{token}", "/users/admin/tokens/{last}", Value::Null),
        step(Method::POST, "/orgs/{org}/tokens", "/orgs/acme/tokens", new()),
        step(Method::PATCH, "/orgs/{org}/tokens/{token}", "/orgs/acme/tokens/{last}", change()),
        step(Method::POST, "/orgs/{org}/tokens/{token}/rotate", "/orgs/acme/tokens/{last}/rotate", Value::Null),
        step(Method::DELETE, "/orgs/{org}/tokens/{token}", "/orgs/acme/tokens/{last}", Value::Null),
    ]
}

/// Steps for the trusted publishers of a user and of an organization.
pub(super) fn publishers() -> Vec<Step> {
    let new = |resource: &str| {
        let claims = json!({"repository": "acme/tools"});
        json!({"name": "ci", "provider": "github", "claims": claims, "resource": resource})
    };
    let (user, org) = ("/users/{user}/trusted_publishers", "/orgs/{org}/trusted_publishers");
    vec![
        step(Method::POST, user, "/users/admin/trusted_publishers", new("admin")),
        step(
            Method::DELETE,
            "/users/{user}/trusted_publishers/{publisher}",
            "/users/admin/trusted_publishers/{last}",
            Value::Null,
        ),
        step(Method::POST, org, "/orgs/acme/trusted_publishers", new("acme")),
        step(
            Method::DELETE,
            "/orgs/{org}/trusted_publishers/{publisher}",
            "/orgs/acme/trusted_publishers/{last}",
            Value::Null,
        ),
    ]
}

/// Steps for followers.
pub(super) fn follows() -> Vec<Step> {
    vec![
        step(Method::PUT, "/users/{user}/follow", "/users/bea/follow", Value::Null),
        step(Method::DELETE, "/users/{user}/follow", "/users/bea/follow", Value::Null),
    ]
}

/// Steps for licenses of users and organizations.
pub(super) fn licenses() -> Vec<Step> {
    vec![
        step(Method::POST, "/users/{user}/licenses", "/users/bea/licenses", json!({"name": "House"})),
        step(
            Method::PATCH,
            "/users/{user}/licenses/{license}",
            "/users/bea/licenses/House",
            json!({"description": "Ours"}),
        ),
        step(Method::DELETE, "/users/{user}/licenses/{license}", "/users/bea/licenses/House", Value::Null),
        step(Method::POST, "/orgs/{org}/licenses", "/orgs/acme/licenses", json!({"name": "House"})),
        step(
            Method::PATCH,
            "/orgs/{org}/licenses/{license}",
            "/orgs/acme/licenses/House",
            json!({"description": "Ours"}),
        ),
        step(Method::DELETE, "/orgs/{org}/licenses/{license}", "/orgs/acme/licenses/House", Value::Null),
    ]
}
