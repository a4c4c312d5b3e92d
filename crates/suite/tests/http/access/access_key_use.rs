//! The use of an access key: from which networks, until when, and where it has no access.

use std::net::Ipv4Addr;

use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::{
    catalogue::{new_package, new_private_repo},
    content::upload_published,
};

pub(crate) const FILE: &str = "/ada/vault/cat.bin";

/// Noon of the first day in tests, in milliseconds.
const NOON: i64 = 1_768_478_400_000;

/// Starts a house where ada has a published file in a private repository, and the holder of a key that reads it.
pub(crate) async fn vault(settings: &[(&str, &str)], terms: Value) -> (TestHouse, Person, Person) {
    let house = TestHouse::start_with(settings).await;
    let (ada, client) = vault_in(&house, terms).await;
    (house, ada, client)
}

/// Does the same in an existing house.
pub(crate) async fn vault_in(house: &TestHouse, terms: Value) -> (Person, Person) {
    let ada = house.user("ada").await;
    new_private_repo(&ada, "ada/vault").await;
    new_package(&ada, "ada/vault", "cat").await;
    upload_published(&ada, "ada/vault/cat/1.0/cat.bin", "meow").await;
    let client = house.key(&ada, "client", terms).await;
    house.grant("ada/vault", "client", "r").await;
    (ada, client)
}

async fn thrice(who: &Person) {
    for _ in 0..3 {
        assert_eq!(who.download(FILE).await.expect(200).text(), "meow");
    }
}

/// Returns the same person at another IP address of this machine.
fn from(house: &TestHouse, address: Ipv4Addr, who: &Person) -> Person {
    let client = reqwest::Client::builder().no_proxy().local_address(std::net::IpAddr::V4(address));
    let credentials = Some((who.name().to_owned(), who.key().to_owned()));
    Person::new(client.build().expect("a client"), format!("http://{}", house.address), credentials)
}

#[tokio::test]
async fn a_key_reads_what_it_was_given_and_nothing_else() {
    let (house, ada, client) = vault(&[], json!({})).await;
    thrice(&client).await;
    client.get("/packages/ada/vault/cat").await.expect(200);
    new_private_repo(&ada, "ada/other").await;
    client.get("/repos/ada/other").await.refuses(404, "Repository 'other' was not found");
    client.download("/ada/other/x").await.expect(404);
    client.post("/packages/ada/vault").json(json!({"name": "dog"})).await.expect(403);
    let wrong = [("client@ada", "wrong"), ("client@bob", client.key()), ("ada", client.key()), ("x@ada", "")];
    for (name, password) in wrong {
        let refused = house.person(name, password).download(FILE).await;
        refused.refuses(401, "The user name or the API key is wrong");
    }
}

#[tokio::test]
async fn a_key_ends_when_it_expires() {
    let (house, _ada, client) = vault(&[], json!({"expiry": NOON + 5_000})).await;
    thrice(&client).await;
    house.clock.advance(4_999);
    client.download(FILE).await.expect(200);
    house.clock.advance(1);
    client.download(FILE).await.refuses(401, "The access key has expired");
    client.get("/licenses/oss_licenses").await.refuses(401, "The access key has expired");
}

#[tokio::test]
async fn a_key_is_good_in_its_networks() {
    let terms = json!({"white_cidrs": ["127.0.0.1"]});
    let (house, ada, client) = vault(&[], terms).await;
    thrice(&client).await;
    let elsewhere = from(&house, Ipv4Addr::new(127, 0, 0, 2), &client);
    let refusal = "The access key may not be used from this network";
    elsewhere.download(FILE).await.refuses(403, refusal);
    elsewhere.get("/packages/ada/vault/cat").await.refuses(403, refusal);
    client.download(FILE).await.expect(200);
    let change = json!({"white_cidrs": [], "black_cidrs": ["127.0.0.1/32"]});
    ada.patch("/users/ada/access_keys/client").json(change).await.expect(200);
    client.download(FILE).await.refuses(403, refusal);
    elsewhere.download(FILE).await.expect(200);
}

#[tokio::test]
async fn the_network_is_that_of_the_client_behind_the_proxy() {
    let terms = json!({"white_cidrs": ["198.51.100.0/24", "2001:db8::/32"]});
    let (_house, _ada, client) = vault(&[("trusted_proxies", "127.0.0.1")], terms).await;
    for (address, status) in [("198.51.100.7", 200), ("2001:db8::7", 200), ("198.51.101.7", 403), ("2001:db9::7", 403)]
    {
        let call = client.download(FILE).header("x-forwarded-for", address).header("x-forwarded-proto", "https");
        call.await.expect(status);
    }
}

#[tokio::test]
async fn a_key_for_the_api_downloads_nothing() {
    let (_house, _ada, client) = vault(&[], json!({"api_only": true})).await;
    let refusal = "The access key is for the API only and cannot download files";
    client.get("/packages/ada/vault/cat").await.expect(200);
    client.download(FILE).await.refuses(403, refusal);
    client.download("/ada/vault/").await.refuses(403, refusal);
    client.get("/content/ada/vault/cat.bin?svc_package=cat").await.refuses(403, refusal);
    client.get("/maven/ada/vault/cat/cat.bin").await.refuses(403, refusal);
}

#[tokio::test]
async fn a_change_of_a_key_ends_what_was_kept_at_once() {
    let (house, ada, client) = vault(&[], json!({})).await;
    thrice(&client).await;
    ada.patch("/users/ada/access_keys/client").json(json!({"api_only": true})).await.expect(200);
    client.download(FILE).await.expect(403);
    ada.patch("/users/ada/access_keys/client").json(json!({"api_only": false})).await.expect(200);
    thrice(&client).await;
    let renewed = ada.post("/users/ada/access_keys/client/password").await.expect(201).json();
    client.download(FILE).await.expect(401);
    let client = house.person("client@ada", renewed["password"].as_str().expect("a text"));
    thrice(&client).await;
    ada.delete("/users/ada/access_keys/client").await.expect(200);
    client.download(FILE).await.expect(401);
}

#[tokio::test]
async fn a_key_goes_with_its_owner() {
    let (house, _ada, client) = vault(&[], json!({})).await;
    thrice(&client).await;
    house.admin().delete("/users/ada").await.expect(200);
    client.download(FILE).await.expect(401);
}
