//! A process that dies while an image is pushed; the next one continues, and everything is intact.

use std::time::Duration;

use futures_util::{StreamExt, stream};
use serde_json::json;
use sha2::{Digest, Sha256};
use suite::{Person, Process, Stack};

use crate::program::{run, start, start_with};

/// The fault points of pushing an image.
pub(crate) const IMAGE: [&str; 5] =
    ["image: piece received", "image: blob held", "image: manifest stored", "image: rows written", "image: committed"];

const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";

pub(crate) fn digest(bytes: &[u8]) -> String {
    let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

fn manifest(layer: &[u8]) -> String {
    let descriptor = |bytes: &[u8]| json!({ "mediaType": "x/y", "digest": digest(bytes), "size": bytes.len() });
    json!({ "schemaVersion": 2, "config": descriptor(b"{}"), "layers": [descriptor(layer)] }).to_string()
}

fn at(path: &str) -> String {
    format!("//v2/ada/img/app/{path}")
}

async fn with_images(stack: &Stack) -> (Process, String) {
    let server = start(stack).await;
    let ada = server.user("ada").await;
    ada.post("/repos/ada/img").json(json!({ "type": "docker" })).await.expect(201);
    (server, ada.key().to_owned())
}

pub(crate) async fn begin(ada: &Person) -> String {
    ada.post(&at("blobs/uploads/")).await.expect(202).header("location").to_owned()
}

async fn put_blob(ada: &Person, bytes: &[u8]) -> Result<u16, reqwest::Error> {
    let put = ada.post(&at(&format!("blobs/uploads/?digest={}", digest(bytes)))).body(bytes.to_vec());
    Ok(put.try_send().await?.status)
}

async fn put_manifest(ada: &Person, tag: &str, layer: &[u8]) -> Result<u16, reqwest::Error> {
    let put = ada.put(&at(&format!("manifests/{tag}"))).header("content-type", MANIFEST).body(manifest(layer));
    Ok(put.try_send().await?.status)
}

/// Reads an image and compares every byte.
async fn reads_back(ada: &Person, tag: &str, layer: &[u8]) {
    assert_eq!(ada.get(&at(&format!("manifests/{tag}"))).await.expect(200).text(), manifest(layer));
    for bytes in [layer, b"{}"] {
        assert_eq!(ada.get(&at(&format!("blobs/{}", digest(bytes)))).await.expect(200).body, bytes);
    }
}

#[tokio::test]
async fn a_piece_that_dies_before_it_is_recorded_is_sent_again() {
    let stack = Stack::create().await;
    let (mut server, key) = with_images(&stack).await;
    let location = begin(&server.person("ada", &key)).await;
    server.person("ada", &key).patch(&format!("/{location}")).body("first ").await.expect(202);
    server.kill();

    let mut dying = start_with(&stack, &[("PACKHOUSE_TEST_FAULT", IMAGE[0])]).await;
    let answer = dying.person("ada", &key).patch(&format!("/{location}")).body("second").try_send().await;
    assert!(answer.is_err(), "{answer:?}");
    assert!(!dying.wait(), "it ended well");

    let server = start(&stack).await;
    let ada = server.person("ada", &key);
    assert_eq!(ada.get(&format!("/{location}")).await.expect(204).header("range"), "0-5");
    // The lease of the dead process has ended with it.
    ada.patch(&format!("/{location}")).header("content-range", "6-11").body("second").await.expect(202);
    ada.put(&format!("/{location}?digest={}", digest(b"first second"))).await.expect(201);
    put_blob(&ada, b"{}").await.expect("answered");
    assert_eq!(put_manifest(&ada, "v1", b"first second").await.expect("answered"), 201);
    reads_back(&ada, "v1", b"first second").await;
    run(&stack, &["admin", "verify"]).await.succeeds();
}

#[tokio::test]
async fn a_kill_in_the_middle_of_a_piece_leaves_the_recorded_bytes() {
    let stack = Stack::create().await;
    let (mut server, key) = with_images(&stack).await;
    let ada = server.person("ada", &key);
    let (first, second) = (vec![1_u8; 9 << 20], vec![2_u8; 9 << 20]);
    let location = begin(&ada).await;
    ada.patch(&format!("/{location}")).body(first.clone()).await.expect(202);
    let half = stream::iter([Ok::<_, std::io::Error>(vec![3_u8; 9 << 20])]).chain(stream::pending());
    let piece = ada.patch(&format!("/{location}")).body(reqwest::Body::wrap_stream(half));
    let sending = tokio::spawn(piece.try_send());
    tokio::time::sleep(Duration::from_millis(500)).await;
    server.kill();
    assert!(sending.await.expect("joined").is_err());

    let server = start(&stack).await;
    let ada = server.person("ada", &key);
    assert_eq!(ada.get(&format!("/{location}")).await.expect(204).header("range"), format!("0-{}", first.len() - 1));
    let whole = [first, second.clone()].concat();
    ada.patch(&format!("/{location}")).body(second.clone()).await.expect(202);
    ada.put(&format!("/{location}?digest={}", digest(&whole))).await.expect(201);
    assert!(ada.get(&at(&format!("blobs/{}", digest(&whole)))).await.expect(200).body == whole);
}

#[tokio::test]
async fn a_push_that_dies_anywhere_can_be_repeated() {
    let stack = Stack::create().await;
    let (mut server, key) = with_images(&stack).await;
    for (number, place) in IMAGE[1..].iter().enumerate() {
        let (tag, layer) = (format!("v{number}"), format!("layer {number}").into_bytes());
        let is_blob = *place == "image: blob held";
        if !is_blob {
            let ada = server.person("ada", &key);
            for bytes in [&layer[..], b"{}"] {
                assert_eq!(put_blob(&ada, bytes).await.expect("answered"), 201);
            }
        }
        server.kill();
        let mut dying = start_with(&stack, &[("PACKHOUSE_TEST_FAULT", place)]).await;
        let ada = dying.person("ada", &key);
        let answer = if is_blob { put_blob(&ada, &layer).await } else { put_manifest(&ada, &tag, &layer).await };
        assert!(answer.is_err(), "{place}: {answer:?}");
        assert!(!dying.wait(), "{place}: it ended well");

        server = start(&stack).await;
        let ada = server.person("ada", &key);
        run(&stack, &["admin", "verify"]).await.succeeds();
        let shown = ada.get(&at(&format!("manifests/{tag}"))).await.status;
        assert_eq!(shown, if *place == "image: committed" { 200 } else { 404 }, "{place}");
        for bytes in [&layer[..], b"{}"] {
            assert_eq!(put_blob(&ada, bytes).await.expect("answered"), 201);
        }
        assert_eq!(put_manifest(&ada, &tag, &layer).await.expect("answered"), 201);
        reads_back(&ada, &tag, &layer).await;
        run(&stack, &["admin", "gc", "--grace-hours", "0"]).await.succeeds();
        reads_back(&ada, &tag, &layer).await;
    }
    run(&stack, &["admin", "verify"]).await.succeeds();
}
