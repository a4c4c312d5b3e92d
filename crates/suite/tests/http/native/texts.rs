//! Generated texts are cached like files: sent from memory, never after a change, and to nobody else.

use serde_json::json;
use suite::{Answer, Log, Person};

use crate::{
    catalogue::new_package,
    content::maven::{deploy, lib},
    downloads::cache::hears,
};

const INDEX: &str = "/ada/m2/org/x/lib/maven-metadata.xml";

fn comparable(answer: Answer) -> (u16, reqwest::header::HeaderMap, String) {
    let mut headers = answer.headers.clone();
    headers.remove("x-request-id");
    headers.remove("date");
    (answer.status, headers, answer.text())
}

#[tokio::test]
async fn a_cached_text_is_the_same_and_needs_no_look_up() {
    let log = Log::listen();
    let (house, ada) = lib().await;
    deploy(&ada, "org/x/lib/1.0/lib-1.0.jar", "meow").await;
    hears(&house).await;
    let first = comparable(house.anyone().download(INDEX).await.expect(200));
    for _ in 0..20 {
        assert_eq!(comparable(house.anyone().download(INDEX).await), first);
    }
    let looked_up = log.count(&format!("answered GET /dl{INDEX} with 200"));
    assert!((1..=9).contains(&looked_up), "{looked_up}");
}

#[tokio::test]
async fn conditions_ranges_and_heads_are_answered_from_the_same_text() {
    let (house, ada) = lib().await;
    deploy(&ada, "org/x/lib/1.0/lib-1.0.jar", "meow").await;
    let anyone = house.anyone();
    for round in 0..3 {
        let whole = anyone.download(INDEX).await.expect(200);
        assert_eq!(whole.header("etag").len(), 66, "{round}");
        let head = anyone.head(&format!("//dl{INDEX}")).await.expect(200);
        assert_eq!(
            (head.header("content-length"), head.header("etag")),
            (whole.header("content-length"), whole.header("etag"))
        );
        assert!(head.body.is_empty());
        let same = anyone.download(INDEX).header("if-none-match", whole.header("etag")).await.expect(304);
        assert_eq!((same.header("etag"), same.body.len()), (whole.header("etag"), 0));
        let part = anyone.download(INDEX).header("range", "bytes=0-4").await.expect(206);
        assert_eq!(part.text(), "<?xml");
        assert_eq!(anyone.download(&format!("{INDEX}.sha1")).await.expect(200).text(), whole.header("x-checksum-sha1"));
    }
}

#[tokio::test]
async fn a_publish_is_seen_at_once() {
    let (house, ada) = lib().await;
    deploy(&ada, "org/x/lib/1.0/lib-1.0.jar", "meow").await;
    let anyone = house.anyone();
    let mut before = anyone.download(INDEX).await.expect(200);
    for version in ["1.1", "1.2", "1.3"] {
        for _ in 0..3 {
            anyone.download(INDEX).header("if-none-match", before.header("etag")).await.expect(304);
            anyone.download(INDEX).await.expect(200);
        }
        deploy(&ada, &format!("org/x/lib/{version}/lib-{version}.jar"), "meow").await;
        let after = anyone.download(INDEX).header("if-none-match", before.header("etag")).await.expect(200);
        assert!(after.text().contains(&format!("<version>{version}</version>")), "{}", after.text());
        assert_eq!(anyone.download(INDEX).await.expect(200).text(), after.text());
        before = after;
    }
}

async fn thrice(who: &Person, path: &str, status: u16) {
    for _ in 0..3 {
        who.download(path).await.expect(status);
    }
}

#[tokio::test]
async fn a_private_text_is_for_those_who_may_read_it() {
    let (house, ada) = lib().await;
    ada.post("/repos/ada/vault").json(json!({"type": "maven", "private": true})).await.expect(201);
    new_package(&ada, "ada/vault", "lib").await;
    let jar = "/maven/ada/vault/lib/;publish=1/org/x/lib/1.0/lib-1.0.jar";
    ada.put(jar).body("meow").await.expect(201);
    let index = "/ada/vault/org/x/lib/maven-metadata.xml";
    let client = house.key(&ada, "client", json!({})).await;
    house.grant("ada/vault", "client", "r").await;
    let bob = house.user("bob").await;
    for _ in 0..2 {
        thrice(&ada, index, 200).await;
        thrice(&client, index, 200).await;
        thrice(&bob, index, 404).await;
        thrice(&house.anyone(), index, 401).await;
        thrice(&house.person("ada", "wrong"), index, 401).await;
    }
    let etag = ada.download(index).await.expect(200).header("etag").to_owned();
    bob.download(index).header("if-none-match", &etag).await.expect(404);
    house.anyone().download(index).header("if-none-match", &etag).await.expect(401);
    bob.head(&format!("//dl{index}")).await.expect(404);
    client.download(index).header("if-none-match", &etag).await.expect(304);
    ada.delete("/users/ada/access_keys/client").await.expect(200);
    client.download(index).await.expect(401);
    client.download(index).header("if-none-match", &etag).await.expect(401);
}

#[tokio::test]
async fn what_is_missing_is_named_as_it_was_requested() {
    let house = suite::TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/web").json(json!({"type": "npm"})).await.expect(201);
    let missing = ada.download("/ada/web/@acme/hello").await.expect(404);
    assert_eq!(missing.json()["message"], "File '@acme/hello' was not found");
}
