//! The common parts of every response: an id, security headers, and JSON for errors.

use std::collections::BTreeSet;

use suite::{Answer, TestHouse};

use crate::wire::{get, send};

/// Returns one response of each kind.
async fn answers(house: &TestHouse) -> Vec<Answer> {
    let (admin, anyone) = (house.admin(), house.anyone());
    vec![
        anyone.get("//livez").await.expect(200),
        anyone.get("/openapi.json").await.expect(200),
        anyone.get("/docs").await.expect(200),
        anyone.get("//").await.expect(200),
        admin.get("/users/admin").await.expect(200),
        admin.post("/orgs").body("{").await.expect(400),
        anyone.get("/users/a%00b").await.expect(400),
        anyone.get("/users/admin").await.expect(401),
        house.person("admin", "wrong").get("/users/admin").await.expect(401),
        admin.get("/users/nobody").await.expect(404),
        anyone.get("/nothing").await.expect(404),
        anyone.get("//nothing/at/all").await.expect(404),
        anyone.get("//dl/acme/tools/file").await,
        anyone.delete("//livez").await.expect(405),
        anyone.get(&format!("/{}", "a/".repeat(3_000))).await.expect(414),
        admin.post("/orgs").body(" ".repeat(300 * 1024)).await.expect(413),
    ]
}

#[tokio::test]
async fn every_error_is_json_with_a_message() {
    let house = TestHouse::start().await;
    for answer in answers(&house).await.into_iter().filter(|answer| answer.status >= 400) {
        assert_eq!(answer.header("content-type"), "application/json", "{}", answer.text());
        assert!(!answer.message().is_empty());
        assert_eq!(answer.json().as_object().map(serde_json::Map::len), Some(1), "{}", answer.text());
    }
}

#[tokio::test]
async fn every_answer_has_an_id_of_its_own() {
    let house = TestHouse::start().await;
    let answers = answers(&house).await;
    let ids: BTreeSet<&str> = answers.iter().map(|answer| answer.header("x-request-id")).collect();
    assert_eq!(ids.len(), answers.len());
    assert!(ids.iter().all(|id| id.len() >= 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit())), "{ids:?}");
}

#[tokio::test]
async fn a_client_does_not_choose_the_id() {
    let house = TestHouse::start().await;
    let answer = house.anyone().get("//livez").header("x-request-id", "mine").await.expect(200);
    assert_ne!(answer.header("x-request-id"), "mine");
    assert_eq!(answer.headers.get_all("x-request-id").iter().count(), 1);
}

#[tokio::test]
async fn every_answer_has_the_headers_that_protect() {
    let house = TestHouse::start().await;
    let answers = answers(&house).await;
    let is_page = |answer: &&Answer| answer.text().contains("id=\"site-search\"");
    assert_eq!(answers.iter().filter(is_page).count(), 1, "the front page is there, and no other page");
    for answer in answers {
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        // Pages have forms, and with `no-referrer` browsers would not send their origin.
        let is_page = answer.text().contains("id=\"site-search\"");
        let expected = if is_page { "same-origin" } else { "no-referrer" };
        assert_eq!(answer.header("referrer-policy"), expected, "{}", answer.text());
        assert_eq!(answer.header("cache-control"), "no-store");
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
        assert!(!answer.headers.contains_key("set-cookie"));
        assert!(!answer.headers.contains_key("access-control-allow-origin"));
        assert_eq!(answer.header("server"), "");
    }
}

#[tokio::test]
async fn a_message_repeats_nothing_that_could_be_run() {
    let house = TestHouse::start().await;
    let answer = house.admin().get("/users/%3Cscript%3E").await.expect(400);
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
}

#[tokio::test]
async fn an_answer_says_its_length_and_date() {
    let house = TestHouse::start().await;
    let answer = send(&house, get("/livez")).await.text.to_lowercase();
    assert!(answer.contains("\r\ncontent-length: 19\r\n"), "{answer}");
    assert!(answer.contains("\r\ndate: "), "{answer}");
    assert!(answer.contains("\r\nconnection: close\r\n"), "{answer}");
}
