//! Methods: HEAD works wherever GET does, and 405 lists the allowed methods.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::{Method, header::HeaderMap};
use serde_json::json;
use suite::{Answer, Person, TestHouse};

/// Paths outside the API's calls that answer GET.
const OTHERS: [&str; 9] =
    ["/", "//api", "/openapi.json", "/docs", "//", "//search", "//livez", "//readyz", "//metrics"];

/// Returns the path of a call with the names of existing things.
pub(crate) fn filled(path: &str) -> String {
    let names = [("user", "ada"), ("org", "acme"), ("subject", "acme"), ("repo", "tools"), ("package", "cat")];
    let path = path.replace("{version}", "1.0");
    names.iter().fold(path, |path, (place, name)| path.replace(&format!("{{{place}}}"), name))
}

/// Returns the headers that GET and HEAD must have in common.
fn comparable(answer: &Answer, path: &str) -> HeaderMap {
    let mut headers = answer.headers.clone();
    headers.remove("x-request-id");
    headers.remove("date");
    // The nonce for the script of a page differs each time, but has the same length.
    if let Some((before, rest)) = answer.header("content-security-policy").split_once("'nonce-") {
        let (word, after) = rest.split_once('\'').expect("the word ends");
        assert!(word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit()), "{path}: {word}");
        let same = format!("{before}'nonce-WORD'{after}");
        headers.insert("content-security-policy", same.parse().expect("a policy is a header"));
    }
    // The metrics count requests for themselves, so their length changes.
    if path == "//metrics" {
        assert!(headers.remove("content-length").is_some());
    }
    headers
}

async fn agree(person: &Person, path: &str) {
    let get = person.get(path).await;
    let head = person.call(Method::HEAD, path).await;
    assert!(head.body.is_empty(), "{path}: {}", head.text());
    assert_eq!((head.status, comparable(&head, path)), (get.status, comparable(&get, path)), "{path}");
}

#[tokio::test]
async fn head_answers_as_get_does_but_for_the_body() {
    let house = TestHouse::start().await;
    house.user("ada").await;
    house.admin().post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    house.admin().post("/repos/acme/tools").json(json!({})).await.expect(201);
    house.admin().post("/packages/acme/tools").json(json!({"name": "cat"})).await.expect(201);
    house.admin().post("/packages/acme/tools/cat/versions").json(json!({"name": "1.0"})).await.expect(201);
    // A stream never ends, so it cannot be compared.
    let is_compared =
        |endpoint: &server::Endpoint| endpoint.method == Method::GET && !endpoint.path.starts_with("/stream/");
    let calls = server::endpoints().into_iter().filter(is_compared);
    let paths: Vec<String> = calls.map(|endpoint| filled(endpoint.path)).chain(OTHERS.map(str::to_owned)).collect();
    for path in &paths {
        // A search without terms is refused, and some things do not exist.
        let answer = house.admin().get(path).await;
        assert!(matches!(answer.status, 200 | 303 | 400 | 404), "{path}: {}", answer.text());
        agree(&house.admin(), path).await;
    }
}

#[tokio::test]
async fn head_is_refused_as_get_is() {
    let house = TestHouse::start().await;
    for path in ["/users/admin", "/users/nobody", "/nothing", "//nothing", "/audit?start_pos=x", "/users/a%00"] {
        agree(&house.anyone(), path).await;
        agree(&house.person("admin", "wrong"), path).await;
    }
}

#[tokio::test]
async fn head_leaves_nothing_on_the_connection() {
    let house = TestHouse::start().await;
    let request = |method: &str, last: &str| format!("{method} /livez HTTP/1.1\r\nHost: house\r\n{last}\r\n");
    let both = request("HEAD", "") + &request("GET", "Connection: close\r\n");
    let answer = crate::wire::send(&house, both).await.text;
    assert_eq!(answer.matches("HTTP/1.1 200 ").count(), 2);
    assert_eq!(answer.matches("alive").count(), 1);
}

/// Returns whether a path belongs to a call: the number of segments and the fixed ones must match.
fn is_of(path: &str, call: &str) -> bool {
    let (path, call): (Vec<&str>, Vec<&str>) = (path.split('/').collect(), call.split('/').collect());
    let is_long_enough = match call.last() {
        Some(&"{file_path}") => path.len() >= call.len(),
        _ => path.len() == call.len(),
    };
    is_long_enough && call.iter().zip(&path).all(|(call, path)| call.starts_with('{') || call == path)
}

/// Returns every kind of path with its allowed methods.
fn addresses() -> BTreeMap<String, BTreeSet<String>> {
    let calls = server::endpoints();
    let file = calls.iter().map(|call| filled(call.path).replace("{file_path}", "a.txt"));
    // Files may be in folders, and have names that look like other calls.
    let deep = calls.iter().map(|call| filled(call.path).replace("{file_path}", "cat/1.0/b/publish"));
    let mut addresses = BTreeMap::new();
    for path in file.chain(deep) {
        let here = calls.iter().filter(|call| is_of(&path, call.path));
        let mut methods: BTreeSet<String> = here.map(|call| call.method.to_string()).collect();
        methods.extend(methods.contains("GET").then(|| "HEAD".to_owned()));
        addresses.insert(path, methods);
    }
    let readable = BTreeSet::from(["GET".to_owned(), "HEAD".to_owned()]);
    addresses.extend(OTHERS.into_iter().chain(["//dl/ada/tools/x"]).map(|path| (path.to_owned(), readable.clone())));
    addresses
}

#[tokio::test]
async fn a_wrong_method_is_told_the_right_ones() {
    const METHODS: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"];
    let house = TestHouse::start().await;
    // Below a repository that does not exist, every method is asked to sign in.
    house.user("ada").await.post("/repos/ada/tools").await.expect(201);
    for (path, methods) in addresses() {
        for method in METHODS {
            let sent = Method::from_bytes(method.as_bytes()).expect("a method");
            let answer = house.anyone().call(sent, &path).await;
            if methods.contains(method) {
                assert_ne!(answer.status, 405, "{method} {path}");
                assert!(!answer.text().contains("This URL does not exist"), "{method} {path}");
                continue;
            }
            assert_eq!(answer.status, 405, "{method} {path}: {}", answer.text());
            let told: BTreeSet<String> = answer.header("allow").split(',').map(|name| name.trim().to_owned()).collect();
            assert_eq!(told, methods, "{method} {path}");
            if method != "HEAD" {
                assert_eq!(answer.message(), "This URL does not support this method");
            }
        }
    }
}

#[tokio::test]
async fn one_route_may_have_two_kinds_of_addresses() {
    let house = TestHouse::start().await;
    for (method, path, allowed) in [
        (Method::POST, "/content/acme/tools/a.txt", "DELETE, GET, HEAD, PUT"),
        (Method::PATCH, "/content/acme/tools/a.txt", "DELETE, GET, HEAD, PUT"),
        (Method::PATCH, "/content/acme/tools/cat/1.0/publish", "DELETE, GET, HEAD, POST, PUT"),
        (Method::GET, "/webhooks/acme/tools/cat/1.0", "POST"),
        (Method::PUT, "/webhooks/acme/tools/cat/1.0", "POST"),
        (Method::PUT, "/webhooks/acme/tools/cat/deliveries", "GET, HEAD, POST"),
    ] {
        for who in [house.anyone(), house.admin()] {
            let answer = who.call(method.clone(), path).await.expect(405);
            assert_eq!(answer.header("allow"), allowed, "{method} {path}");
        }
    }
}

#[tokio::test]
async fn a_method_in_lower_case_is_another_method() {
    let house = TestHouse::start().await;
    let request = "get /livez HTTP/1.1\r\nHost: house\r\nConnection: close\r\n\r\n";
    assert_eq!(crate::wire::send(&house, request).await.status(), Some(405));
}

#[tokio::test]
async fn an_unknown_address_is_not_found_with_any_method() {
    let house = TestHouse::start().await;
    for path in
        ["/nothing", "/users/ada/nothing", "/orgs/acme/members", "//nothing/a/b/c/d", "//livez/x", "//-/nothing", "/x/"]
    {
        for method in [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS] {
            let answer = house.admin().call(method.clone(), path).await;
            assert_eq!(answer.status, 404, "{method} {path}: {}", answer.text());
            assert_eq!(answer.message(), "This URL does not exist");
        }
    }
}
