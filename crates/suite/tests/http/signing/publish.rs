//! Repositories that sign published files.

use serde_json::json;

use crate::{
    content::{archives::zip, discard, publish, published, read, stored, upload, upload_published},
    signing::{is_signed, locked_cat, ring_of_server, signing_cat},
};

#[tokio::test]
async fn a_publish_signs_every_file_and_counts_what_waited() {
    let (house, ada) = signing_cat().await;
    for path in ["a.tar", "b.tar", "c/c.tar"] {
        upload(&ada, &format!("ada/tools/cat/1.0/{path}"), path).await;
    }
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["a.tar", "b.tar", "c/c.tar"]);
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 3);
    let gpg = ring_of_server(&house).await;
    for path in ["a.tar", "b.tar", "c/c.tar"] {
        assert!(is_signed(&gpg, &house.anyone(), &format!("/ada/tools/{path}")).await, "{path}");
    }
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 0);
}

#[tokio::test]
async fn an_upload_that_publishes_signs() {
    let (house, ada) = signing_cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    let gpg = ring_of_server(&house).await;
    assert!(is_signed(&gpg, &house.anyone(), "/ada/tools/cat.tar").await);
    let detail = house.anyone().get("/packages/ada/tools/cat/versions/1.0").await.expect(200).json();
    assert_eq!(detail["published"], true);
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    assert_eq!(published(&ada, "ada/tools/cat").await, ["cat.tar", "cat.tar.asc"]);
}

#[tokio::test]
async fn every_file_of_an_archive_is_signed() {
    let (house, ada) = signing_cat().await;
    let archive = zip(&[("a.txt", "a"), ("b/b.txt", "b")]);
    let call = ada.put("/content/ada/tools/cat/1.0/cat.zip?explode=1&publish=1").body(archive);
    call.await.refuses(201, "success");
    let gpg = ring_of_server(&house).await;
    for path in ["/ada/tools/a.txt", "/ada/tools/b/b.txt"] {
        assert!(is_signed(&gpg, &house.anyone(), path).await, "{path}");
    }
}

#[tokio::test]
async fn a_missing_or_wrong_passphrase_is_told_before_anything_changes() {
    let (house, ada, gpg) = locked_cat("open sesame").await;
    upload(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    let missing = "passphrase: the GPG key needs one: send X-GPG-PASSPHRASE or a JSON body";
    ada.post("/content/ada/tools/cat/1.0/publish").await.refuses(400, missing);
    ada.put("/content/ada/tools/cat/2.0/dog.tar?publish=1").body("woof").await.refuses(400, missing);
    let wrong = "passphrase: it does not open the GPG key";
    let call = ada.post("/content/ada/tools/cat/1.0/publish").json(json!({"passphrase": "guess"}));
    call.await.refuses(400, wrong);
    let call = ada.put("/content/ada/tools/cat/2.0/dog.tar?publish=1").body("woof");
    call.header("X-GPG-PASSPHRASE", "guess").await.refuses(400, wrong);
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["cat.tar"]);
    assert_eq!(published(&ada, "ada/tools/cat").await, [""; 0]);
    let call = ada.post("/content/ada/tools/cat/1.0/publish").json(json!({"passphrase": "open sesame"}));
    assert_eq!(call.await.expect(200).json()["files"], 1);
    assert!(is_signed(&gpg, &house.anyone(), "/ada/tools/cat.tar").await);
}

#[tokio::test]
async fn a_discard_needs_no_passphrase_and_drops_waiting_signatures() {
    let (_house, ada, _gpg) = locked_cat("open sesame").await;
    upload(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    ada.post("/gpg/ada/tools/cat.tar?passphrase=open+sesame").await.refuses(200, "success");
    assert_eq!(discard(&ada, "ada/tools/cat/1.0").await, 2);
    assert_eq!(stored(&ada, "ada/tools/cat").await, [""; 0]);
}

#[tokio::test]
async fn what_was_signed_before_needs_no_passphrase_to_be_published() {
    let (house, ada, gpg) = locked_cat("open sesame").await;
    upload(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    ada.post("/gpg/ada/tools/cat.tar?passphrase=open+sesame").await.refuses(200, "success");
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 2);
    assert!(is_signed(&gpg, &house.anyone(), "/ada/tools/cat.tar").await);
}

#[tokio::test]
async fn a_signature_that_a_client_uploads_stays() {
    let (_house, ada) = signing_cat().await;
    upload(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    upload(&ada, "ada/tools/cat/1.0/cat.tar.asc", "ada's own").await;
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 2);
    assert_eq!(read(&ada, "/ada/tools/cat.tar.asc").await, "ada's own");
    let refusal = "The file 'cat.tar' has a signature that was uploaded; delete that one first";
    ada.post("/gpg/ada/tools/cat.tar").await.refuses(409, refusal);
    ada.post("/gpg/ada/tools/cat/versions/1.0").await.refuses(200, "success");
    assert_eq!(read(&ada, "/ada/tools/cat.tar.asc").await, "ada's own");
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["cat.tar", "cat.tar.asc"]);
}

#[tokio::test]
async fn a_clients_signature_takes_the_place_of_ours() {
    let (_house, ada) = signing_cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    assert!(read(&ada, "/ada/tools/cat.tar.asc").await.contains("BEGIN PGP SIGNATURE"));
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar.asc", "ada's own").await;
    assert_eq!(read(&ada, "/ada/tools/cat.tar.asc").await, "ada's own");
    let call = ada.put("/content/ada/tools/cat/1.0/cat.tar.asc").body("another one");
    call.await.expect(409);
}
