//! Requests that another site makes a browser send.
//!
//! A browser that has once answered a Basic prompt adds the credentials to forms of any site. The headers here are
//! those of Chromium; `browser/other_sites.rs` shows the same with a real browser.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use suite::{Call, Person, TestHouse, exchange};

const FOREIGN: &str = "The request was sent by a page of another site";

/// The headers of Chromium for a form of another site, or of a page without an origin.
const HEADERS: [&[(&str, &str)]; 5] = [
    &[("origin", "https://evil.example"), ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")],
    &[("origin", "https://www.example.com"), ("sec-fetch-site", "same-site"), ("sec-fetch-mode", "cors")],
    &[("origin", "null"), ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")],
    // Older browsers, and browsers without TLS, send only this header.
    &[("origin", "https://evil.example")],
    &[("sec-fetch-site", "cross-site")],
];

/// JSON in the encoding of a plain-text form.
const KEY_AS_FORM: &str = "{\"id\": \"evil\", \"password\": \"Kn0wn-to-the-attacker-42\", \"x\": \"=\"}\r\n";

fn with(call: Call, headers: &[(&str, &str)]) -> Call {
    headers.iter().fold(call, |call, (name, value)| call.header(name, value))
}

/// Sends a form that creates an access key.
fn send_key(who: &Person, headers: &[(&str, &str)]) -> Call {
    with(who.post("/users/ada/access_keys").header("content-type", "text/plain"), headers).body(KEY_AS_FORM)
}

#[tokio::test]
async fn a_form_of_another_site_makes_no_key_whatever_its_content_type_is() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    for headers in HEADERS {
        let refused = send_key(&ada, headers).await.expect(403);
        assert!(refused.message().starts_with(FOREIGN), "{headers:?}: {}", refused.text());
        for kind in ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json", ""] {
            let call = ada.post("/users/ada/access_keys").header("content-type", kind).body(KEY_AS_FORM);
            with(call, headers).await.expect(403);
        }
    }
    assert_eq!(ada.get("/users/ada/access_keys").await.expect(200).json(), json!({"access_keys": []}));
    // A client that is not a browser may use any content type.
    send_key(&ada, &[]).await.expect(201);
}

#[tokio::test]
async fn no_call_that_changes_something_is_taken_from_another_site_and_none_looks_at_credentials_first() {
    let house = TestHouse::start().await;
    let wrong = house.person("admin", "wrong");
    let others = [(Method::POST, "//dl/ada/tools/x"), (Method::PUT, "//v2/x"), (Method::DELETE, "//nothing/here/x")];
    let others = others.map(|(method, path)| (method, path.to_owned()));
    let calls = server::endpoints().into_iter().map(|call| (call.method, call.path.replace(['{', '}'], "")));
    let changing = calls.filter(|(method, _)| *method != Method::GET).chain(others);
    let forms = [(Method::POST, "//login"), (Method::POST, "//logout"), (Method::POST, "//account/api_key")];
    let forms = forms.map(|(method, path)| (method, path.to_owned()));
    for (number, (method, path)) in changing.chain(forms).enumerate() {
        let headers = HEADERS[number % HEADERS.len()];
        let refused = with(wrong.call(method.clone(), &path), headers).await;
        assert_eq!(refused.status, 403, "{method} {path}: {}", refused.text());
        assert!(refused.message().starts_with(FOREIGN), "{method} {path}: {}", refused.text());
        assert_eq!(refused.header("www-authenticate"), "");
    }
    for path in ["/openapi.json", "//dl/ada/tools/x", "//"] {
        assert_ne!(with(house.anyone().get(path), HEADERS[0]).await.status, 403, "{path}: links lead here");
    }
}

#[tokio::test]
async fn it_is_refused_before_the_body() {
    let house = TestHouse::start().await;
    let head = "PUT /api/content/ada/tools/cat/1.0/cat.bin HTTP/1.1\r\nHost: house\r\nOrigin: https://evil.example\r\n\
                Content-Length: 1000000000\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n";
    let answer = exchange(house.address, head.as_bytes(), Duration::from_secs(5)).await;
    assert!(answer.status() == Some(403) && answer.text.contains(FOREIGN), "{answer:?}");
}

#[tokio::test]
async fn pages_of_this_server_and_allowed_ones_may() {
    let changes =
        [("allowed_origins", "https://tools.example.org,http://localhost:3000"), ("api_host", "api.localhost")];
    let house = TestHouse::start_with(&changes).await;
    let ada = house.user("ada").await;
    let own = format!("http://{}", house.address);
    let edit = |headers: &[(&str, &str)]| with(ada.patch("/users/ada"), headers).json(json!({"full_name": "Ada"}));
    for headers in [
        &[("origin", own.as_str()), ("sec-fetch-site", "same-origin")][..],
        &[("origin", &own)],
        &[("sec-fetch-site", "none")],
        &[("origin", "https://tools.example.org"), ("sec-fetch-site", "cross-site")],
        &[("origin", "http://localhost:3000"), ("sec-fetch-site", "same-site")],
    ] {
        edit(headers).await.expect(200);
    }
    for headers in [
        &[("origin", "https://tools.example.org:444"), ("sec-fetch-site", "cross-site")][..],
        &[("origin", "http://tools.example.org"), ("sec-fetch-site", "cross-site")],
        &[("origin", "https://evil.example"), ("sec-fetch-site", "same-origin")],
        &[("origin", "null"), ("sec-fetch-site", "none")],
        &[("origin", &own), ("sec-fetch-site", "same-site")],
    ] {
        assert!(edit(headers).await.expect(403).message().starts_with(FOREIGN), "{headers:?}");
    }
}

#[tokio::test]
async fn behind_a_proxy_the_public_address_is_the_own_one() {
    let changes = [("trusted_proxies", "127.0.0.0/8"), ("public_url", "https://packages.example.com")];
    let house = TestHouse::start_with(&changes).await;
    let forwarded = |headers: &[(&str, &str)]| {
        let call = house.admin().patch("/users/admin").header("x-forwarded-proto", "https");
        with(call, headers).json(json!({"full_name": "Ada"}))
    };
    forwarded(&[("origin", "https://packages.example.com"), ("sec-fetch-site", "same-origin")]).await.expect(200);
    // The proxy forwards the name that the browser has used, which may be another one.
    forwarded(&[("host", "other.example.com"), ("origin", "https://other.example.com")]).await.expect(200);
    forwarded(&[("host", "other.example.com:443"), ("origin", "https://other.example.com")]).await.expect(200);
    // Without TLS, anyone on the network may have written the page.
    forwarded(&[("host", "other.example.com"), ("origin", "http://other.example.com")]).await.expect(403);
    forwarded(&[("origin", "http://packages.example.com")]).await.expect(403);
    forwarded(&[("x-forwarded-host", "evil.example"), ("origin", "https://evil.example")]).await.expect(403);
}
