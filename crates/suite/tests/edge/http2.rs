//! HTTP/2 without TLS, by prior knowledge.

use reqwest::Version;
use serde_json::json;
use suite::{Person, TestHouse};
use tokio::task::JoinSet;

use crate::clients;

fn anyone(house: &TestHouse) -> Person {
    Person::new(clients::http2(), format!("http://{}", house.address), None)
}

fn admin(house: &TestHouse) -> Person {
    let admin = house.admin();
    let credentials = (admin.name().to_owned(), admin.key().to_owned());
    Person::new(clients::http2(), format!("http://{}", house.address), Some(credentials))
}

#[tokio::test]
async fn http_2_is_answered_in_http_2() {
    let house = TestHouse::start().await;
    let answer = clients::http2().get(format!("http://{}/livez", house.address)).send().await.expect("an answer");
    assert_eq!((answer.status().as_u16(), answer.version()), (200, Version::HTTP_2));
}

#[tokio::test]
async fn calls_with_bodies_work() {
    let house = TestHouse::start().await;
    admin(&house).post("/users").json(json!({"name": "ada"})).await.expect(201);
    admin(&house).get("/users/ada").await.expect(200);
    admin(&house).post("/users").json(json!({"name": "ada"})).await.expect(409);
}

#[tokio::test]
async fn one_connection_carries_many_requests_at_once() {
    let house = TestHouse::start().await;
    let anyone = anyone(&house);
    let mut calls = JoinSet::new();
    for _ in 0..300 {
        let call = anyone.get("//livez");
        calls.spawn(async move { call.await.status });
    }
    assert_eq!(calls.join_all().await, [200; 300]);
}

#[tokio::test]
async fn targets_are_held_to_the_same_rules() {
    let house = TestHouse::start().await;
    for path in ["/users/a%00b", "/users/a%5cb", "/users/..%2fb", "/users/%252e%252e", "/users/%zz", "/users/%ff"] {
        anyone(&house).get(path).await.expect(400);
    }
    anyone(&house).get(&format!("/{}", "a/".repeat(3_000))).await.expect(414);
    anyone(&house).get(&format!("/users?{}", "a".repeat(9_000))).await.expect(414);
}

#[tokio::test]
async fn two_different_hosts_are_refused() {
    let house = TestHouse::start().await;
    let answer = anyone(&house).get("//livez").header("host", "evil").await;
    answer.refuses(400, "The request names two different hosts");
}

#[tokio::test]
async fn a_head_over_the_limit_is_refused() {
    let house = TestHouse::start().await;
    let long = "a".repeat(20 * 1024);
    let answer = anyone(&house).get("//livez").header("x-long", &long).try_send().await;
    assert!(answer.map_or(true, |answer| answer.status == 431), "a reset stream or 431");
    anyone(&house).get("//livez").await.expect(200);
}

#[tokio::test]
async fn a_body_that_stops_coming_is_not_waited_for() {
    let house = TestHouse::start_with(&[("limits.body_gap_secs", "1")]).await;
    let stalled = reqwest::Body::wrap_stream(futures_util::stream::pending::<std::io::Result<Vec<u8>>>());
    admin(&house).post("/orgs").body(stalled).await.expect(408);
}

#[tokio::test]
async fn a_large_body_is_refused_and_the_connection_goes_on() {
    let house = TestHouse::start().await;
    let admin = admin(&house);
    admin.post("/orgs").body(" ".repeat(300 * 1024)).await.expect(413);
    admin.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
}
