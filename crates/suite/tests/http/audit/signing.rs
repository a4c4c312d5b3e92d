//! Calls that change signing keys, and calls that sign.

use reqwest::Method;
use serde_json::{Value, json};
use suite::{Gpg, NewKey};

use super::step::{Step, step};

/// The organization signs with its own key: the server's key would be created, and logged, at its first use.
pub(super) fn signing() -> Vec<Step> {
    let (user, org) = ("/users/{user}/keys/gpg", "/orgs/{org}/keys/gpg");
    let key = |name| json!({"private_key": Gpg::new().private_key(NewKey { name, ..NewKey::default() })});
    let flags = json!({"gpg_sign_files": true, "gpg_use_owner_key": true});
    let (file, signed) = ("/gpg/{subject}/{repo}/{file_path}", "/gpg/acme/tools/org/x/cat/1.0/cat-1.0.jar");
    let (version, all) = ("/gpg/{subject}/{repo}/{package}/versions/{version}", "/gpg/acme/tools/cat/versions/1.0");
    vec![
        step(Method::PUT, user, "/users/bea/keys/gpg", key("bea")),
        step(Method::POST, "/users/{user}/keys/gpg/generate", "/users/bea/keys/gpg/generate", Value::Null),
        step(Method::DELETE, user, "/users/bea/keys/gpg", Value::Null),
        step(Method::POST, "/orgs/{org}/keys/gpg/generate", "/orgs/acme/keys/gpg/generate", Value::Null),
        step(Method::PUT, org, "/orgs/acme/keys/gpg", key("acme")),
        step(Method::PATCH, "/repos/{subject}/{repo}", "/repos/acme/tools", flags),
        step(Method::POST, file, signed, Value::Null),
        step(Method::POST, version, all, Value::Null),
        step(Method::DELETE, org, "/orgs/acme/keys/gpg", Value::Null),
    ]
}
