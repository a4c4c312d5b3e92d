//! Deletions: of tags, manifests, versions and files. What another tag uses always stays.

use serde_json::json;

use super::tools::{
    INDEX, MANIFEST, app, digest, index, manifest, push, push_blob, put_manifest, refused, with_images,
};

#[tokio::test]
async fn a_deleted_tag_leaves_its_manifest() {
    let (house, ada) = with_images().await;
    let sum = push(&ada, "ada/img/app", "v1", &["layer"]).await;
    put_manifest(&ada, "ada/img/app", "v2", MANIFEST, &manifest(&["layer"])).await.expect(201);
    ada.delete(&app("manifests/v1")).await.expect(202);
    refused(ada.get(&app("manifests/v1")).await, 404, "MANIFEST_UNKNOWN");
    house.anyone().get(&app("manifests/v2")).await.expect(200);
    ada.delete(&app("manifests/v2")).await.expect(202);
    house.anyone().get(&app(&format!("manifests/{sum}"))).await.expect(200);
    house.anyone().get(&app(&format!("blobs/{}", digest("layer")))).await.expect(200);
    let shown = ada.get("/packages/ada/img/app").await.expect(200).json();
    assert_eq!(shown["versions"], json!([sum]));
    assert_eq!(ada.get(&app("tags/list")).await.expect(200).json()["tags"], json!([]));
    refused(ada.delete(&app("manifests/v2")).await, 404, "MANIFEST_UNKNOWN");
}

#[tokio::test]
async fn a_deleted_manifest_takes_its_tags_and_what_nothing_else_uses() {
    let (house, ada) = with_images().await;
    let sum = push(&ada, "ada/img/app", "v1", &["shared", "one"]).await;
    put_manifest(&ada, "ada/img/app", "also", MANIFEST, &manifest(&["shared", "one"])).await.expect(201);
    push(&ada, "ada/img/app", "v2", &["shared", "two"]).await;
    ada.delete(&app(&format!("manifests/{sum}"))).await.expect(202);
    for gone in ["manifests/v1", "manifests/also", &format!("manifests/{sum}"), &format!("blobs/{}", digest("one"))] {
        house.anyone().get(&app(gone)).await.expect(401);
    }
    for left in ["manifests/v2", &format!("blobs/{}", digest("shared")), &format!("blobs/{}", digest("{}"))] {
        house.anyone().get(&app(left)).await.expect(200);
    }
    assert_eq!(ada.get(&app("tags/list")).await.expect(200).json()["tags"], json!(["v2"]));
    push(&ada, "ada/img/app", "v1", &["shared", "one"]).await;
    house.anyone().get(&app("manifests/v1")).await.expect(200);
}

#[tokio::test]
async fn a_child_of_an_index_is_not_deleted_alone() {
    let (house, ada) = with_images().await;
    let child = push(&ada, "ada/img/app", &digest(manifest(&["amd"])), &["amd"]).await;
    let text = index(&[&manifest(&["amd"])]);
    put_manifest(&ada, "ada/img/app", "v1", INDEX, &text).await.expect(201);
    refused(ada.delete(&app(&format!("manifests/{child}"))).await, 405, "UNSUPPORTED");
    ada.delete(&app(&format!("manifests/{}", digest(&text)))).await.expect(202);
    house.anyone().get(&app(&format!("manifests/{child}"))).await.expect(401);
}

#[tokio::test]
async fn deleting_a_version_keeps_what_others_use() {
    let (house, ada) = with_images().await;
    push(&ada, "ada/img/app", "v1", &["shared", "one"]).await;
    push(&ada, "ada/img/app", "v2", &["shared", "two"]).await;
    ada.delete("/packages/ada/img/app/versions/v1").await.expect(200);
    house.anyone().get(&app("manifests/v1")).await.expect(401);
    house.anyone().get(&app(&format!("blobs/{}", digest("one")))).await.expect(401);
    house.anyone().get(&app(&format!("blobs/{}", digest("shared")))).await.expect(200);
    let files = ada.get("/packages/ada/img/app/versions/v2/files").await.expect(200).json();
    assert_eq!(files.as_array().expect("files").len(), 5, "{files}");
    let conflict = ada.delete(&format!("/content/ada/img/app/blobs/{}", digest("two"))).await.expect(409);
    assert!(conflict.message().contains("part of an image"), "{}", conflict.text());
    ada.delete("/packages/ada/img/app").await.expect(200);
    house.anyone().get(&app(&format!("blobs/{}", digest("shared")))).await.expect(401);
    push(&ada, "ada/img/app", "v1", &["shared", "one"]).await;
    ada.delete("/repos/ada/img").await.expect(200);
    refused(ada.get(&app("manifests/v1")).await, 404, "NAME_UNKNOWN");
}

#[tokio::test]
async fn a_tag_past_the_window_moves_but_is_not_deleted() {
    let (house, ada) = with_images().await;
    push(&ada, "ada/img/app", "v1", &["one"]).await;
    house.clock.advance(40 * 24 * 3_600_000);
    push(&ada, "ada/img/app", "v1", &["two"]).await;
    refused(ada.delete(&app("manifests/v1")).await, 403, "DENIED");
    ada.patch("/repos/ada/img").json(json!({ "version_update_max_days": 3 })).await.expect(200);
    push_blob(&ada, "ada/img/app", "three").await;
    let put = put_manifest(&ada, "ada/img/app", "v1", MANIFEST, &manifest(&["three"])).await;
    refused(put, 403, "DENIED");
}
