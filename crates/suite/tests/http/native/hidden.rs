//! A repository that the caller may not see answers every method as if it did not exist.

use reqwest::{Method, header::HeaderMap};
use serde_json::json;
use suite::{Answer, Person, TestHouse};

use crate::catalogue::new_repo;

const METHODS: [Method; 5] = [Method::PUT, Method::POST, Method::PATCH, Method::DELETE, Method::OPTIONS];
const PATHS: [&str; 5] =
    ["//dl/ada/vault", "//dl/ada/vault/", "//dl/ada/vault/a", "//dl/ada/vault/a/b/", "//dl/ada/vault/-/x"];

/// What a caller sees of an answer.
fn seen(answer: Answer) -> (u16, HeaderMap, Vec<u8>) {
    let mut headers = answer.headers;
    headers.remove("date");
    headers.remove("x-request-id");
    (answer.status, headers, answer.body)
}

async fn all(who: &Person) -> Vec<(u16, HeaderMap, Vec<u8>)> {
    let mut answers = Vec::new();
    for path in PATHS {
        for method in METHODS {
            answers.push(seen(who.call(method, path).body("purr").await));
        }
        answers.push(seen(who.get(path).await));
    }
    answers
}

#[tokio::test]
async fn hidden_equals_missing_for_every_method() {
    let house = TestHouse::start().await;
    let (ada, bob, anyone) = (house.user("ada").await, house.user("bob").await, house.anyone());
    let missing = (all(&bob).await, all(&anyone).await);
    assert!(missing.0.iter().all(|answer| answer.0 == 404) && missing.1.iter().all(|answer| answer.0 == 401));
    let kinds = ["generic", "maven", "npm", "pypi", "cargo", "helm", "debian", "composer", "go", "vagrant"];
    for kind in kinds.into_iter().chain(["rubygems", "nuget", "conan"]) {
        ada.post("/repos/ada/vault").json(json!({"private": true, "type": kind})).await.expect(201);
        assert_eq!((all(&bob).await, all(&anyone).await), missing, "{kind}");
        ada.delete("/repos/ada/vault").await.expect(200);
    }
}

#[tokio::test]
async fn an_anonymous_caller_is_asked_for_credentials() {
    let house = TestHouse::start().await;
    for path in PATHS {
        let refused = house.anyone().put(path).body("purr").await.refuses(401, "This resource requires authentication");
        assert!(refused.header("www-authenticate").starts_with("Basic "));
    }
}

#[tokio::test]
async fn a_method_that_nothing_uses_is_refused_where_the_repository_is_seen() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/vault").await;
    for who in [&ada, &house.user("bob").await, &house.anyone()] {
        for method in METHODS {
            let answer = who.call(method, "//dl/ada/vault/a").body("purr").await;
            assert_eq!(answer.refuses(405, "This URL does not support this method").header("allow"), "GET,HEAD");
        }
    }
}
