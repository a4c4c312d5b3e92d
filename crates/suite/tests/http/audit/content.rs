//! Calls that change content and links.

use reqwest::Method;
use serde_json::{Value, json};

use super::step::{Step, step, upload};

const PUBLISH: &str = "/content/{subject}/{repo}/{package}/{version}/publish";

const SIGN: &str = "/signed_url/{subject}/{repo}/{file_path}";

const LINK: &str = "/repository/{subject}/{repo}/links/{source_subject}/{source_repo}/{source_package}";

/// Steps for files from upload to deletion, and for their indexes.
pub(super) fn content() -> Vec<Step> {
    vec![
        upload("/content/{subject}/{repo}/{file_path}", "/content/acme/tools/cat/1.0/cat.tar?publish=1"),
        step(
            Method::PUT,
            "/file_metadata/{subject}/{repo}/{file_path}",
            "/file_metadata/acme/tools/cat.tar",
            json!({"list_in_downloads": true}),
        ),
        step(Method::POST, PUBLISH, "/content/acme/tools/cat/1.0/publish", Value::Null),
        step(Method::POST, PUBLISH, "/content/acme/tools/cat/1.0/publish", json!({"discard": true})),
        step(
            Method::PUT,
            "/file_metadata/{subject}/{repo}/{file_path}",
            "/file_metadata/acme/tools/cat.tar",
            json!({"list_in_downloads": true}),
        ),
        step(Method::POST, SIGN, "/signed_url/acme/tools/cat.tar", json!({"valid_for_secs": 60})),
        step(Method::POST, "/subjects/{subject}/keypair", "/subjects/acme/keypair", Value::Null),
        step(Method::DELETE, "/content/{subject}/{repo}/{file_path}", "/content/acme/tools/cat.tar", Value::Null),
        upload(
            "/maven/{subject}/{repo}/{package}/{file_path}",
            "/maven/acme/tools/cat/org/x/cat/1.0/cat-1.0.jar?publish=1",
        ),
        step(Method::POST, "/calc_metadata/{subject}/{repo}", "/calc_metadata/acme/tools", Value::Null),
        step(
            Method::POST,
            "/calc_metadata/{subject}/{repo}/{file_path}",
            "/calc_metadata/acme/tools/org/x",
            Value::Null,
        ),
    ]
}

/// Steps for a package that is linked into another repository.
pub(super) fn links() -> Vec<Step> {
    vec![
        step(Method::POST, "/repos/{subject}/{repo}", "/repos/acme/mirror", json!({})),
        step(Method::PUT, LINK, "/repository/acme/mirror/links/acme/tools/cat", json!({"path_prefix": "lib"})),
        step(Method::DELETE, LINK, "/repository/acme/mirror/links/acme/tools/cat", Value::Null),
    ]
}

/// Steps for webhooks.
pub(super) fn webhooks() -> Vec<Step> {
    let (package, at) = ("/webhooks/{subject}/{repo}/{package}", "/webhooks/acme/tools/cat");
    // No receiver listens there; a failed test callback is logged as well.
    let body = || json!({"url": "http://127.0.0.1:1/hook?token=secret"});
    vec![
        step(Method::POST, package, at, body()),
        step(Method::POST, "/webhooks/{subject}/{repo}/{package}/{version}", "/webhooks/acme/tools/cat/1.0", body()),
        step(Method::DELETE, package, at, Value::Null),
    ]
}
