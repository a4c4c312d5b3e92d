//! What nobody finishes goes after a day; what a manifest uses never does.

use operations::jobs;

use super::tools::{MANIFEST, app, digest, manifest, push, push_blob, put_manifest, refused, with_images};

const HOUR_MS: i64 = 3_600_000;

async fn sweep(house: &suite::TestHouse) {
    jobs::run_once(house.app().house(), "image_uploads").await.expect("swept");
    operations::maintenance::garbage::collect(house.app().house(), 0).await.expect("collected");
}

#[tokio::test]
async fn abandoned_uploads_and_unused_blobs_go_after_a_day() {
    let (house, ada) = with_images().await;
    let location = ada.post(&app("blobs/uploads/")).await.expect(202).header("location").to_owned();
    ada.patch(&format!("/{location}")).body("piece").await.expect(202);
    push_blob(&ada, "ada/img/app", "unused").await;
    let sum = push(&ada, "ada/img/app", "v1", &["layer"]).await;
    house.clock.advance(23 * HOUR_MS);
    sweep(&house).await;
    ada.get(&format!("/{location}")).await.expect(204);
    ada.get(&app(&format!("blobs/{}", digest("unused")))).await.expect(200);
    house.clock.advance(2 * HOUR_MS);
    sweep(&house).await;
    refused(ada.get(&format!("/{location}")).await, 404, "BLOB_UPLOAD_UNKNOWN");
    refused(ada.get(&app(&format!("blobs/{}", digest("unused")))).await, 404, "BLOB_UNKNOWN");
    for rest in ["manifests/v1".to_owned(), format!("manifests/{sum}"), format!("blobs/{}", digest("layer"))] {
        ada.get(&app(&rest)).await.expect(200);
    }
    let text = manifest(&["unused"]);
    refused(put_manifest(&ada, "ada/img/app", "v2", MANIFEST, &text).await, 404, "MANIFEST_BLOB_UNKNOWN");
}
