use axum::http::Request;

use super::*;

const KEY: &str = "phk_0000000000000000000000000000000000000000000000000";

/// The credentials of a request for this path with these headers.
fn read(path: &str, headers: &[(&str, &str)]) -> Result<Option<(Option<String>, String)>> {
    let mut request = Request::builder().uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let (mut parts, ()) = request.body(()).expect("a request").into_parts();
    parts.extensions.insert(Target::parse(path, "").expect("well formed"));
    Ok(credentials(&parts)?.map(|shown| (shown.name, shown.key.expose().to_owned())))
}

fn authorized(value: &str) -> Option<(Option<String>, String)> {
    read("/api/users", &[("authorization", value)]).ok().flatten()
}

fn named(name: &str, key: &str) -> Option<(Option<String>, String)> {
    Some((Some(name.to_owned()), key.to_owned()))
}

fn alone(key: &str) -> Option<(Option<String>, String)> {
    Some((None, key.to_owned()))
}

#[test]
fn basic_credentials_are_split_at_the_first_colon() {
    assert_eq!(authorized("Basic YWRhOmtleTp3aXRoOmNvbG9ucw=="), named("ada", "key:with:colons"));
    assert_eq!(authorized("bAsIc YWRhOg=="), named("ada", ""));
    assert_eq!(read("/api/users", &[]).expect("none is fine"), None);
}

#[test]
fn a_key_comes_as_a_bearer_or_without_a_scheme() {
    assert_eq!(authorized(&format!("Bearer {KEY}")), alone(KEY));
    assert_eq!(authorized(&format!("bearer  {KEY}")), alone(KEY));
    assert_eq!(authorized(KEY), alone(KEY));
    assert_eq!(authorized("Bearer abc"), alone("abc"));
}

#[test]
fn a_bearer_may_be_a_name_and_a_key_in_base64() {
    assert_eq!(authorized("Bearer a2V5QGFjbWU6c2VjcmV0"), named("key@acme", "secret"));
    assert_eq!(authorized("a2V5QGFjbWU6c2VjcmV0"), named("key@acme", "secret"));
    assert_eq!(authorized("Bearer YWRh"), alone("YWRh"), "no colon");
}

#[test]
fn everything_else_is_wrong_credentials() {
    for bad in [
        "Basic",
        "bearer",
        "Bearer ",
        "Basic !!!",
        "Basic YWRh",
        "Basic /////w==",
        "Digest abc",
        "Bearer a b",
        &format!("Basic {}", "YWRhOg==".repeat(200)),
        &format!("Bearer {}", "a".repeat(2_000)),
    ] {
        let refused = read("/api/users", &[("authorization", bad)]).expect_err(bad);
        assert_eq!(refused.status(), StatusCode::UNAUTHORIZED, "{bad}");
    }
}

#[test]
fn nugets_header_counts_below_downloads_only() {
    let header = [("x-nuget-apikey", KEY)];
    assert_eq!(read("/dl/acme/nuget/", &header).expect("a key"), alone(KEY));
    assert_eq!(read("/dl/acme/nuget/", &[("x-nuget-apikey", "ada:word")]).expect("a pair"), named("ada", "word"));
    assert_eq!(read("/api/users", &header).expect("not seen"), None);
    assert!(read("/dl/acme/nuget/", &[("x-nuget-apikey", " ")]).is_err());
}

#[test]
fn two_different_credentials_are_refused() {
    // `ada:word` and `bob:word`.
    let (ada, bob) = ("Basic YWRhOndvcmQ=", "Basic Ym9iOndvcmQ=");
    let both = |one: &str, other: &str| read("/dl/a/b", &[("authorization", one), ("x-nuget-apikey", other)]);
    assert_eq!(both(ada, "word").expect("the same key"), named("ada", "word"));
    assert_eq!(both("Bearer word", "ada:word").expect("the same key"), named("ada", "word"));
    for (one, other) in [(ada, "other"), (bob, "ada:word"), ("Bearer one", "two")] {
        assert_eq!(both(one, other).expect_err("two").status(), StatusCode::BAD_REQUEST, "{one} {other}");
    }
    let twice = read("/dl/a/b", &[("authorization", ada), ("authorization", ada)]);
    assert_eq!(twice.expect_err("two headers").status(), StatusCode::BAD_REQUEST);
}

/// The credentials of a request with this method, path, query and `Authorization` header.
fn queried(method: &str, path: &str, query: &str, header: Option<&str>) -> Option<(Option<String>, String)> {
    let mut request = Request::builder().method(method).uri(path);
    if let Some(value) = header {
        request = request.header("authorization", value);
    }
    let (mut parts, ()) = request.body(()).expect("a request").into_parts();
    parts.extensions.insert(Target::parse(path, query).expect("well formed"));
    let shown = credentials(&parts).unwrap_or_else(|_| panic!("{query} is refused"));
    shown.map(|shown| (shown.name, shown.key.expose().to_owned()))
}

#[test]
fn a_token_in_the_query_is_for_reads_of_downloads() {
    let token = "access_token=a2V5QGFjbWU6c2VjcmV0";
    for method in ["GET", "HEAD"] {
        assert_eq!(queried(method, "/dl/ada/boxes/ubuntu", token, None), named("key@acme", "secret"));
    }
    assert_eq!(queried("GET", "/dl/a/b", &format!("x=1&access_token={KEY}"), None), alone(KEY));
    assert_eq!(queried("GET", "/dl/a/b", "access_token=", None), None);
    assert_eq!(queried("PUT", "/dl/a/b", token, None), None);
    assert_eq!(queried("GET", "/api/users", token, None), None);
    let both = queried("GET", "/dl/a/b", token, Some("Bearer a2V5QGFjbWU6c2VjcmV0"));
    assert_eq!(both, named("key@acme", "secret"));
}

#[test]
fn two_tokens_in_the_query_are_refused() {
    for (query, header) in [
        ("access_token=a&access_token=a", None),
        ("access_token=a&access_token=", None),
        ("access_token=a", Some("Bearer b")),
    ] {
        let mut request = Request::builder().uri("/dl/a/b");
        if let Some(value) = header {
            request = request.header("authorization", value);
        }
        let (mut parts, ()) = request.body(()).expect("a request").into_parts();
        parts.extensions.insert(Target::parse("/dl/a/b", query).expect("well formed"));
        assert!(credentials(&parts).is_err(), "{query}");
    }
}
