//! Repositories that sign their index files.

use serde_json::json;
use suite::{Gpg, NewKey, Person, TestHouse};

use crate::{
    content::maven::{deploy, lib, pom, put},
    signing::{is_signed, ring_of_server},
};

const INDEX: &str = "/ada/m2/org/x/lib/maven-metadata.xml";

async fn signing_lib() -> (TestHouse, Person) {
    let (house, ada) = lib().await;
    let flags = json!({"gpg_sign_metadata": true, "gpg_use_owner_key": true});
    ada.patch("/repos/ada/m2").json(flags).await.expect(200);
    (house, ada)
}

#[tokio::test]
async fn an_index_is_signed_whenever_it_changes() {
    let (house, ada) = signing_lib().await;
    deploy(&ada, "org/x/lib/1/lib-1.pom", &pom("lib", "1", "")).await;
    let gpg = ring_of_server(&house).await;
    assert!(is_signed(&gpg, &house.anyone(), INDEX).await);
    deploy(&ada, "org/x/lib/2/lib-2.pom", &pom("lib", "2", "")).await;
    assert!(is_signed(&gpg, &house.anyone(), INDEX).await);
    ada.delete("/packages/ada/m2/lib/versions/2").await.expect(200);
    assert!(is_signed(&gpg, &house.anyone(), INDEX).await);
    deploy(&ada, "org/x/lib/3/lib-3.pom", &pom("lib", "3", "")).await;
    ada.delete("/content/ada/m2/org/x/lib/3/lib-3.pom").await.expect(200);
    assert!(is_signed(&gpg, &house.anyone(), INDEX).await);
    house.anyone().download("/ada/m2/org/x/lib/1/lib-1.pom.asc").await.expect(404);
    house.anyone().download(&format!("{INDEX}.asc.sha1")).await.expect(200);
    ada.delete("/packages/ada/m2/lib").await.expect(200);
    house.anyone().download(&format!("{INDEX}.asc")).await.expect(404);
}

#[tokio::test]
async fn a_locked_key_signs_indexes_with_its_passphrase_and_a_deletion_takes_the_signature_away() {
    let (house, ada) = signing_lib().await;
    let gpg = Gpg::new();
    let private_key = gpg.private_key(NewKey { passphrase: "x y", ..NewKey::default() });
    ada.put("/users/ada/keys/gpg").json(json!({ "private_key": private_key })).await.expect(200);
    let missing = "passphrase: the GPG key needs one: send X-GPG-PASSPHRASE or a JSON body";
    for version in ["1", "2"] {
        let path = format!(";publish=1/org/x/lib/{version}/lib-{version}.pom");
        put(&ada, &path, &pom("lib", version, "")).await.refuses(400, missing);
        let call = put(&ada, &path, &pom("lib", version, "")).header("X-GPG-PASSPHRASE", "x y");
        call.await.refuses(201, "success");
    }
    assert!(is_signed(&gpg, &house.anyone(), INDEX).await);
    ada.delete("/packages/ada/m2/lib/versions/2").await.expect(200);
    house.anyone().download(&format!("{INDEX}.asc")).await.expect(404);
    ada.post("/calc_metadata/ada/m2").await.refuses(400, missing);
    ada.post("/calc_metadata/ada/m2").json(json!({"passphrase": "x y"})).await.refuses(202, "success");
    assert!(is_signed(&gpg, &house.anyone(), INDEX).await);
    let below = ada.post("/calc_metadata/ada/m2/org").header("X-GPG-PASSPHRASE", "x y");
    below.await.refuses(202, "success");
}

#[tokio::test]
async fn files_and_indexes_are_signed_together() {
    let (house, ada) = signing_lib().await;
    ada.patch("/repos/ada/m2").json(json!({"gpg_sign_files": true})).await.expect(200);
    deploy(&ada, "org/x/lib/1/lib-1.pom", &pom("lib", "1", "")).await;
    deploy(&ada, "org/x/lib/1/lib-1.jar", "jar").await;
    let gpg = ring_of_server(&house).await;
    for path in [INDEX, "/ada/m2/org/x/lib/1/lib-1.pom", "/ada/m2/org/x/lib/1/lib-1.jar"] {
        assert!(is_signed(&gpg, &house.anyone(), path).await, "{path}");
    }
    ada.patch("/repos/ada/m2").json(json!({"gpg_sign_metadata": false})).await.expect(200);
    ada.post("/calc_metadata/ada/m2").await.refuses(202, "success");
    house.anyone().download(&format!("{INDEX}.asc")).await.expect(404);
}
