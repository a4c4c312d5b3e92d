//! A process that dies while a staged image is published: readers see all of it or nothing, and it can be repeated.

use serde_json::json;
use sha2::{Digest, Sha256};
use suite::{Person, Stack};

use crate::program::{run, start, start_with};

/// The fault points of publishing a staged image.
pub(crate) const STAGED_IMAGE: [&str; 2] = ["image: staged rows written", "image: staged published"];

const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";

fn digest(bytes: &str) -> String {
    let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

/// Pushes an image with one layer.
async fn push(ada: &Person, tag: &str, layer: &str) {
    let descriptor = |bytes: &str| json!({ "mediaType": "x/y", "digest": digest(bytes), "size": bytes.len() });
    for bytes in [layer, "{}"] {
        let at = format!("//v2/ada/img/app/blobs/uploads/?digest={}", digest(bytes));
        ada.post(&at).body(bytes.to_owned()).await.expect(201);
    }
    let text = json!({ "schemaVersion": 2, "config": descriptor("{}"), "layers": [descriptor(layer)] }).to_string();
    let put = ada.put(&format!("//v2/ada/img/app/manifests/{tag}")).header("content-type", MANIFEST).body(text);
    put.await.expect(201);
}

#[tokio::test]
async fn a_publish_that_dies_shows_all_of_an_image_or_nothing() {
    let stack = Stack::create().await;
    let mut server = start(&stack).await;
    let key = server.user("ada").await.key().to_owned();
    let ada = server.person("ada", &key);
    ada.post("/repos/ada/img").json(json!({ "type": "docker", "native_staged": true })).await.expect(201);
    for (number, place) in STAGED_IMAGE.iter().enumerate() {
        let (tag, layer) = (format!("v{number}"), format!("layer {number}"));
        push(&server.person("ada", &key), &tag, &layer).await;
        server.kill();
        let mut dying = start_with(&stack, &[("PACKHOUSE_TEST_FAULT", place)]).await;
        let publish = format!("/content/ada/img/app/{tag}/publish");
        let answer = dying.person("ada", &key).post(&publish).try_send().await;
        assert!(answer.is_err(), "{place}: {answer:?}");
        assert!(!dying.wait(), "{place}: it ended well");

        server = start(&stack).await;
        run(&stack, &["admin", "gc", "--grace-hours", "0"]).await.succeeds();
        let parts = [format!("manifests/{tag}"), format!("blobs/{}", digest(&layer))];
        let expected = if *place == "image: staged published" { 200 } else { 401 };
        for part in &parts {
            assert_eq!(
                server.anyone().get(&format!("//v2/ada/img/app/{part}")).await.status,
                expected,
                "{place}: {part}"
            );
        }
        server.person("ada", &key).post(&publish).await.expect(200);
        for part in &parts {
            server.anyone().get(&format!("//v2/ada/img/app/{part}")).await.expect(200);
        }
        run(&stack, &["admin", "verify"]).await.succeeds();
    }
}
