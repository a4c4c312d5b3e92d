//! The forms in which package managers send credentials.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::json;
use suite::{Answer, TestHouse};

use crate::access::access_key_use::{FILE, vault};

/// The header of a name and a key in base64, after a scheme.
fn pair(scheme: &str, name: &str, key: &str) -> String {
    format!("{scheme} {}", BASE64_STANDARD.encode(format!("{name}:{key}"))).trim().to_owned()
}

async fn shown(house: &TestHouse, path: &str, header: &str, value: &str) -> Answer {
    house.anyone().get(path).header(header, value).await
}

#[tokio::test]
async fn a_key_alone_finds_its_user_everywhere() {
    let (house, ada, client) = vault(&[], json!({})).await;
    let forms = [
        format!("Bearer {}", ada.key()),
        format!("bearer {}", ada.key()),
        ada.key().to_owned(),
        pair("Bearer", "ada", ada.key()),
        pair("", "ada", ada.key()),
        pair("Basic", "ada", ada.key()),
    ];
    for value in forms {
        shown(&house, "/repos/ada/vault", "authorization", &value).await.expect(200);
        for _ in 0..3 {
            assert_eq!(shown(&house, &format!("//dl{FILE}"), "authorization", &value).await.expect(200).text(), "meow");
        }
    }
    let holder = pair("Bearer", "client@ada", client.key());
    assert_eq!(shown(&house, &format!("//dl{FILE}"), "authorization", &holder).await.expect(200).text(), "meow");
    // The password of an access key is not unique, so it never comes alone.
    shown(&house, &format!("//dl{FILE}"), "authorization", &format!("Bearer {}", client.key())).await.expect(401);
}

#[tokio::test]
async fn nugets_header_counts_for_downloads_only() {
    let (house, ada, client) = vault(&[], json!({})).await;
    let file = format!("//dl{FILE}");
    for value in [ada.key().to_owned(), format!("ada:{}", ada.key()), format!("client@ada:{}", client.key())] {
        for _ in 0..3 {
            assert_eq!(shown(&house, &file, "x-nuget-apikey", &value).await.expect(200).text(), "meow");
        }
    }
    house.anyone().get(&file).await.expect(401);
    shown(&house, &file, "x-nuget-apikey", "wrong").await.refuses(401, "The user name or the API key is wrong");
    shown(&house, "/repos/ada/vault", "x-nuget-apikey", ada.key()).await.expect(404);
    let both = ada.get(&file).header("x-nuget-apikey", ada.key());
    assert_eq!(both.await.expect(200).text(), "meow");
    let two = ada.get(&file).header("x-nuget-apikey", "other");
    two.await.refuses(400, "The request has two different credentials");
}

#[tokio::test]
async fn a_new_key_ends_the_old_one_in_every_form() {
    let (house, ada, _) = vault(&[], json!({})).await;
    let old = format!("Bearer {}", ada.key());
    for _ in 0..3 {
        shown(&house, &format!("//dl{FILE}"), "authorization", &old).await.expect(200);
    }
    ada.post("/users/ada/api_key").await.expect(201);
    shown(&house, &format!("//dl{FILE}"), "authorization", &old).await.expect(401);
}

#[tokio::test]
async fn wrong_keys_ask_for_basic_and_are_counted() {
    let limits = [("trusted_proxies", "127.0.0.1/32"), ("limits.wrong_credentials_per_address", "3")];
    let house = TestHouse::start_with(&limits).await;
    let sent = async |value: &str| {
        let call = house.anyone().get("/repos/admin").header("authorization", value);
        call.header("x-forwarded-for", "198.51.100.9").header("x-forwarded-proto", "https").await
    };
    for _ in 0..3 {
        let refused = sent("Bearer wrong").await;
        let refused = refused.refuses(401, "The user name or the API key is wrong");
        assert!(refused.header("www-authenticate").starts_with("Basic "), "{}", refused.header("www-authenticate"));
    }
    sent("Bearer wrong").await.expect(429);
    let reason = "The Authorization header is not HTTP Basic with a user name and an API key, and no API key";
    shown(&house, "/repos/admin", "authorization", "Digest x").await.refuses(401, reason);
}
