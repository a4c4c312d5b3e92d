//! Keyrings: the public keys that sign the indexes of an owner's repositories.

use serde_json::json;
use suite::{Gpg, NewKey, Person, TestHouse};

use crate::indexes::{deb, repo_of};

const PLACE: &str = "deb_distribution=stable;deb_component=main;publish=1";

/// Publishes a package, and returns `Release` with its signature.
async fn signed_release(house: &TestHouse, by: &Person, version: &str) -> (Vec<u8>, Vec<u8>) {
    crate::catalogue::new_package(by, "ada/repo", &format!("hello{version}")).await;
    let path = format!("/content/ada/repo/hello{version}/{version}/hello_{version}_amd64.deb;{PLACE}");
    by.put(&path).body(deb("hello", version, "amd64")).await.expect(201);
    let read = async |path: &str| house.anyone().download(&format!("/ada/repo/dists/stable/{path}")).await.expect(200);
    (read("Release").await.body, read("Release.gpg").await.body)
}

#[tokio::test]
async fn a_keyring_verifies_what_an_owners_repositories_sign() {
    let (house, ada) = repo_of("debian").await;
    let anyone = house.anyone();
    let none = anyone.get("/users/ada/keyring").await.expect(404).text();
    assert_eq!(none, anyone.get("/users/nobody/keyring").await.expect(404).text().replace("nobody", "ada"));
    ada.patch("/repos/ada/repo").json(json!({"gpg_sign_metadata": true})).await.expect(200);
    let (release, signature) = signed_release(&house, &ada, "1").await;
    let gpg = Gpg::new();
    gpg.import(&anyone.get("/users/ada/keyring").await.expect(200).text());
    assert!(gpg.verifies(&signature, &release));
    // The owner's key joins the server's, and replaces it once all repositories use it.
    let own = Gpg::new();
    let private_key = own.private_key(NewKey { algorithm: "rsa2048", ..NewKey::default() });
    ada.put("/users/ada/keys/gpg").json(json!({ "private_key": private_key })).await.expect(200);
    let both = anyone.get("/users/ada/keyring?format=binary").await.expect(200).body;
    assert_eq!(both, anyone.get("/users/ada/keyring.gpg").await.expect(200).body);
    assert!(!both.is_ascii());
    ada.patch("/repos/ada/repo").json(json!({"gpg_use_owner_key": true})).await.expect(200);
    let one = anyone.get("/users/ada/keyring.gpg").await.expect(200).body;
    assert!(one.len() < both.len() && both.starts_with(&one));
    let (release, signature) = signed_release(&house, &ada, "2").await;
    assert!(!gpg.verifies(&signature, &release));
    let armored = anyone.get("/users/ada/keyring").await.expect(200).text();
    assert_eq!(armored.matches("BEGIN PGP PUBLIC KEY BLOCK").count(), 1);
    gpg.import(&armored);
    assert!(gpg.verifies(&signature, &release));
    anyone.get("/users/ada/keyring?format=other").await.refuses(400, "format: it is `armored` or `binary`");
    anyone.get("/orgs/ada/keyring").await.expect(404);
}

#[tokio::test]
async fn a_private_repository_shows_in_no_keyring_of_strangers() {
    let (house, ada) = repo_of("debian").await;
    let flags = json!({"gpg_sign_metadata": true, "private": true});
    ada.patch("/repos/ada/repo").json(flags).await.expect(200);
    let eve = house.user("eve").await;
    for who in [&house.anyone(), &eve] {
        who.get("/users/ada/keyring").await.refuses(404, "GPG key of 'ada' was not found");
    }
    assert!(ada.get("/users/ada/keyring").await.expect(200).text().starts_with("-----BEGIN PGP PUBLIC KEY"));
}

#[tokio::test]
async fn the_key_of_apk_is_found_by_its_file_name() {
    let (house, ada) = repo_of("alpine").await;
    let flags = json!({"gpg_sign_metadata": true, "gpg_use_owner_key": true});
    ada.patch("/repos/ada/repo").json(flags).await.expect(200);
    let private_key = Gpg::new().private_key(NewKey { algorithm: "rsa2048", ..NewKey::default() });
    ada.put("/users/ada/keys/gpg").json(json!({ "private_key": private_key })).await.expect(200);
    let path = "//dl/ada/repo/v3.20/main/x86_64/hello-1.0-r0.apk";
    ada.put(path).body(crate::indexes::alpine::apk("hello", "1.0-r0", "x86_64")).await.expect(201);
    let key = house.anyone().get("/users/ada/keyring/ada-repo.rsa.pub").await.expect(200).body;
    assert_eq!(key, house.anyone().download("/ada/repo/keys/ada-repo.rsa.pub").await.expect(200).body);
    let missing = "Public key 'ada-other.rsa.pub' was not found";
    house.anyone().get("/users/ada/keyring/ada-other.rsa.pub").await.refuses(404, missing);
    ada.patch("/repos/ada/repo").json(json!({"private": true})).await.expect(200);
    house.anyone().get("/users/ada/keyring/ada-repo.rsa.pub").await.expect(404);
    ada.get("/users/ada/keyring/ada-repo.rsa.pub").await.expect(200);
}
