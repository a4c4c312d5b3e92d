//! Repeated downloads are answered from the cache without a lookup, and never after a change.

use serde_json::json;
use suite::{Answer, Log, Person, TestHouse};

use crate::{
    catalogue::{new_package, new_repo},
    cluster::together::together,
    content::{cat, upload_published},
};

const FILE: &str = "/ada/tools/cat.bin";

/// Downloads three times, which is enough to be cached.
async fn thrice(who: &Person) -> [Answer; 3] {
    [who.download(FILE).await, who.download(FILE).await, who.download(FILE).await]
}

#[tokio::test]
async fn a_kept_answer_is_the_same_answer() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let [first, second, third] = thrice(&house.anyone()).await;
    let comparable = |answer: Answer| {
        let mut headers = answer.headers.clone();
        headers.remove("x-request-id");
        headers.remove("date");
        (answer.status, headers, answer.text())
    };
    assert_ne!(second.header("x-request-id"), third.header("x-request-id"));
    let first = comparable(first);
    assert_eq!(first.0, 200);
    assert_eq!(comparable(second), first);
    assert_eq!(comparable(third), first);
}

/// Waits until every server may use its cache.
pub(crate) async fn hears(house: &TestHouse) {
    for app in house.apps() {
        while !app.house().db.is_cache_coherent() {
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
    }
}

#[tokio::test]
async fn of_a_crowd_that_asks_for_the_same_a_few_look_it_up() {
    let log = Log::listen();
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    hears(&house).await;
    let anyone = house.anyone();
    for answer in together((0..300).map(|_| anyone.download(FILE))).await {
        assert_eq!(answer.expect(200).text(), "meow");
    }
    // Eight at once and those that arrive during their lookups, and as many again for each second.
    let looked_up = log.count(&format!("answered GET /dl{FILE} with 200"));
    assert!((1..=100).contains(&looked_up), "{looked_up}");
    house.flush().await;
    assert_eq!(total(&house).await, 300);
}

#[tokio::test]
async fn other_content_is_seen_at_once() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    thrice(&house.anyone()).await;
    ada.put("/content/ada/tools/cat/1.0/cat.bin?publish=1&override=1").body("purr").await.expect(201);
    assert_eq!(house.anyone().download(FILE).await.expect(200).text(), "purr");
}

#[tokio::test]
async fn a_deleted_file_is_gone_at_once() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    thrice(&house.anyone()).await;
    ada.delete("/content/ada/tools/cat.bin").await.expect(200);
    house.anyone().download(FILE).await.expect(404);
}

#[tokio::test]
async fn a_repository_that_turns_private_is_closed_at_once() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let eve = house.user("eve").await;
    thrice(&house.anyone()).await;
    thrice(&eve).await;
    thrice(&ada).await;
    ada.patch("/repos/ada/tools").json(json!({"private": true})).await.expect(200);
    house.anyone().download(FILE).await.expect(401);
    eve.download(FILE).await.expect(404);
    ada.download(FILE).await.expect(200);
}

#[tokio::test]
async fn a_key_that_was_replaced_opens_nothing_any_more() {
    let (_house, ada) = cat().await;
    ada.patch("/repos/ada/tools").json(json!({"private": true})).await.expect(200);
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    thrice(&ada).await;
    ada.post("/users/ada/api_key").await.expect(201);
    ada.download(FILE).await.expect(401);
}

#[tokio::test]
async fn one_callers_answer_is_not_anothers() {
    let (house, ada) = cat().await;
    ada.patch("/repos/ada/tools").json(json!({"private": true})).await.expect(200);
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let eve = house.user("eve").await;
    thrice(&ada).await;
    house.anyone().download(FILE).await.expect(401);
    eve.download(FILE).await.expect(404);
    house.person("ada", "wrong").download(FILE).await.expect(401);
}

#[tokio::test]
async fn a_link_that_is_cut_leads_nowhere_at_once() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    new_repo(&ada, "ada/mirror").await;
    let link = "/repository/ada/mirror/links/ada/tools/cat";
    ada.put(link).await.expect(201);
    for _ in 0..3 {
        house.anyone().download("/ada/mirror/cat.bin").await.expect(200);
    }
    ada.delete(link).await.expect(200);
    house.anyone().download("/ada/mirror/cat.bin").await.expect(404);
}

#[tokio::test]
async fn every_completed_download_is_counted_once() {
    let (house, ada) = cat().await;
    new_package(&ada, "ada/tools", "dog").await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let anyone = house.anyone();
    let calls = (0..100).map(|_| anyone.download(FILE));
    for answer in together(calls).await {
        answer.expect(200);
    }
    // None of these delivers the whole file.
    anyone.head("//dl/ada/tools/cat.bin").await.expect(200);
    anyone.download(FILE).header("range", "bytes=0-1").await.expect(206);
    anyone.download("/ada/tools/cat.bin.sha1").await.expect(200);
    let etag = anyone.download(FILE).await.header("etag").to_owned();
    anyone.download(FILE).header("if-none-match", &etag).await.expect(304);
    // The end of a file counts as the file.
    anyone.download(FILE).header("range", "bytes=2-").await.expect(206);
    house.flush().await;
    assert_eq!(total(&house).await, 102);
}

/// Returns how often `ada/tools/cat` was downloaded.
async fn total(house: &TestHouse) -> serde_json::Value {
    let shown = house.admin().get("/packages/ada/tools/cat/stats/total_downloads").await.expect(200).json();
    shown["records"][0]["count"].clone()
}
