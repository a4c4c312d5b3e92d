//! The daily limit on queries of others' resources.

use serde_json::json;
use suite::{Person, TestHouse};

const LIMIT: &str = "x-ratelimit-limit";
const REMAINING: &str = "x-ratelimit-remaining";

/// A house with a small free plan, a free user, and somebody else to ask about.
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
    // The house's clock stands at noon.
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
