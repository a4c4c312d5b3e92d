//! Content management: deletions.

use super::{LAYER, config, manifest, tags};
use crate::oci::tools::{MANIFEST, app, digest, push_blob, put_manifest, with_images};

#[tokio::test]
async fn content_management() {
    let (_house, ada) = with_images().await;
    for bytes in [config("four").as_str(), LAYER] {
        push_blob(&ada, "ada/img/app", bytes).await;
    }
    for tag in ["other", "tagtest0"] {
        put_manifest(&ada, "ada/img/app", tag, MANIFEST, &manifest("four")).await.expect(201);
    }
    let (sum, before) = (digest(manifest("four")), tags(&ada, "").await.len());
    ada.delete(&app("manifests/tagtest0")).await.expect(202);
    ada.head(&app("manifests/tagtest0")).await.expect(404);
    ada.get(&app(&format!("manifests/{sum}"))).await.expect(200);
    assert_eq!(tags(&ada, "").await.len(), before - 1);
    ada.delete(&app(&format!("manifests/{sum}"))).await.expect(202);
    ada.get(&app(&format!("manifests/{sum}"))).await.expect(404);
    ada.delete(&app(&format!("manifests/{sum}"))).await.expect(404);
    assert_eq!(tags(&ada, "").await, Vec::<String>::new());
    for bytes in [config("four").as_str(), LAYER] {
        ada.delete(&app(&format!("blobs/{}", digest(bytes)))).await.expect(405);
        ada.get(&app(&format!("blobs/{}", digest(bytes)))).await.expect(404);
    }
}
