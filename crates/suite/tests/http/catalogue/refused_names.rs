//! Invalid names and bodies of repositories, packages and versions. No refused call changes anything.

use reqwest::Method;
use serde_json::{Value, json};

use crate::catalogue::input::{refusals, state, tools};

/// Returns bodies with invalid names.
fn bad_names() -> Vec<(&'static str, Value)> {
    let names = [
        "",
        " ",
        ".",
        "..",
        " cat",
        "cat ",
        "a/b",
        "a\\b",
        "a;b",
        "a?b",
        "a#b",
        "a%b",
        "a\nb",
        "a\u{7f}",
        "a\u{200b}b",
        "a\u{202e}b",
    ];
    let mut cases: Vec<(&str, Value)> = names.into_iter().map(|name| ("name", json!({ "name": name }))).collect();
    cases.extend([("name", json!({"name": "x".repeat(201)})), ("name", json!({"name": "é".repeat(101)}))]);
    cases.extend([("name", json!({"name": 1})), ("name", json!({"name": null})), ("name", json!({"name": ["cat"]}))]);
    cases
}

#[tokio::test]
async fn a_package_has_a_name_that_packages_may_have() {
    insta::assert_snapshot!(refusals(Method::POST, "/packages/ada/tools", bad_names()).await, @r#"
    name: package name '' is not valid: it is empty
    name: package name ' ' is not valid: it begins or ends with a blank
    name: package name '.' is not valid: it is a relative path
    name: package name '..' is not valid: it is a relative path
    name: package name ' cat' is not valid: it begins or ends with a blank
    name: package name 'cat ' is not valid: it begins or ends with a blank
    name: package name 'a/b' is not valid: it holds one of / \ ; ? # %
    name: package name 'a\b' is not valid: it holds one of / \ ; ? # %
    name: package name 'a;b' is not valid: it holds one of / \ ; ? # %
    name: package name 'a?b' is not valid: it holds one of / \ ; ? # %
    name: package name 'a#b' is not valid: it holds one of / \ ; ? # %
    name: package name 'a%b' is not valid: it holds one of / \ ; ? # %
    name: package name 'a\u{a}b' is not valid: it holds an unprintable character
    name: package name 'a\u{7f}' is not valid: it holds an unprintable character
    name: package name 'a\u{200b}b' is not valid: it holds an unprintable character
    name: package name 'a\u{202e}b' is not valid: it holds an unprintable character
    name: package name '(long)' is not valid: it is longer than 200 bytes
    name: package name '(long)' is not valid: it is longer than 200 bytes
    name: invalid type: integer `1`, expected a string
    name: invalid type: null, expected a string
    name: invalid type: sequence, expected a string
    "#);
}

#[tokio::test]
async fn a_version_has_a_name_that_versions_may_have() {
    let of_packages = refusals(Method::POST, "/packages/ada/tools", bad_names()).await;
    let path = "/packages/ada/tools/cat/versions";
    assert_eq!(refusals(Method::POST, path, bad_names()).await, of_packages.replace("package name", "version name"));
    let reserved = refusals(Method::POST, path, vec![("name", json!({"name": "_latest"}))]).await;
    assert_eq!(reserved, "name: version name '_latest' is not valid: it is reserved\n");
}

#[tokio::test]
async fn a_repository_has_a_name_that_repositories_may_have() {
    let (house, ada) = tools().await;
    let before = state(&house).await;
    for name in ["_a", "-a", ".a", "a%20b", "a%2Fb", "a%3Bb", "a%3Fb", "a%23b", "a%25b", "a:b", "a+b", "%C3%A9"] {
        let answer = ada.post(&format!("/repos/ada/{name}")).json(json!({})).await.expect(400);
        assert!(answer.message().starts_with("repository name '"), "{name}: {}", answer.message());
    }
    let long = "x".repeat(101);
    let answer = ada.post(&format!("/repos/ada/{long}")).json(json!({})).await.expect(400);
    assert!(answer.message().ends_with("it is longer than 100 characters"));
    for name in ["a%00b", "a%0Ab", "a%5Cb", "a%ZZ", "%FF"] {
        ada.post(&format!("/repos/ada/{name}")).json(json!({})).await.expect(400);
    }
    assert_eq!(state(&house).await, before);
}

#[tokio::test]
async fn a_path_with_a_name_that_nothing_can_have_is_refused_on_every_method() {
    let (house, ada) = tools().await;
    let before = state(&house).await;
    for name in ["a%2Fb", "a%5Cb", "a%3Bb", "a%3Fb", "a%23b", "a%25b", "a%00", "a%0A", "%20a", "%FF"] {
        for path in [format!("/packages/ada/tools/{name}"), format!("/packages/ada/tools/cat/versions/{name}")] {
            for method in [Method::GET, Method::PATCH, Method::DELETE] {
                let answer = ada.call(method.clone(), &path).json(json!({"desc": "x"})).await;
                assert_eq!(answer.status, 400, "{method} {path}: {}", answer.text());
            }
        }
    }
    for method in [Method::PATCH, Method::DELETE] {
        let path = "/packages/ada/tools/cat/versions/_latest";
        let reserved = "version name '_latest' is not valid: it is reserved";
        ada.call(method, path).json(json!({"desc": "x"})).await.refuses(400, reserved);
    }
    assert_eq!(state(&house).await, before);
}

#[tokio::test]
async fn a_body_that_is_no_object_is_refused_and_leaves_nothing() {
    let (house, ada) = tools().await;
    let before = state(&house).await;
    let deep = format!("{{\"desc\":{}1{}}}", "[".repeat(300), "]".repeat(300));
    let bodies: Vec<Vec<u8>> = vec![
        b"[]".into(),
        b"null".into(),
        b"\"dog\"".into(),
        b"{\"name\":\"dog\"".into(),
        b"{\"name\":\"dog\",\"name\":\"dog\"}".into(),
        b"{\"name\":\"dog\",\"desc\":\"a\\u0000b\"}".into(),
        b"{\"name\":\"do\\u0000g\"}".into(),
        b"{\"name\":\"dog\",\"labels\":[\"a\\u0000\"]}".into(),
        b"{\"name\":\"dog\",\"desc\":\"\xff\"}".into(),
        b"{\"name\":\"dog\",\"desc\":\"\\ud800\"}".into(),
        b"{\"name\":\"dog\",\"rating\":1e999}".into(),
        deep.into_bytes(),
    ];
    let calls = [
        (Method::POST, "/repos/ada/dog"),
        (Method::PATCH, "/repos/ada/tools"),
        (Method::POST, "/packages/ada/tools"),
        (Method::PATCH, "/packages/ada/tools/cat"),
        (Method::POST, "/packages/ada/tools/cat/versions"),
        (Method::PATCH, "/packages/ada/tools/cat/versions/1.0"),
    ];
    for body in bodies {
        for (method, path) in &calls {
            let answer = ada.call(method.clone(), path).body(body.clone()).await;
            let sent = String::from_utf8_lossy(&body);
            assert_eq!(answer.status, 400, "{method} {path} with {sent}: {}", answer.text());
        }
    }
    assert_eq!(state(&house).await, before);
}

#[tokio::test]
async fn a_new_package_or_version_without_a_name_is_refused() {
    let (house, ada) = tools().await;
    let before = state(&house).await;
    ada.post("/packages/ada/tools").json(json!({"desc": "x"})).await.refuses(400, "missing field `name`");
    ada.post("/packages/ada/tools/cat/versions").json(json!({})).await.refuses(400, "missing field `name`");
    assert_eq!(state(&house).await, before);
}
