//! Rules for every call of the API.

use reqwest::Method;
use serde_json::json;
use suite::TestHouse;

use crate::contract::sample;

#[tokio::test]
async fn wrong_credentials_are_refused_on_every_call() {
    let house = TestHouse::start().await;
    let wrong = house.person("admin", "wrong");
    for endpoint in server::endpoints() {
        let answer = wrong.call(endpoint.method, &sample(endpoint.path)).await;
        let answer = answer.refuses(401, "The user name or the API key is wrong");
        assert!(answer.header("www-authenticate").starts_with("Basic"), "{}", endpoint.path);
    }
}

#[tokio::test]
async fn what_is_not_basic_is_wrong_credentials() {
    let house = TestHouse::start().await;
    for value in ["Bearer abc", "Basic", "Basic !!!", "Basic YWRh", "nonsense"] {
        house.anyone().get("/users/admin").header("authorization", value).await.expect(401);
    }
}

#[tokio::test]
async fn every_error_is_json_with_a_message() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let refused = ada.get("/nothing/here").await.refuses(404, "This URL does not exist");
    assert_eq!(refused.header("content-type"), "application/json");
    let refused = ada.put("/users/ada").await.refuses(405, "This URL does not support this method");
    assert_eq!(refused.header("content-type"), "application/json");
    let mut allowed: Vec<&str> = refused.header("allow").split(',').map(str::trim).collect();
    allowed.sort_unstable();
    assert_eq!(allowed, ["DELETE", "GET", "HEAD", "PATCH"]);
}

#[tokio::test]
async fn head_answers_like_get_without_a_body() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let (get, head) = (ada.get("/users/ada").await.expect(200), ada.call(Method::HEAD, "/users/ada").await.expect(200));
    assert!(head.body.is_empty());
    assert_eq!(head.header("content-length"), get.header("content-length"));
    assert_eq!(head.header("content-type"), get.header("content-type"));
    ada.call(Method::HEAD, "/users/nobody").await.expect(404);
    house.anyone().call(Method::HEAD, "/users/ada").await.expect(401);
}

#[tokio::test]
async fn bodies_need_no_content_type_and_unknown_fields_are_ignored() {
    let house = TestHouse::start().await;
    let body = json!({"name": "ada", "is_site_admin": true, "id": 1, "repos": ["x"], "nested": {"a": [1]}});
    house.admin().post("/users?unknown=1").header("content-type", "text/plain").json(body).await.expect(201);
    assert_eq!(house.admin().get("/users/ada?unknown=1").await.expect(200).json()["repos"], json!([]));
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused() {
    let house = TestHouse::start().await;
    let body = json!({ "name": "ada", "full_name": "x".repeat(300 * 1024) });
    house.admin().post("/users").json(body).await.refuses(413, "The JSON body is larger than 262144 bytes");
}

#[tokio::test]
async fn every_answer_names_its_request() {
    let house = TestHouse::start().await;
    let (one, two) = (house.admin().get("/users/admin").await, house.anyone().get("/users/admin").await);
    assert_eq!(one.header("x-request-id").len(), 16);
    assert_ne!(one.header("x-request-id"), two.header("x-request-id"));
    let written = house.admin().post("/users").json(json!({"name": "ada"})).await.expect(201);
    let newest = house.admin().get("/audit").await.expect(200).json()[0].clone();
    assert_eq!(newest["request_id"], written.header("x-request-id"));
}
