//! The checksums of layers besides the SHA-256, for which clients of images do not ask.

use operations::jobs;
use serde_json::{Value, json};
use suite::{Log, Person};

use super::tools::{digest, push, with_images};

#[tokio::test]
async fn no_job_reads_layers_for_their_checksums_unless_a_file_has_the_same_content() {
    let log = Log::listen();
    let (house, ada) = with_images().await;
    // The checksums of small files are computed as they come.
    let shared = "shared".repeat(1 << 20);
    push(&ada, "ada/img/app", "v1", &["a layer", &shared]).await;
    let computed = async || {
        jobs::run_once(house.app().house(), "checksums").await.expect("computed");
        ["a layer", &shared].map(|content| {
            let digest = digest(content);
            log.count(&format!("computed the checksums of blob {}", digest.trim_start_matches("sha256:")))
        })
    };
    assert_eq!(computed().await, [0, 0]);
    ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
    ada.post("/packages/ada/tools").json(json!({ "name": "cat" })).await.expect(201);
    ada.put("/content/ada/tools/cat/1.0/shared?publish=1").body(shared.clone()).await.expect(201);
    assert_eq!(computed().await, [0, 1]);
}

/// The SHA-1 of `layer`.
const LAYER_SHA1: &str = "d54c2aa2f61603022c71493f093f0c718419ca13";

/// Returns the SHA-1 of the file with this SHA-256 in the list of a package.
async fn sha1(who: &Person, package: &str, sha256: &str) -> Value {
    let files = who.get(&format!("/packages/{package}/files")).await.expect(200).json();
    let files = files.as_array().expect("a list");
    files.iter().find(|file| file["sha256"] == sha256).expect("the file is listed")["sha1"].clone()
}

#[tokio::test]
async fn a_layer_has_a_sha1_once_a_file_has_the_same_content() {
    let (_house, ada) = with_images().await;
    push(&ada, "ada/img/app", "v1", &["layer", "other"]).await;
    let [layer, other] = ["layer", "other"].map(|content| digest(content).trim_start_matches("sha256:").to_owned());
    assert_eq!(sha1(&ada, "ada/img/app", &layer).await, Value::Null);
    let read = ada.get(&format!("//dl/ada/img/app/blobs/{}", digest("layer"))).await.expect(200);
    assert!(!read.headers.contains_key("x-checksum-sha1"), "it is not computed");
    ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
    ada.post("/packages/ada/tools").json(json!({ "name": "cat" })).await.expect(201);
    let deploy = |sha1: &str| {
        let to = ada.put("/content/ada/tools/cat/1.0/deployed?publish=1").header("x-checksum-deploy", "true");
        to.header("x-checksum-sha2", &layer).header("x-checksum-sha1", sha1)
    };
    deploy(&"0".repeat(40)).await.expect(409);
    deploy(LAYER_SHA1).await.expect(201);
    ada.put("/content/ada/tools/cat/1.0/sent?publish=1").body("other").await.expect(201);
    for (sha256, expected) in [(&layer, LAYER_SHA1), (&other, "d0941e68da8f38151ff86a61fc59f7c5cf9fcaa2")] {
        assert_eq!(sha1(&ada, "ada/tools/cat", sha256).await, expected);
        assert_eq!(sha1(&ada, "ada/img/app", sha256).await, expected);
    }
    assert_eq!(ada.get("//dl/ada/tools/deployed").await.expect(200).header("x-checksum-sha1"), LAYER_SHA1);
}
