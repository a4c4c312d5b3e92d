//! The MD5 and the SHA-512 of layers, for which nobody asks.

use operations::jobs;
use serde_json::json;
use suite::Log;

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
            log.count(&format!("computed the MD5 and the SHA-512 of blob {}", digest.trim_start_matches("sha256:")))
        })
    };
    assert_eq!(computed().await, [0, 0]);
    ada.post("/repos/ada/tools").json(json!({})).await.expect(201);
    ada.post("/packages/ada/tools").json(json!({ "name": "cat" })).await.expect(201);
    ada.put("/content/ada/tools/cat/1.0/shared?publish=1").body(shared.clone()).await.expect(201);
    assert_eq!(computed().await, [0, 1]);
}
