//! Signing of existing files, and helpers for the other tests of signing.

pub(crate) mod forms;
pub(crate) mod guesses;
pub(crate) mod indexes;
pub(crate) mod keyring;
pub(crate) mod keys;
pub(crate) mod lifecycle;
pub(crate) mod publish;
pub(crate) mod races;

use serde_json::json;
use suite::{Gpg, NewKey, Person, TestHouse};

use crate::{
    catalogue::{new_package, new_repo},
    content::{DAY, cat, published, read, stored, upload, upload_published},
};

/// Starts a house with the package `ada/tools/cat` in a repository that signs, and ada.
pub(crate) async fn signing_cat() -> (TestHouse, Person) {
    let (house, ada) = cat().await;
    ada.patch("/repos/ada/tools").json(json!({"gpg_sign_files": true})).await.expect(200);
    (house, ada)
}

/// Starts the same with ada's own key that needs this passphrase.
pub(crate) async fn locked_cat(passphrase: &str) -> (TestHouse, Person, Gpg) {
    let (house, ada) = signing_cat().await;
    let gpg = Gpg::new();
    let private_key = gpg.private_key(NewKey { passphrase, ..NewKey::default() });
    ada.patch("/repos/ada/tools").json(json!({"gpg_use_owner_key": true})).await.expect(200);
    ada.put("/users/ada/keys/gpg").json(json!({ "private_key": private_key })).await.expect(200);
    (house, ada, gpg)
}

/// Returns a key ring with the server's own public key.
pub(crate) async fn ring_of_server(house: &TestHouse) -> Gpg {
    let gpg = Gpg::new();
    gpg.import(&house.anyone().get("/keys/gpg/public.key").await.expect(200).text());
    gpg
}

/// Returns whether the signature file of a file is good, as this caller reads both.
pub(crate) async fn is_signed(gpg: &Gpg, who: &Person, path: &str) -> bool {
    let signature = who.download(&format!("{path}.asc")).await.expect(200).body;
    gpg.verifies(&signature, &who.download(path).await.expect(200).body)
}

#[tokio::test]
async fn a_published_file_is_signed_with_the_servers_key_and_the_signature_is_published_at_once() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    ada.patch("/repos/ada/tools").json(json!({"gpg_sign_files": true})).await.expect(200);
    ada.post("/gpg/ada/tools/cat.tar").await.refuses(200, "success");
    let gpg = ring_of_server(&house).await;
    assert!(is_signed(&gpg, &house.anyone(), "/ada/tools/cat.tar").await);
    let signature = house.anyone().download("/ada/tools/cat.tar.asc").await.expect(200);
    assert!(signature.text().starts_with("-----BEGIN PGP SIGNATURE-----\n"), "{}", signature.text());
    assert!(!gpg.verifies(&signature.body, b"woof"));
}

#[tokio::test]
async fn a_version_is_signed_file_by_file_published_or_not() {
    let (house, ada) = cat().await;
    let large = "meow".repeat(1_000_000);
    for (path, content) in [("a.tar", "a"), ("b/b.tar", ""), ("c.tar", large.as_str())] {
        upload_published(&ada, &format!("ada/tools/cat/1.0/{path}"), content).await;
    }
    upload(&ada, "ada/tools/cat/1.0/d.tar", "d").await;
    upload_published(&ada, "ada/tools/cat/2.0/e.tar", "e").await;
    ada.patch("/repos/ada/tools").json(json!({"gpg_sign_files": true})).await.expect(200);
    ada.post("/gpg/ada/tools/cat/versions/1.0").await.refuses(200, "success");
    let gpg = ring_of_server(&house).await;
    for path in ["a.tar", "b/b.tar", "c.tar"] {
        assert!(is_signed(&gpg, &house.anyone(), &format!("/ada/tools/{path}")).await, "{path}");
    }
    assert!(is_signed(&gpg, &ada, "/ada/tools/d.tar").await);
    house.anyone().download("/ada/tools/d.tar.asc").await.expect(404);
    ada.download("/ada/tools/e.tar.asc").await.expect(404);
    assert_eq!(stored(&ada, "ada/tools/cat").await.len(), 9);
}

#[tokio::test]
async fn what_waits_is_signed_and_published_with_its_signature() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    ada.patch("/repos/ada/tools").json(json!({"gpg_sign_files": true})).await.expect(200);
    ada.post("/gpg/ada/tools/cat.tar").await.refuses(200, "success");
    ada.patch("/repos/ada/tools").json(json!({"gpg_sign_files": false})).await.expect(200);
    assert_eq!(published(&ada, "ada/tools/cat").await, [""; 0]);
    ada.post("/content/ada/tools/cat/1.0/publish").await.expect(200);
    assert!(is_signed(&ring_of_server(&house).await, &house.anyone(), "/ada/tools/cat.tar").await);
}

#[tokio::test]
async fn the_form_of_a_version_wins_where_such_a_version_exists() {
    let (_house, ada) = signing_cat().await;
    let file = "ada/tools/dog/1.0/cat/versions/1.0";
    new_package(&ada, "ada/tools", "dog").await;
    upload(&ada, file, "woof").await;
    ada.post("/gpg/ada/tools/cat/versions/1.0").await.refuses(200, "success");
    assert_eq!(stored(&ada, "ada/tools/dog").await, ["cat/versions/1.0", "cat/versions/1.0.asc"]);
    upload(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    ada.delete("/content/ada/tools/cat/versions/1.0.asc").await.expect(200);
    ada.post("/gpg/ada/tools/cat/versions/1.0").await.refuses(200, "success");
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["cat.tar", "cat.tar.asc"]);
    assert_eq!(stored(&ada, "ada/tools/dog").await, ["cat/versions/1.0"]);
}

#[tokio::test]
async fn signing_has_to_be_enabled_and_the_file_to_be_there() {
    let (house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    let disabled = "gpg_sign_files: signing is not enabled on repository 'tools'";
    ada.post("/gpg/ada/tools/cat.tar").await.refuses(400, disabled);
    ada.post("/gpg/ada/tools/cat/versions/1.0").await.refuses(400, disabled);
    ada.patch("/repos/ada/tools").json(json!({"gpg_sign_files": true})).await.expect(200);
    ada.post("/gpg/ada/tools/dog.tar").await.refuses(404, "File 'dog.tar' was not found");
    ada.post("/gpg/ada/tools/cat/versions/9").await.refuses(404, "Version '9' was not found");
    ada.post("/gpg/ada/tools/dog/versions/1").await.refuses(404, "Package 'dog' was not found");
    ada.post("/gpg/ada/none/cat.tar").await.expect(404);
    house.anyone().post("/gpg/ada/tools/cat.tar").await.expect(401);
    house.user("eve").await.post("/gpg/ada/tools/cat.tar").await.expect(403);
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["cat.tar"]);
}

#[tokio::test]
async fn signatures_are_not_signed() {
    let (_house, ada) = signing_cat().await;
    upload(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    ada.post("/gpg/ada/tools/cat/versions/1.0").await.refuses(200, "success");
    ada.post("/gpg/ada/tools/cat/versions/1.0").await.refuses(200, "success");
    let refusal = "path: it is a signature, and signatures are not signed";
    ada.post("/gpg/ada/tools/cat.tar.asc").await.refuses(400, refusal);
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["cat.tar", "cat.tar.asc"]);
}

#[tokio::test]
async fn signing_again_replaces_within_the_window_and_adds_what_is_missing_after_it() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    upload_published(&ada, "ada/tools/cat/1.0/dog.tar", "woof").await;
    ada.patch("/repos/ada/tools").json(json!({"gpg_sign_files": true})).await.expect(200);
    ada.post("/gpg/ada/tools/cat.tar").await.refuses(200, "success");
    let first = read(&ada, "/ada/tools/cat.tar.asc").await;
    house.clock.advance(DAY);
    ada.post("/gpg/ada/tools/cat.tar").await.refuses(200, "success");
    let second = read(&ada, "/ada/tools/cat.tar.asc").await;
    assert_ne!(first, second);
    house.clock.advance(5 * DAY);
    ada.post("/gpg/ada/tools/cat/versions/1.0").await.refuses(200, "success");
    assert_eq!(read(&ada, "/ada/tools/cat.tar.asc").await, second);
    let gpg = ring_of_server(&house).await;
    for path in ["/ada/tools/cat.tar", "/ada/tools/dog.tar"] {
        assert!(is_signed(&gpg, &house.anyone(), path).await, "{path}");
    }
}

#[tokio::test]
async fn an_organization_signs_with_the_key_of_the_organization() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    ada.post("/orgs/acme/keys/gpg/generate").await.expect(201);
    new_repo(&ada, "acme/tools").await;
    new_package(&ada, "acme/tools", "cat").await;
    let flags = json!({"gpg_sign_files": true, "gpg_use_owner_key": true});
    ada.patch("/repos/acme/tools").json(flags).await.expect(200);
    upload_published(&ada, "acme/tools/cat/1.0/cat.tar", "meow").await;
    let gpg = Gpg::new();
    gpg.import(&house.anyone().get("/orgs/acme/keys/gpg/public.key").await.expect(200).text());
    assert!(is_signed(&gpg, &house.anyone(), "/acme/tools/cat.tar").await);
    let others = ring_of_server(&house).await;
    assert!(!is_signed(&others, &house.anyone(), "/acme/tools/cat.tar").await);
}

#[tokio::test]
async fn a_name_that_leaves_no_room_for_a_signature_is_refused_only_where_it_is_signed() {
    let (_house, ada) = cat().await;
    let (long, room) = ("x".repeat(252), "x".repeat(251));
    for content in ["meow", "purr"] {
        let call = ada.put(&format!("/content/ada/tools/cat/1.0/{long}?publish=1&override=1")).body(content);
        call.await.refuses(201, "success");
    }
    ada.patch("/repos/ada/tools").json(json!({"gpg_sign_files": true})).await.expect(200);
    let refusal = format!("path: '{long}' is too long: the name of its signature does not fit");
    ada.post(&format!("/gpg/ada/tools/{long}")).await.refuses(400, &refusal);
    upload_published(&ada, &format!("ada/tools/cat/1.0/{room}"), "meow").await;
    ada.delete(&format!("/content/ada/tools/{long}")).await.refuses(200, "success");
    assert_eq!(stored(&ada, "ada/tools/cat").await, [room.clone(), format!("{room}.asc")]);
}
