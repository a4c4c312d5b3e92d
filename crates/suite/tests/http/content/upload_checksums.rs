//! Checksums that accompany an upload, and uploads that consist of a checksum only.

use serde_json::json;
use suite::{Call, Person, TestHouse};

use crate::{
    catalogue::{new_package, new_private_repo, new_repo},
    content::{MEOW_MD5, MEOW_SHA1, MEOW_SHA256, PURR_SHA1, cat, read, stored, upload, upload_published},
};

const FILE: &str = "/content/ada/tools/cat/1.0/cat.bin";
const MEOW_MD5_BASE64: &str = "SkvkDJasYxTpHZPzgEOmNA==";
const PURR_SHA256: &str = "b66358a34a718d2af7d501f2a51fe2f610c082180f9d6ee9a3a28e8881d290dd";
const PURR_MD5: &str = "19fbb238f0ff2df60984f6129a3797ac";
const PURR_MD5_BASE64: &str = "GfuyOPD/LfYJhPYSmjeXrA==";

#[tokio::test]
async fn a_right_checksum_is_accepted_in_every_form() {
    let (_house, ada) = cat().await;
    let forms = [
        ("x-checksum-sha1", MEOW_SHA1.to_owned()),
        ("x-checksum-sha1", MEOW_SHA1.to_uppercase()),
        ("x-checksum-sha2", MEOW_SHA256.to_owned()),
        ("x-checksum-sha2", MEOW_SHA256.to_uppercase()),
        ("content-md5", MEOW_MD5.to_owned()),
        ("content-md5", MEOW_MD5.to_uppercase()),
        ("content-md5", MEOW_MD5_BASE64.to_owned()),
    ];
    for (number, (header, value)) in forms.into_iter().enumerate() {
        let path = format!("/content/ada/tools/cat/1.0/{number}.bin");
        ada.put(&path).header(header, &value).body("meow").await.refuses(201, "success");
    }
    let all = ada.put(FILE).header("x-checksum-sha1", MEOW_SHA1).header("x-checksum-sha2", MEOW_SHA256);
    all.header("content-md5", MEOW_MD5).body("meow").await.refuses(201, "success");
    assert_eq!(stored(&ada, "ada/tools/cat").await.len(), 8);
}

#[tokio::test]
async fn a_wrong_checksum_conflicts_and_nothing_is_stored() {
    let (_house, ada) = cat().await;
    for (header, value) in [
        ("x-checksum-sha1", PURR_SHA1),
        ("x-checksum-sha2", PURR_SHA256),
        ("content-md5", PURR_MD5),
        ("content-md5", PURR_MD5_BASE64),
    ] {
        ada.put(&format!("{FILE}?publish=1")).header(header, value).body("meow").await.expect(409);
    }
    let one_wrong = ada.put(FILE).header("x-checksum-sha1", MEOW_SHA1).header("x-checksum-sha2", PURR_SHA256);
    one_wrong.body("meow").await.expect(409);
    assert_eq!(stored(&ada, "ada/tools/cat").await, [""; 0]);
    ada.get("/packages/ada/tools/cat/versions/1.0").await.refuses(404, "Version '1.0' was not found");
    assert_eq!(ada.get("/users/ada").await.expect(200).json()["quota_used_bytes"], 0);
    ada.put(FILE).body("purr").await.refuses(201, "success");
}

#[tokio::test]
async fn a_wrong_checksum_conflicts_also_where_the_bytes_are_there() {
    let (_house, ada) = cat().await;
    upload(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    ada.put(FILE).header("x-checksum-sha1", PURR_SHA1).body("meow").await.expect(409);
    let overriding = ada.put(&format!("{FILE}?override=1")).header("x-checksum-sha1", MEOW_SHA1);
    overriding.body("purr").await.expect(409);
    assert_eq!(read(&ada, "/ada/tools/cat.bin").await, "meow");
}

#[tokio::test]
async fn what_is_no_checksum_is_refused() {
    let (_house, ada) = cat().await;
    for header in ["x-checksum-sha1", "x-checksum-sha2", "content-md5"] {
        for value in ["x", &MEOW_SHA1[1..], &MEOW_SHA256[..63], "zz5c2a2d6136fbf166211d5183bf66214a247f31"] {
            let refused = ada.put(FILE).header(header, value).body("meow").await;
            assert!(matches!(refused.status, 400 | 409), "{header}: {value}: {}", refused.text());
        }
    }
    assert_eq!(stored(&ada, "ada/tools/cat").await, [""; 0]);
}

/// Asks to store the content with this SHA-256 without sending it.
fn deploy(by: &Person, path: &str, sha256: &str) -> Call {
    let call = by.put(&format!("/content/{path}"));
    call.header("x-checksum-deploy", "true").header("x-checksum-sha2", sha256)
}

/// Starts a house with the packages `ada/tools/cat`, `ada/secret/cat` and `bob/lib/bee`; the second is private.
async fn neighbours() -> (TestHouse, Person, Person) {
    let (house, ada) = cat().await;
    let bob = house.user("bob").await;
    new_private_repo(&ada, "ada/secret").await;
    new_package(&ada, "ada/secret", "cat").await;
    new_repo(&bob, "bob/lib").await;
    new_package(&bob, "bob/lib", "bee").await;
    (house, ada, bob)
}

#[tokio::test]
async fn known_content_is_stored_by_its_checksum_alone() {
    let (house, ada, bob) = neighbours().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    upload(&ada, "ada/secret/cat/1.0/own.bin", "purr").await;
    deploy(&bob, "bob/lib/bee/1.0/bee.bin?publish=1", MEOW_SHA256).await.refuses(201, "success");
    deploy(&ada, "ada/tools/cat/1.0/copy.bin?publish=1", PURR_SHA256).await.refuses(201, "success");
    assert_eq!(read(&house.anyone(), "/bob/lib/bee.bin").await, "meow");
    assert_eq!(read(&house.anyone(), "/ada/tools/copy.bin").await, "purr");
    ada.delete("/content/ada/tools/cat.bin").await.expect(200);
    assert_eq!(read(&house.anyone(), "/bob/lib/bee.bin").await, "meow", "it is a file of its own");
}

#[tokio::test]
async fn unreadable_content_answers_like_unknown_content() {
    let (_house, ada, bob) = neighbours().await;
    let unknown = deploy(&bob, "bob/lib/bee/1.0/bee.bin", PURR_SHA256).await.expect(404);
    upload_published(&ada, "ada/secret/cat/1.0/private.bin", "meow").await;
    upload(&ada, "ada/tools/cat/1.0/unpublished.bin", "meow").await;
    let hidden = deploy(&bob, "bob/lib/bee/1.0/bee.bin", MEOW_SHA256).await.expect(404);
    assert_eq!(hidden.text().replace(MEOW_SHA256, PURR_SHA256), unknown.text());
    assert_eq!(stored(&bob, "bob/lib/bee").await, [""; 0]);
    bob.get("/packages/bob/lib/bee/versions/1.0").await.expect(404);
}

#[tokio::test]
async fn content_that_was_deleted_is_unknown() {
    let (_house, ada, bob) = neighbours().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    ada.delete("/content/ada/tools/cat.bin").await.expect(200);
    deploy(&bob, "bob/lib/bee/1.0/bee.bin", MEOW_SHA256).await.expect(404);
    deploy(&ada, "ada/tools/cat/1.0/again.bin", MEOW_SHA256).await.expect(404);
}

#[tokio::test]
async fn an_upload_by_checksum_keeps_the_rules_of_uploads() {
    let (house, ada, bob) = neighbours().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    upload(&ada, "ada/tools/cat/1.0/other.bin", "purr").await;
    deploy(&ada, "ada/tools/cat/1.0/cat.bin", MEOW_SHA256).await.refuses(201, "success");
    deploy(&ada, "ada/tools/cat/1.0/other.bin", MEOW_SHA256).await.expect(409);
    deploy(&ada, "ada/tools/cat/2.0/cat.bin", MEOW_SHA256).await.expect(409);
    deploy(&ada, "ada/tools/dog/1.0/dog.bin", MEOW_SHA256).await.expect(404);
    deploy(&bob, "ada/tools/cat/1.0/more.bin", MEOW_SHA256).await.expect(403);
    deploy(&house.anyone(), "ada/tools/cat/1.0/more.bin", MEOW_SHA256).await.expect(401);
    let wrong = deploy(&ada, "ada/tools/cat/1.0/more.bin", MEOW_SHA256).header("x-checksum-sha1", PURR_SHA1);
    wrong.await.expect(409);
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["cat.bin", "other.bin"]);
    let versions = ada.get("/packages/ada/tools/cat").await.expect(200).json()["versions"].clone();
    assert_eq!(versions, json!(["1.0"]));
}

#[tokio::test]
async fn an_upload_by_checksum_needs_a_sha256() {
    let (_house, ada) = cat().await;
    upload_published(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let bare = || ada.put("/content/ada/tools/cat/1.0/more.bin").header("x-checksum-deploy", "true");
    bare().await.expect(400);
    bare().header("x-checksum-sha1", MEOW_SHA1).await.expect(400);
    bare().header("x-checksum-sha2", "meow").await.expect(400);
    let switched_off = ada.put("/content/ada/tools/cat/1.0/more.bin").header("x-checksum-deploy", "false");
    switched_off.header("x-checksum-sha2", PURR_SHA256).body("purr").await.refuses(201, "success");
    assert_eq!(read(&ada, "/ada/tools/more.bin").await, "purr");
}
