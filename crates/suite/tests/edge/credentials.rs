//! Credentials: missing ones, wrong ones, and that wrong ones reveal nothing.

use suite::{Answer, TestHouse};

use crate::{
    methods::filled,
    wire::{authorization, head, send},
};

fn is_challenge(answer: &Answer) -> bool {
    answer.status == 401
        && answer.header("www-authenticate").starts_with("Basic realm=")
        && !answer.message().is_empty()
}

#[tokio::test]
async fn wrong_credentials_are_challenged_by_every_call() {
    let house = TestHouse::start().await;
    let nobody = house.person("nobody", "wrong");
    for endpoint in server::endpoints() {
        for version in ["", "/v1"] {
            let path = format!("{version}{}", filled(endpoint.path));
            let answer = nobody.call(endpoint.method.clone(), &path).await;
            assert!(is_challenge(&answer), "{} {path}: {} {}", endpoint.method, answer.status, answer.text());
        }
    }
}

/// "Wrong credentials are 401 on EVERY resource, open ones too."
#[tokio::test]
async fn wrong_credentials_are_challenged_by_open_resources_too() {
    let house = TestHouse::start().await;
    for path in ["/openapi.json", "/docs"] {
        house.anyone().get(path).await.expect(200);
        let answer = house.person("nobody", "wrong").get(path).await;
        assert!(is_challenge(&answer), "{path}: {}", answer.status);
    }
}

#[tokio::test]
async fn a_header_that_cannot_be_basic_is_wrong_credentials_and_not_none() {
    let house = TestHouse::start().await;
    let long = format!("Basic {}", "YWRhOg==".repeat(2_000));
    for value in [
        "",
        "Basic",
        "Basic ",
        "Basic !!!",
        "Basic YWRh",
        "Basic /////w==",
        "Basic YWRtaW46a2V5 YWRtaW46a2V5",
        "Basic YWRtaW46a2V5, Basic YWRtaW46a2V5",
        "Bearer abc",
        "Digest username=\"admin\"",
        "YWRtaW46a2V5",
        "Basic AGFkbWluOgBr",
        &long,
    ] {
        let answer = house.anyone().get("/users/admin").header("authorization", value).await;
        assert!(is_challenge(&answer), "{value}: {} {}", answer.status, answer.text());
    }
}

#[tokio::test]
async fn the_scheme_is_read_in_any_case() {
    let house = TestHouse::start().await;
    let line = authorization(&house.admin()).replace("Authorization: Basic", "aUTHORIZATION: bASIC");
    assert_eq!(send(&house, head("GET /api/users/admin HTTP/1.1", &line)).await.status(), Some(200));
}

#[tokio::test]
async fn two_authorization_headers_are_refused_even_when_both_are_right() {
    let house = TestHouse::start().await;
    let right = authorization(&house.admin());
    let wrong = authorization(&house.person("admin", "wrong"));
    for lines in [right.repeat(2), [right.as_str(), &wrong].concat(), [wrong.as_str(), &right].concat()] {
        let answer = send(&house, head("GET /api/users/admin HTTP/1.1", &lines)).await;
        assert_eq!(answer.status(), Some(400), "{}", answer.text);
    }
}

#[tokio::test]
async fn unknown_names_and_wrong_keys_are_told_the_same() {
    let house = TestHouse::start().await;
    let (ada, eve) = (house.user("ada").await, house.user("eve").await);
    let mut answers = Vec::new();
    for (name, key) in [
        ("nobody", "wrong"),
        ("ada", "wrong"),
        ("ada", eve.key()),
        ("nobody", ada.key()),
        ("ADA", ada.key()),
        ("ada", ""),
        ("", ada.key()),
        ("../ada", ada.key()),
        ("ada\0", ada.key()),
        ("ada", &ada.key().to_uppercase()),
        ("ada", &format!("{} ", ada.key())),
    ] {
        let request = head("GET /api/users/ada HTTP/1.1", &authorization(&house.person(name, key)));
        answers.push(without_id_and_date(&send(&house, request).await.text));
    }
    assert!(answers[0].starts_with("HTTP/1.1 401 Unauthorized\r\n"), "{}", answers[0]);
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:#?}");
}

fn without_id_and_date(answer: &str) -> String {
    let is_kept = |line: &&str| !line.starts_with("x-request-id:") && !line.starts_with("date:");
    answer.split_inclusive("\r\n").filter(is_kept).collect()
}

#[tokio::test]
async fn no_credentials_are_challenged_where_they_are_needed() {
    let house = TestHouse::start().await;
    let answer = house.anyone().get("/users/admin").await;
    assert!(is_challenge(&answer));
    assert_eq!(answer.message(), "This resource requires authentication");
}

#[tokio::test]
async fn an_answer_never_repeats_a_key() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    for answer in [
        ada.get("/users/ada").await,
        ada.get("/audit").await,
        ada.get("/nothing").await,
        house.admin().get("/audit").await,
        house.person("eve", ada.key()).get("/users/ada").await,
    ] {
        assert!(!answer.text().contains(ada.key()));
        assert!(!format!("{:?}", answer.headers).contains(ada.key()));
    }
}
