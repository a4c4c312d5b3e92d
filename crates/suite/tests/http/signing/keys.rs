//! Signing keys: stored, generated, shown, deleted.

use serde_json::json;
use suite::{Answer, Gpg, NewKey, Person, TestHouse};

use crate::{
    access::acme::Cast,
    content::{DAY, cat, upload_published},
    signing::is_signed,
};

/// Creates a repository of ada's that signs with ada's key.
async fn own_key_cat() -> (TestHouse, Person) {
    let (house, ada) = cat().await;
    let flags = json!({"gpg_sign_files": true, "gpg_use_owner_key": true});
    ada.patch("/repos/ada/tools").json(flags).await.expect(200);
    (house, ada)
}

/// Stores a key with these properties, and verifies its signatures with the public key that the server returns.
async fn assert_signs(key: NewKey<'_>, passphrase: Option<&str>) {
    let (house, ada) = own_key_cat().await;
    let private_key = Gpg::new().private_key(key);
    let body = json!({"private_key": private_key, "passphrase": passphrase});
    let stored = ada.put("/users/ada/keys/gpg").json(body).await.expect(200).json();
    assert_eq!((&stored["message"], &stored["needs_passphrase"]), (&json!("success"), &json!(false)));
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    assert!(is_signed(&ring_of(&house, "ada").await, &house.anyone(), "/ada/tools/cat.tar").await);
}

/// Returns a key ring with only the public key of a user.
async fn ring_of(house: &TestHouse, user: &str) -> Gpg {
    let gpg = Gpg::new();
    let shown = house.anyone().get(&format!("/users/{user}/keys/gpg/public.key")).await.expect(200);
    assert_eq!(shown.header("content-type"), "text/plain; charset=utf-8");
    assert!(shown.text().starts_with("-----BEGIN PGP PUBLIC KEY BLOCK-----\n"), "{}", shown.text());
    gpg.import(&shown.text());
    gpg
}

fn store(by: &Person, user: &str, private_key: &str) -> suite::Call {
    by.put(&format!("/users/{user}/keys/gpg")).json(json!({ "private_key": private_key }))
}

#[tokio::test]
async fn an_ed25519_key_without_a_passphrase_signs() {
    assert_signs(NewKey::default(), None).await;
}

#[tokio::test]
async fn an_rsa_key_without_a_passphrase_signs() {
    assert_signs(NewKey { algorithm: "rsa2048", ..NewKey::default() }, None).await;
}

#[tokio::test]
async fn an_ed25519_subkey_signs_and_its_passphrase_is_needed_once() {
    let key = NewKey { usage: "cert", passphrase: "open sesame", ..NewKey::default() };
    assert_signs(key, Some("open sesame")).await;
}

#[tokio::test]
async fn an_rsa_subkey_signs_and_its_passphrase_is_needed_once() {
    let key = NewKey { algorithm: "rsa3072", usage: "cert", passphrase: "open sesame", ..NewKey::default() };
    assert_signs(key, Some("open sesame")).await;
}

#[tokio::test]
async fn a_curve_of_nist_signs() {
    assert_signs(NewKey { algorithm: "nistp384", ..NewKey::default() }, None).await;
}

#[tokio::test]
async fn a_subkey_signs_without_the_private_part_of_its_primary_key() {
    let (house, ada) = own_key_cat().await;
    let private_key = Gpg::new().private_subkeys(NewKey { usage: "cert", passphrase: "x y", ..NewKey::default() });
    let body = json!({"private_key": private_key, "passphrase": "x y"});
    ada.put("/users/ada/keys/gpg").json(body).await.expect(200);
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    assert!(is_signed(&ring_of(&house, "ada").await, &house.anyone(), "/ada/tools/cat.tar").await);
}

#[tokio::test]
async fn what_cannot_sign_is_refused_and_nothing_of_it_is_repeated() {
    let (_house, ada) = own_key_cat().await;
    let gpg = Gpg::new();
    let locked = gpg.private_key(NewKey { passphrase: "open sesame", ..NewKey::default() });
    let no_key = "private_key: it is not an armoured OpenPGP private key";
    for text in ["", "CANARY", &gpg.public_key("ada"), &locked[..200]] {
        store(&ada, "ada", text).await.refuses(400, no_key);
    }
    let stub = gpg.private_subkeys(NewKey { name: "bob", ..NewKey::default() });
    store(&ada, "ada", &stub).await.refuses(400, "private_key: no part of it can sign");
    let short = gpg.private_key(NewKey { name: "eve", algorithm: "rsa1024", ..NewKey::default() });
    store(&ada, "ada", &short).await.refuses(400, "private_key: no part of it can sign");
    let wrong = json!({"private_key": locked, "passphrase": "CANARY"});
    let refusal = "passphrase: it does not open the GPG key";
    ada.put("/users/ada/keys/gpg").json(wrong).await.refuses(400, refusal);
    ada.put("/users/ada/keys/gpg")
        .json(json!({"private_key": 417_417}))
        .await
        .refuses(400, "private_key: it must be a text");
    ada.put("/users/ada/keys/gpg").json(json!({})).await.expect(400);
    ada.get("/users/ada/keys/gpg").await.refuses(404, "GPG key of 'ada' was not found");
}

#[tokio::test]
async fn a_key_is_made_shown_replaced_and_deleted() {
    let (house, ada) = own_key_cat().await;
    let first = ada.post("/users/ada/keys/gpg/generate").await.expect(201).json();
    assert_eq!(first["message"], "success");
    let shown = ada.get("/users/ada/keys/gpg").await.expect(200).json();
    let expected = json!({
        "fingerprint": first["fingerprint"], "needs_passphrase": false, "created": "2026-01-15T12:00:00.000Z",
    });
    assert_eq!(shown, expected);
    let public = house.anyone().get("/users/ada/keys/gpg/public.key").await.expect(200).text();
    let print = first["fingerprint"].as_str().expect("a fingerprint");
    assert!(Gpg::new().import(&public).contains(&format!("IMPORT_OK 1 {print}")), "{public}");
    let second = ada.post("/users/ada/keys/gpg/generate").await.expect(201).json();
    assert_ne!(first["fingerprint"], second["fingerprint"]);
    ada.delete("/users/ada/keys/gpg").await.refuses(200, "success");
    ada.delete("/users/ada/keys/gpg").await.refuses(404, "GPG key of 'ada' was not found");
    let missing = house.anyone().get("/users/ada/keys/gpg/public.key").await.expect(404);
    missing.refuses(404, "GPG key of 'ada' was not found");
    house.anyone().get("/users/nobody/keys/gpg/public.key").await.refuses(404, "GPG key of 'nobody' was not found");
}

#[tokio::test]
async fn the_public_key_of_the_server_is_one_and_the_same() {
    let house = TestHouse::start().await;
    let keys = crate::cluster::together::together((0..8).map(|_| house.anyone().get("/keys/gpg/public.key"))).await;
    let texts: Vec<String> = keys.into_iter().map(|answer: Answer| answer.expect(200).text()).collect();
    assert!(texts.iter().all(|text| *text == texts[0]));
    assert!(Gpg::new().import(&texts[0]).contains("IMPORT_OK 1 "));
}

#[tokio::test]
async fn a_key_that_ends_is_warned_of_from_thirty_days_before_and_signs_no_more_after() {
    let (house, ada) = own_key_cat().await;
    let private_key = Gpg::new().private_key(NewKey { expires: "40d", ..NewKey::default() });
    let stored = store(&ada, "ada", &private_key).await.expect(200).json();
    assert_eq!((&stored["expires"], &stored["warning"]), (&json!("2026-02-24T11:00:00.000Z"), &json!(null)));
    let metric = "packhouse_gpg_key_expiry_timestamp_seconds{owner=\"ada\",fingerprint=\"";
    let numbers = house.anyone().get("//metrics").await.expect(200).text();
    assert!(numbers.lines().any(|line| line.starts_with(metric) && line.ends_with("\"} 1771930800")), "{numbers}");
    house.clock.advance(10 * DAY);
    let warning = "The GPG key expires at 2026-02-24T11:00:00.000Z, in 29 days; store one that lasts longer";
    assert_eq!(ada.get("/users/ada/keys/gpg").await.expect(200).json()["warning"], warning);
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    house.clock.advance(30 * DAY);
    let refusal = "gpg key: it has expired at 2026-02-24T11:00:00.000Z; store a new one";
    let publish = ada.put("/content/ada/tools/cat/2.0/dog.tar?publish=1").body("woof");
    publish.await.refuses(400, refusal);
    store(&ada, "ada", &private_key).await.refuses(400, "private_key: it has expired");
}

#[tokio::test]
async fn keys_are_for_those_who_run_the_account() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    let mut allowed = Vec::new();
    for (name, actor) in cast.actors() {
        let made = actor.post("/orgs/acme/keys/gpg/generate").await;
        let shown = actor.get("/orgs/acme/keys/gpg").await;
        let denied = (made.status, shown.status) == (403, 403);
        assert!(denied || (made.status, shown.status) == (201, 200), "{name}: {} {}", made.status, shown.status);
        allowed.extend((!denied).then_some(name));
    }
    assert_eq!(allowed, ["owner", "admin", "site admin"]);
    cast.stranger.delete("/orgs/acme/keys/gpg").await.expect(403);
    cast.house.anyone().put("/users/olga/keys/gpg").json(json!({"private_key": "x"})).await.expect(401);
    cast.stranger.put("/users/olga/keys/gpg").json(json!({"private_key": "x"})).await.expect(403);
    cast.house.anyone().get("/orgs/olga/keys/gpg/public.key").await.expect(404);
}
