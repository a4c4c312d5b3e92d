//! Indexes in indexes, and content of types that nobody knows.

use serde_json::json;

use super::tools::{
    INDEX, MANIFEST, app, descriptor, digest, manifest, push, push_blob, put_manifest, refused, with_images,
};

/// An index of one index or manifest.
fn around(media_type: &str, text: &str) -> String {
    json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": [descriptor(media_type, text)] }).to_string()
}

#[tokio::test]
async fn deep_indexes_are_read_and_go_as_one() {
    let (house, ada) = with_images().await;
    push(&ada, "ada/img/app", &digest(manifest(&["layer"])), &["layer"]).await;
    let mut texts = vec![manifest(&["layer"])];
    for depth in 0..60 {
        let media_type = if depth == 0 { MANIFEST } else { INDEX };
        let text = around(media_type, texts.last().expect("a document"));
        put_manifest(&ada, "ada/img/app", &digest(&text), INDEX, &text).await.expect(201);
        texts.push(text);
    }
    let top = texts.last().expect("a document").clone();
    put_manifest(&ada, "ada/img/app", "deep", INDEX, &top).await.expect(201);
    let shown = ada.get("/packages/ada/img/app").await.expect(200).json();
    assert_eq!(shown["versions"], json!(["deep"]));
    for text in &texts {
        house.anyone().head(&app(&format!("manifests/{}", digest(text)))).await.expect(200);
    }
    // What an index needs is not deleted below it.
    refused(ada.delete(&app(&format!("manifests/{}", digest(&texts[30])))).await, 405, "UNSUPPORTED");
    ada.delete(&app(&format!("manifests/{}", digest(&top)))).await.expect(202);
    for text in &texts {
        ada.head(&app(&format!("manifests/{}", digest(text)))).await.expect(404);
    }
    refused(ada.get(&app(&format!("blobs/{}", digest("layer")))).await, 404, "BLOB_UNKNOWN");
}

#[tokio::test]
async fn an_index_cannot_name_what_is_not_there() {
    let (_house, ada) = with_images().await;
    let image = push(&ada, "ada/img/other", "v1", &["layer"]).await;
    let of_other = around(MANIFEST, &manifest(&["layer"]));
    refused(put_manifest(&ada, "ada/img/app", "v1", INDEX, &of_other).await, 404, "MANIFEST_BLOB_UNKNOWN");
    // A subject of another image is a name without content.
    push_blob(&ada, "ada/img/app", "{}").await;
    let artifact = json!({
        "schemaVersion": 2, "mediaType": MANIFEST, "artifactType": "x/y", "layers": [],
        "config": descriptor("application/vnd.oci.empty.v1+json", "{}"),
        "subject": { "mediaType": MANIFEST, "digest": image, "size": 1 },
    });
    put_manifest(&ada, "ada/img/app", "v2", MANIFEST, &artifact.to_string()).await.expect(201);
    let listed = ada.get(&format!("//v2/ada/img/other/referrers/{image}")).await.expect(200).json();
    assert_eq!(listed["manifests"], json!([]));
}

#[tokio::test]
async fn types_that_nobody_knows_are_content_but_no_manifests() {
    let (_house, ada) = with_images().await;
    push_blob(&ada, "ada/img/app", "model").await;
    let unknown = json!({
        "schemaVersion": 2, "mediaType": MANIFEST, "artifactType": "application/vnd.acme.model",
        "config": descriptor("application/vnd.acme.config", "model"),
        "layers": [descriptor("application/vnd.acme.weights+zstd", "model")],
    });
    put_manifest(&ada, "ada/img/app", "v1", MANIFEST, &unknown.to_string()).await.expect(201);
    for media_type in ["", "application/json", "application/vnd.acme.manifest+json", "text/html; charset=utf-8"] {
        let put = put_manifest(&ada, "ada/img/app", "v2", media_type, &unknown.to_string()).await;
        refused(put, 400, "MANIFEST_INVALID");
    }
    let with_parameter = format!("{MANIFEST}; charset=utf-8");
    put_manifest(&ada, "ada/img/app", "v2", &with_parameter, &unknown.to_string()).await.expect(201);
    let read = ada.get(&app("manifests/v2")).await.expect(200);
    assert_eq!(read.header("content-type"), MANIFEST);
}
