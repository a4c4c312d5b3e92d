//! Usage thresholds: who sets them, and that crossing one is reported once per period.

use model::event::EventKind;
use operations::jobs;
use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    access::{acme::Cast, grants::new_key},
    catalogue::{new_package, new_private_repo, new_repo},
    content::{DAY, upload, upload_published},
    events::stream::count,
};

const ORG: &str = "/usage_threshold/organization/acme";
const REPO: &str = "/usage_threshold/repo/acme/tools";

/// Starts a cast whose organization has the highest plan, and has `acme/tools/cat`.
async fn company() -> Cast {
    let cast = Cast::start().await;
    cast.org("acme").await;
    book(&cast.house, "enterprise").await;
    new_repo(&cast.owner, "acme/tools").await;
    new_package(&cast.owner, "acme/tools", "cat").await;
    cast
}

async fn book(house: &TestHouse, plan: &str) {
    house.admin().put("/subjects/acme/plan").json(json!({ "plan": plan })).await.expect(200);
}

async fn set(who: &Person, path: &str, body: Value) {
    who.post(path).json(body).await.expect(201);
}

/// Runs the comparison, and returns the number of recorded crossings.
async fn told(house: &TestHouse) -> i64 {
    jobs::run_once(house.app().house(), "thresholds").await.expect("watched");
    count(house, "acme", EventKind::UsageThreshold).await
}

async fn download(house: &TestHouse) {
    house.anyone().download("/acme/tools/cat.bin").await.expect(200);
    house.flush().await;
}

#[tokio::test]
async fn thresholds_are_set_shown_changed_and_removed() {
    let cast = company().await;
    for path in [ORG, REPO] {
        let name = if path == ORG { "acme" } else { "acme/tools" };
        let missing = format!("Usage threshold '{name}' was not found");
        cast.admin.get(path).await.refuses(404, &missing);
        cast.admin.patch(path).json(json!({"daily_download_bytes": 1})).await.refuses(404, &missing);
        cast.admin.delete(path).await.refuses(404, &missing);
        let body = json!({"monthly_storage_bytes": 5, "daily_download_bytes": 7});
        let made = cast.admin.post(path).json(body.clone()).await.expect(201);
        let shown = r#"{"monthly_storage_bytes":5,"monthly_download_bytes":null,"daily_download_bytes":7}"#;
        assert_eq!(made.text(), shown);
        assert_eq!(cast.admin.get(path).await.expect(200).text(), shown);
        let exists = format!("Usage thresholds of '{name}' already exist");
        cast.admin.post(path).json(body).await.refuses(409, &exists);
        let change = json!({"monthly_storage_bytes": null, "monthly_download_bytes": 9});
        cast.admin.patch(path).json(change).await.refuses(200, "success");
        let shown = r#"{"monthly_storage_bytes":null,"monthly_download_bytes":9,"daily_download_bytes":7}"#;
        assert_eq!(cast.admin.get(path).await.expect(200).text(), shown);
        cast.admin.delete(path).await.refuses(200, "success");
        cast.admin.get(path).await.refuses(404, &missing);
    }
}

#[tokio::test]
async fn what_is_no_threshold_is_refused() {
    let cast = company().await;
    let mut refusals = String::new();
    for body in [
        json!({}),
        json!({"monthly_storage_bytes": null}),
        json!({"monthly_storage_bytes": 0}),
        json!({"daily_download_bytes": -1}),
        json!({"monthly_download_bytes": "many"}),
    ] {
        let refused = cast.admin.post(REPO).json(body.clone()).await.expect(400);
        refusals += &format!("{body} -> {}\n", refused.message());
    }
    set(&cast.admin, REPO, json!({"daily_download_bytes": 1})).await;
    let emptied = cast.admin.patch(REPO).json(json!({"daily_download_bytes": null})).await.expect(400);
    insta::assert_snapshot!(refusals + &emptied.message(), @r#"
    {} -> monthly_storage_bytes: it or another threshold must be a number of bytes
    {"monthly_storage_bytes":null} -> monthly_storage_bytes: it or another threshold must be a number of bytes
    {"monthly_storage_bytes":0} -> monthly_storage_bytes: it must be 1 or more
    {"daily_download_bytes":-1} -> daily_download_bytes: it must be 1 or more
    {"monthly_download_bytes":"many"} -> monthly_download_bytes: invalid type: string "many", expected i64
    monthly_storage_bytes: it or another threshold must be a number of bytes
    "#);
}

#[tokio::test]
async fn thresholds_are_for_owners_with_a_plan() {
    let cast = company().await;
    let key = new_key(&cast.house, "acme", "client").await;
    let body = json!({"daily_download_bytes": 1});
    for path in [ORG, REPO] {
        for who in [&cast.member, &cast.stranger, &key] {
            who.get(path).await.refuses(403, "You may not do this");
            who.post(path).json(body.clone()).await.refuses(403, "You may not do this");
            who.patch(path).json(body.clone()).await.refuses(403, "You may not do this");
            who.delete(path).await.refuses(403, "You may not do this");
        }
        cast.house.anyone().get(path).await.refuses(401, "This resource requires authentication");
        set(&cast.owner, path, body.clone()).await;
    }
    new_private_repo(&cast.owner, "acme/secret").await;
    let hidden = cast.stranger.get("/usage_threshold/repo/acme/secret").await;
    hidden.refuses(404, "Repository 'secret' was not found");
    cast.owner.get("/usage_threshold/organization/olga").await.refuses(404, "Organization 'olga' was not found");
    book(&cast.house, "premium").await;
    for path in [ORG, REPO] {
        let needed = "This needs the plan 'enterprise' or more";
        cast.owner.patch(path).json(body.clone()).await.refuses(403, needed);
        cast.owner.get(path).await.expect(200);
        cast.owner.delete(path).await.expect(200);
        cast.owner.post(path).json(body.clone()).await.refuses(403, needed);
    }
}

#[tokio::test]
async fn a_threshold_is_told_of_once_a_day_or_month() {
    let cast = company().await;
    let house = &cast.house;
    upload_published(&cast.owner, "acme/tools/cat/1.0/cat.bin", "meow").await;
    set(&cast.owner, REPO, json!({"daily_download_bytes": 8, "monthly_download_bytes": 12})).await;
    download(house).await;
    assert_eq!(told(house).await, 0);
    download(house).await;
    assert_eq!((told(house).await, told(house).await), (1, 1), "8 bytes on a day");
    download(house).await;
    assert_eq!((told(house).await, told(house).await), (2, 2), "12 bytes in a month");
    house.clock.advance(DAY);
    assert_eq!(told(house).await, 2);
    download(house).await;
    download(house).await;
    assert_eq!((told(house).await, told(house).await), (3, 3), "the next day");
    house.clock.advance(30 * DAY);
    assert_eq!(told(house).await, 3);
    for _ in 0..3 {
        download(house).await;
    }
    assert_eq!((told(house).await, told(house).await), (5, 5), "the next month");
}

#[tokio::test]
async fn storage_counts_while_it_is_there() {
    let cast = company().await;
    new_repo(&cast.owner, "acme/other").await;
    new_package(&cast.owner, "acme/other", "cat").await;
    set(&cast.owner, ORG, json!({"monthly_storage_bytes": 8})).await;
    set(&cast.owner, REPO, json!({"monthly_storage_bytes": 8})).await;
    upload(&cast.owner, "acme/tools/cat/1.0/a.bin", "meow").await;
    assert_eq!(told(&cast.house).await, 0);
    upload(&cast.owner, "acme/other/cat/1.0/b.bin", "meow").await;
    assert_eq!(told(&cast.house).await, 1, "both repositories together");
    cast.owner.delete("/content/acme/other/b.bin").await.expect(200);
    cast.house.clock.advance(31 * DAY);
    assert_eq!(told(&cast.house).await, 1);
    upload(&cast.owner, "acme/tools/cat/1.0/c.bin", "meow").await;
    assert_eq!((told(&cast.house).await, told(&cast.house).await), (3, 3), "one and all");
}

#[tokio::test]
async fn another_threshold_is_told_of_again() {
    let cast = company().await;
    upload(&cast.owner, "acme/tools/cat/1.0/a.bin", "meow").await;
    set(&cast.owner, REPO, json!({"monthly_storage_bytes": 1})).await;
    assert_eq!(told(&cast.house).await, 1);
    cast.owner.patch(REPO).json(json!({"daily_download_bytes": 9, "monthly_storage_bytes": 1})).await.expect(200);
    assert_eq!(told(&cast.house).await, 1, "it is the same");
    cast.owner.patch(REPO).json(json!({"monthly_storage_bytes": 2})).await.expect(200);
    assert_eq!((told(&cast.house).await, told(&cast.house).await), (2, 2));
    book(&cast.house, "premium").await;
    cast.house.clock.advance(31 * DAY);
    assert_eq!(told(&cast.house).await, 2, "without the plan nobody watches");
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_find_it_at_once_tell_it_once() {
    let cast = company().await;
    let second = cast.house.start_another().await;
    let other = second.as_ref().unwrap_or(&cast.house);
    upload(&cast.owner, "acme/tools/cat/1.0/a.bin", "meow").await;
    set(&cast.owner, REPO, json!({"monthly_storage_bytes": 4})).await;
    let watch = |house: &TestHouse| {
        let app = house.app().clone();
        tokio::spawn(async move { jobs::run_once(app.house(), "thresholds").await.expect("watched") })
    };
    let watching: Vec<_> = (0..8).map(|number| watch(if number % 2 == 0 { &cast.house } else { other })).collect();
    for watch in watching {
        watch.await.expect("it ends");
    }
    assert_eq!(count(&cast.house, "acme", EventKind::UsageThreshold).await, 1);
}
