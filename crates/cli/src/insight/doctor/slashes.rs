//! Checks that `%2F` reaches the server unchanged: names in URLs depend on it.

use reqwest::Method;

use super::Finding;
use crate::client::Client;

const FIX: &str = "nginx: `proxy_pass` without a path; Apache: `AllowEncodedSlashes NoDecode` and `nocanon`";

pub(super) async fn check(client: &Client) -> Finding {
    // With the encoded slash, this path does not exist; decoded, it is the list of licences.
    let answer = match client.answer(client.api(Method::GET, "/licenses%2Foss_licenses")).await {
        Ok(answer) => answer,
        Err(error) => return Finding::problem("slashes", error.message, FIX),
    };
    let is_success = answer.status().is_success();
    match answer.json::<api::Message>().await {
        _ if is_success => Finding::problem("slashes", "something in front of the server decodes %2F", FIX),
        Ok(_) => Finding::fine("slashes", "%2F reaches the server unchanged"),
        Err(_) => Finding::problem("slashes", "something in front of the server rejects %2F", FIX),
    }
}
