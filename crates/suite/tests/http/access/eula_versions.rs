//! A key learns nothing about versions of a product that it may not read: they look like missing ones.

use serde_json::json;
use suite::Person;

use crate::{
    access::{
        eulas::Sold,
        grants::{entitle, new_key},
        key_reads::comparable,
    },
    content::upload_published,
};

/// A version of a package of the product, and a missing one.
const HIDDEN: &str = "7.7";
const MISSING: &str = "8.8";

/// Creates a product of a public and a private package. Only the private one has the hidden version, with a file.
async fn sold() -> Sold {
    let sold = Sold::start().await;
    upload_published(&sold.ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    upload_published(&sold.ada, &format!("ada/secret/dog/{HIDDEN}/new/dog.bin"), "wuff").await;
    sold.ada.patch("/products/ada/suite").json(json!({"packages": ["secret/dog", "tools/cat"]})).await.expect(200);
    sold
}

/// Returns the responses to a key about a version: when it agrees, and on the page.
async fn heard(key: &Person, version: &str) -> [String; 2] {
    let accept = "/products/ada/suite/eulas/terms/accept";
    let accepted = key.post(accept).json(json!({ "version": version })).await;
    let page = key.get(&format!("//eula/ada/suite/{version}")).await;
    [accepted, page].map(|answer| {
        let (status, headers, body) = comparable(&answer);
        format!("{status} {headers:?} {}", body.replace(version, "VERSION"))
    })
}

#[tokio::test]
async fn a_version_that_a_key_may_not_read_is_like_a_missing_one() {
    let sold = sold().await;
    let key = new_key(&sold.house, "ada", "reader").await;
    key.post("/products/ada/suite/eulas/terms/accept").json(json!({"version": "1.0"})).await.expect(200);
    let missing = heard(&key, MISSING).await;
    assert_eq!(heard(&key, HIDDEN).await, missing);
    for (place, path) in [("/packages/ada/secret/dog/versions/1.0", None), ("/repos/ada/secret", Some("ne"))] {
        entitle(&sold.ada, place, json!({"access": "r", "access_keys": ["reader"], "path": path})).await;
        assert_eq!(heard(&key, HIDDEN).await, missing, "{place}");
    }
    assert_eq!(sold.ada.get("/products/ada/suite/signed_eulas").await.expect(200).json()[0]["version"], "1.0");
}

#[tokio::test]
async fn whoever_may_read_some_of_a_version_agrees_to_its_terms() {
    let sold = sold().await;
    let places = [
        ("whole", "/repos/ada/secret", None),
        ("package", "/packages/ada/secret/dog", None),
        ("version", "/packages/ada/secret/dog/versions/7.7", None),
        ("folder", "/repos/ada/secret", Some("new")),
        ("file", "/repos/ada/secret", Some("new/dog.bin")),
    ];
    for (name, place, path) in places {
        let key = new_key(&sold.house, "ada", name).await;
        entitle(&sold.ada, place, json!({"access": "r", "access_keys": [name], "path": path})).await;
        key.download("/ada/secret/new/dog.bin").await.expect(403);
        let accept = json!({ "version": HIDDEN });
        key.post("/products/ada/suite/eulas/terms/accept").json(accept).await.expect(200);
        key.download("/ada/secret/new/dog.bin").await.expect(200);
    }
}

#[tokio::test]
async fn a_path_elsewhere_in_the_repository_does_not_show_the_product() {
    let sold = sold().await;
    sold.ada.patch("/products/ada/suite").json(json!({"packages": ["secret/dog"]})).await.expect(200);
    let key = new_key(&sold.house, "ada", "elsewhere").await;
    entitle(&sold.ada, "/repos/ada/secret", json!({"access": "r", "access_keys": ["elsewhere"], "path": "none"})).await;
    for version in [HIDDEN, MISSING] {
        let accept = key.post("/products/ada/suite/eulas/terms/accept").json(json!({ "version": version }));
        accept.await.refuses(404, "Product 'suite' was not found");
    }
}
