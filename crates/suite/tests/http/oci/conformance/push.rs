//! Push.

use serde_json::json;
use suite::Person;

use super::{LAYER, MISSING, config, dummy, manifest};
use crate::oci::tools::{MANIFEST, app, descriptor, digest, push_blob, put_manifest, with_images};

async fn begin(who: &Person) -> String {
    format!("/{}", who.post(&app("blobs/uploads/")).await.expect(202).header("location"))
}

#[tokio::test]
async fn blob_upload_streamed() {
    let (_house, ada) = with_images().await;
    let at = begin(&ada).await;
    let sent = ada.patch(&at).header("content-type", "application/octet-stream").body("streamed").await.expect(202);
    let last = format!("/{}", sent.header("location"));
    let put = ada.put(&format!("{last}?digest={}", digest("streamed"))).await.expect(201);
    assert_eq!(ada.get(&format!("/{}", put.header("location"))).await.expect(200).text(), "streamed");
}

#[tokio::test]
async fn blob_upload_monolithic() {
    let (_house, ada) = with_images().await;
    let blob = app(&format!("blobs/{}", digest(config("two"))));
    ada.get(&app(&format!("blobs/{}", dummy()))).await.expect(404);
    // POST with the digest and the blob.
    let whole = ada.post(&app(&format!("blobs/uploads/?digest={}", digest("whole")))).body("whole").await.expect(201);
    assert_eq!(ada.get(&format!("/{}", whole.header("location"))).await.expect(200).text(), "whole");
    ada.get(&blob).await.expect(404);
    for bytes in [config("two").as_str(), LAYER] {
        let put = ada.put(&format!("{}?digest={}", begin(&ada).await, digest(bytes))).body(bytes.to_owned());
        let put = put.header("content-type", "application/octet-stream").await.expect(201);
        assert_eq!(put.header("location"), format!("/v2/ada/img/app/blobs/{}", digest(bytes)));
        assert_eq!(ada.get(&app(&format!("blobs/{}", digest(bytes)))).await.expect(200).text(), bytes);
    }
    ada.get(&blob).await.expect(200);
}

#[tokio::test]
async fn blob_upload_chunked() {
    let (_house, ada) = with_images().await;
    let (first, second) = ("chunk one", "and the second");
    let (one, two) = (format!("0-{}", first.len() - 1), format!("{}-{}", first.len(), first.len() + second.len() - 1));
    let out_of_order = ada.patch(&begin(&ada).await).header("content-range", &two).body(second).await;
    out_of_order.expect(416);
    let at = begin(&ada).await;
    let sent = ada.patch(&at).header("content-range", &one).body(first).await.expect(202);
    assert_eq!(sent.header("range"), one);
    ada.patch(&at).header("content-range", &one).body(first).await.expect(416);
    let shown = ada.get(&at).await.expect(204);
    assert_eq!((shown.header("range"), shown.header("location").is_empty()), (one.as_str(), false));
    let at = format!("/{}", shown.header("location"));
    let sent = ada.patch(&at).header("content-range", &two).body(second).await.expect(202);
    let sum = digest(format!("{first}{second}"));
    let put = ada.put(&format!("/{}?digest={sum}", sent.header("location"))).header("content-length", "0").await;
    assert_eq!(put.expect(201).header("location"), format!("/v2/ada/img/app/blobs/{sum}"));
}

#[tokio::test]
async fn cross_repository_blob_mount() {
    let (_house, ada) = with_images().await;
    let sum = push_blob(&ada, "ada/img/app", "mounted").await;
    let other = "//v2/ada/img/crossmount/blobs/uploads/";
    let session = ada.post(&format!("{other}?mount={}", dummy())).await.expect(202);
    assert!(!session.header("location").is_empty());
    let mounted = ada.post(&format!("{other}?mount={sum}&from=ada/img/app")).await.expect(201);
    assert_eq!(mounted.header("location"), format!("/v2/ada/img/crossmount/blobs/{sum}"));
    ada.get(&format!("/{}", mounted.header("location"))).await.expect(200);
    let missing = ada.post(&format!("{other}?mount={}&from=ada/img/app", dummy())).await.expect(202);
    assert!(missing.header("location").starts_with("/v2/ada/img/crossmount/blobs/uploads/"));
    // Content is not looked for in images that the client does not name.
    ada.post(&format!("{other}?mount={sum}")).await.expect(202);
}

#[tokio::test]
async fn manifest_upload() {
    let (_house, ada) = with_images().await;
    ada.get(&app(&format!("manifests/{MISSING}"))).await.expect(404);
    for bytes in [config("two").as_str(), LAYER] {
        push_blob(&ada, "ada/img/app", bytes).await;
    }
    for number in 0..4 {
        let put = put_manifest(&ada, "ada/img/app", &format!("test{number}"), MANIFEST, &manifest("two")).await;
        assert_eq!(put.expect(201).header("location"), format!("/v2/ada/img/app/manifests/test{number}"));
    }
    let config = descriptor("application/vnd.oci.image.config.v1+json", config("two"));
    let empty = json!({ "schemaVersion": 2, "config": config, "layers": [] }).to_string();
    let put = put_manifest(&ada, "ada/img/app", "emptylayer", MANIFEST, &empty).await.expect(201);
    assert!(!put.header("location").is_empty());
    ada.get(&app(&format!("manifests/{}", digest(manifest("two"))))).await.expect(200);
    ada.delete(&app(&format!("manifests/{}", digest(manifest("two"))))).await.expect(202);
    ada.delete(&app(&format!("manifests/{}", digest(&empty)))).await.expect(202);
}
