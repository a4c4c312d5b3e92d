//! Signatures that the server has created follow the files that they sign.

use operations::maintenance::verify::{Finding, Options, Progress, verify};
use serde_json::json;

use crate::{
    content::{cat, discard, publish, published, read, stored, upload, upload_published},
    signing::{is_signed, ring_of_server, signing_cat},
};

#[tokio::test]
async fn a_replaced_file_gets_a_new_signature_when_it_is_published() {
    let (house, ada) = signing_cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    let first = read(&ada, "/ada/tools/cat.tar.asc").await;
    let replaced = ada.put("/content/ada/tools/cat/1.0/cat.tar?override=1").body("purr");
    replaced.await.expect(201);
    let gpg = ring_of_server(&house).await;
    assert!(is_signed(&gpg, &house.anyone(), "/ada/tools/cat.tar").await);
    assert_eq!(read(&house.anyone(), "/ada/tools/cat.tar.asc").await, first);
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 1);
    assert_eq!(read(&house.anyone(), "/ada/tools/cat.tar").await, "purr");
    assert!(is_signed(&gpg, &house.anyone(), "/ada/tools/cat.tar").await);
}

#[tokio::test]
async fn a_file_replaced_without_signing_loses_its_signature() {
    let (_house, ada) = signing_cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    ada.patch("/repos/ada/tools").json(json!({"gpg_sign_files": false})).await.expect(200);
    let replaced = ada.put("/content/ada/tools/cat/1.0/cat.tar?override=1&publish=1").body("purr");
    replaced.await.expect(201);
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["cat.tar"]);
    ada.download("/ada/tools/cat.tar.asc").await.expect(404);
}

#[tokio::test]
async fn a_waiting_signature_goes_when_what_it_signs_is_replaced_or_discarded() {
    let (_house, ada) = signing_cat().await;
    upload(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    ada.post("/gpg/ada/tools/cat.tar").await.expect(200);
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["cat.tar", "cat.tar.asc"]);
    ada.put("/content/ada/tools/cat/1.0/cat.tar?override=1").body("purr").await.expect(201);
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["cat.tar"]);
    publish(&ada, "ada/tools/cat/1.0").await;
    ada.put("/content/ada/tools/cat/1.0/cat.tar?override=1").body("hiss").await.expect(201);
    ada.post("/gpg/ada/tools/cat.tar").await.expect(200);
    assert_eq!(discard(&ada, "ada/tools/cat/1.0").await, 2);
    assert_eq!(published(&ada, "ada/tools/cat").await, ["cat.tar", "cat.tar.asc"]);
}

#[tokio::test]
async fn both_contents_of_a_file_are_signed() {
    let (house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    ada.put("/content/ada/tools/cat/1.0/cat.tar?override=1").body("purr").await.expect(201);
    ada.patch("/repos/ada/tools").json(json!({"gpg_sign_files": true})).await.expect(200);
    ada.post("/gpg/ada/tools/cat.tar").await.expect(200);
    let gpg = ring_of_server(&house).await;
    assert!(is_signed(&gpg, &house.anyone(), "/ada/tools/cat.tar").await);
    assert_eq!(publish(&ada, "ada/tools/cat/1.0").await, 2);
    assert_eq!(read(&house.anyone(), "/ada/tools/cat.tar").await, "purr");
    assert!(is_signed(&gpg, &house.anyone(), "/ada/tools/cat.tar").await);
}

#[tokio::test]
async fn a_deleted_file_takes_its_signature_with_it() {
    let (_house, ada) = signing_cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    upload_published(&ada, "ada/tools/cat/1.0/dog.tar", "woof").await;
    ada.delete("/content/ada/tools/cat.tar").await.refuses(200, "success");
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["dog.tar", "dog.tar.asc"]);
    ada.delete("/content/ada/tools/dog.tar.asc").await.refuses(200, "success");
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["dog.tar"]);
}

#[tokio::test]
async fn a_signature_that_was_uploaded_stays_when_its_file_goes() {
    let (_house, ada) = signing_cat().await;
    upload(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    upload(&ada, "ada/tools/cat/1.0/cat.tar.asc", "ada's own").await;
    ada.delete("/content/ada/tools/cat.tar").await.refuses(200, "success");
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["cat.tar.asc"]);
}

#[tokio::test]
async fn counts_and_content_are_right_after_all_of_it() {
    let (house, ada) = signing_cat().await;
    for (path, content) in [("a", "1"), ("b", "2"), ("c", "3")] {
        upload_published(&ada, &format!("ada/tools/cat/1.0/{path}"), content).await;
    }
    ada.put("/content/ada/tools/cat/1.0/a?override=1").body("4").await.expect(201);
    ada.post("/gpg/ada/tools/cat/versions/1.0").await.expect(200);
    ada.delete("/content/ada/tools/b").await.expect(200);
    upload_published(&ada, "ada/tools/cat/1.0/c.asc", "ada's own").await;
    publish(&ada, "ada/tools/cat/1.0").await;
    assert_eq!(published(&ada, "ada/tools/cat").await, ["a", "a.asc", "c", "c.asc"]);
    let (options, mut found) = (Options { is_quick: false, removes_orphans: false }, Vec::new());
    let report = |finding: Finding| found.push(finding.to_string());
    verify(house.app().house(), options, &Progress::default(), report).await.expect("it runs");
    assert_eq!(found, [""; 0]);
}
