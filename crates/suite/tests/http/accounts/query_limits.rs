//! The daily limit of queries about other subjects' resources.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use suite::{Answer, Person, TestHouse};

use crate::{
    catalogue::{new_package, new_repo},
    content::upload_published,
};

const LIMIT: &str = "x-ratelimit-limit";
const REMAINING: &str = "x-ratelimit-remaining";

/// Starts a house with a small free plan, a free user, and another user to ask about.
async fn house_with_a_free_user() -> (TestHouse, Person) {
    let house = TestHouse::start_with(&[("limits.free_queries_per_day", "5"), ("default_plan", "free")]).await;
    let ada = house.user("ada").await;
    house.user("bob").await;
    (house, ada)
}

#[tokio::test]
async fn queries_of_others_are_counted_and_told() {
    let (_house, ada) = house_with_a_free_user().await;
    for left in ["4", "3", "2", "1", "0"] {
        let answer = ada.get("/users/bob").await.expect(200);
        assert_eq!((answer.header(LIMIT), answer.header(REMAINING)), ("5", left));
    }
    let refused = ada.get("/users/bob").await.expect(429);
    assert_eq!(refused.message(), "You have exceeded your API call limit of 5 queries a day");
    assert_eq!((refused.header(LIMIT), refused.header(REMAINING)), ("5", "0"));
    // The house's clock is at noon.
    assert_eq!(refused.header("retry-after"), "43201");
}

#[tokio::test]
async fn ones_own_resources_and_organizations_are_free_even_at_the_limit() {
    let (house, ada) = house_with_a_free_user().await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    for _ in 0..5 {
        ada.get("/users/bob").await.expect(200);
    }
    assert_eq!(ada.get("/users/ada").await.expect(200).header(REMAINING), "0");
    ada.get("/orgs/acme").await.expect(200);
    ada.get("/users/bob").await.expect(429);
    house.admin().get("/users/bob").await.expect(200);
}

#[tokio::test]
async fn a_new_day_begins_at_midnight_utc() {
    let (house, ada) = house_with_a_free_user().await;
    for _ in 0..5 {
        ada.get("/users/bob").await.expect(200);
    }
    house.clock.advance(12 * 3_600_000 - 1);
    ada.get("/users/bob").await.expect(429);
    house.clock.advance(1);
    assert_eq!(ada.get("/users/bob").await.expect(200).header(REMAINING), "4");
}

#[tokio::test]
async fn two_hundred_calls_at_once_are_counted_exactly() {
    let house = TestHouse::start_with(&[("limits.free_queries_per_day", "120"), ("default_plan", "free")]).await;
    let ada = house.user("ada").await;
    house.user("bob").await;
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..200 {
        let ada = ada.clone();
        calls.spawn(async move { ada.get("/users/bob").await.status });
    }
    let statuses = calls.join_all().await;
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 120);
    assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 80);
}

#[tokio::test]
async fn plans_have_their_own_limits_and_the_largest_has_none() {
    let (house, ada) = house_with_a_free_user().await;
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "premium"})).await.expect(200);
    assert_eq!(ada.get("/users/bob").await.expect(200).header(LIMIT), "50000");
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    assert_eq!(ada.get("/users/bob").await.expect(200).header(LIMIT), "");
}

#[tokio::test]
async fn anonymous_callers_have_no_limit_headers() {
    let (house, _ada) = house_with_a_free_user().await;
    assert_eq!(house.anyone().get("/openapi.json").await.expect(200).header(LIMIT), "");
}

/// Returns the limit headers of a response, as `remaining/limit`.
fn told(answer: &Answer) -> String {
    format!("{}/{}", answer.header(REMAINING), answer.header(LIMIT))
}

/// Publishes a public file of ada's.
async fn publish_cat(ada: &Person) {
    new_repo(ada, "ada/tools").await;
    new_package(ada, "ada/tools", "cat").await;
    upload_published(ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
}

/// Downloads until a response has these limits. A node learns within a second what other nodes have counted; a single
/// node knows at once.
async fn download_tells(house: &TestHouse, who: &Person, expected: &str) {
    let (tries, pause) = if house.apps().count() == 1 { (1, 0) } else { (100, 50) };
    let mut last = String::new();
    for _ in 0..tries {
        last = told(&who.download("/ada/tools/cat.bin").await.expect(200));
        if last == expected {
            return;
        }
        tokio::time::sleep(Duration::from_millis(pause)).await;
    }
    panic!("{last} is not {expected}");
}

#[tokio::test]
async fn every_answer_to_a_counted_caller_tells_what_is_left() {
    let (_house, ada) = house_with_a_free_user().await;
    publish_cat(&ada).await;
    ada.get("/users/bob").await.expect(200);
    let (get, file) = (Method::GET, "//dl/ada/tools/cat.bin");
    for (method, path, status) in [
        (get.clone(), "/nothing", 404),
        (get.clone(), "/users/bob/nothing/at/all", 404),
        (Method::POST, "/nothing", 404),
        (Method::PATCH, "/repos/bob", 405),
        (Method::POST, "/content/bob/tools/a.txt", 405),
        (Method::PUT, "/search/repos", 405),
        (Method::DELETE, file, 405),
        (get.clone(), "/openapi.json", 200),
        (get.clone(), "/users/ada", 200),
        (get.clone(), "/packages/ada/tools/none", 404),
        (Method::POST, "/repos/ada/tools", 409),
        (Method::HEAD, file, 200),
        (get.clone(), "//dl/ada/tools/", 200),
        (get.clone(), "//dl/ada/tools/none", 404),
        (get.clone(), "//dl/nobody", 404),
    ] {
        let answer = ada.call(method.clone(), path).await;
        assert_eq!((answer.status, told(&answer)), (status, "4/5".to_owned()), "{method} {path}");
    }
    for _ in 0..5 {
        assert_eq!(told(&ada.get(file).await.expect(200)), "4/5");
    }
    let part = ada.get(file).header("range", "bytes=1-2").await.expect(206);
    let same = ada.get(file).header("if-none-match", "*").await.expect(304);
    assert_eq!((told(&part), told(&same)), ("4/5".to_owned(), "4/5".to_owned()));
}

#[tokio::test]
async fn wrong_credentials_are_refused_where_nothing_is_too() {
    let (house, _ada) = house_with_a_free_user().await;
    for path in ["/nothing", "//dl/nobody", "/content/bob/tools/a.txt"] {
        house.person("ada", "wrong").post(path).await.expect(401);
    }
}

#[tokio::test]
async fn an_answer_that_is_sent_again_tells_what_is_left_now() {
    let house = TestHouse::start_with(&[("limits.premium_queries_per_day", "5")]).await;
    let (ada, _bob) = (house.user("ada").await, house.user("bob").await);
    publish_cat(&ada).await;
    let key = house.key(&ada, "guest", json!({})).await;
    for left in ["4/5", "3/5", "2/5"] {
        // Cached for her and for her key, which shares her limit.
        for _ in 0..3 {
            ada.download("/ada/tools/cat.bin").await.expect(200);
            key.download("/ada/tools/cat.bin").await.expect(200);
        }
        ada.get("/users/bob").await.expect(200);
        download_tells(&house, &ada, left).await;
        download_tells(&house, &key, left).await;
        let anyone = house.anyone().download("/ada/tools/cat.bin").await.expect(200);
        assert_eq!(told(&anyone), "/");
    }
    house.clock.advance(12 * 3_600_000);
    download_tells(&house, &ada, "5/5").await;
    house.admin().put("/subjects/ada/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    download_tells(&house, &ada, "/").await;
}
