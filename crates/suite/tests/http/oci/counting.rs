//! Downloads are counted for tags, once a pull.

use super::tools::{INDEX, app, digest, index, manifest, push, put_manifest, with_images};

async fn count(house: &suite::TestHouse, ada: &suite::Person, version: &str) -> u64 {
    house.flush().await;
    let shown = ada.get(&format!("/packages/ada/img/app/versions/{version}/stats/total_downloads")).await.expect(200);
    shown.json()["records"]
        .as_array()
        .map_or(0, |records| records.iter().map(|record| record["count"].as_u64().unwrap_or_default()).sum())
}

#[tokio::test]
async fn a_manifest_counts_for_its_tag_and_layers_do_not() {
    let (house, ada) = with_images().await;
    let child = push(&ada, "ada/img/app", &digest(manifest(&["amd"])), &["amd"]).await;
    let text = index(&[&manifest(&["amd"])]);
    put_manifest(&ada, "ada/img/app", "v1", INDEX, &text).await.expect(201);
    let anyone = house.anyone();
    anyone.head(&app("manifests/v1")).await.expect(200);
    assert_eq!(count(&house, &ada, "v1").await, 0);
    anyone.get(&app(&format!("manifests/{}", digest(&text)))).await.expect(200);
    anyone.get(&app(&format!("manifests/{child}"))).await.expect(200);
    anyone.get(&app(&format!("blobs/{}", digest("amd")))).await.expect(200);
    assert_eq!(count(&house, &ada, "v1").await, 1);
    anyone.get(&app("manifests/v1")).await.expect(200);
    anyone.get(&app("manifests/v1")).await.expect(200);
    assert_eq!(count(&house, &ada, "v1").await, 3);
}
