//! Pushes, pulls and deletions of one image at the same time.

use futures_util::future::join_all;
use serde_json::json;

use super::tools::{MANIFEST, app, digest, manifest, push, push_blob, put_manifest, with_images};

#[tokio::test]
async fn the_same_layer_is_pushed_twice_at_once() {
    let (house, ada) = with_images().await;
    let layer = "layer ".repeat(100_000);
    let sums = join_all((0..6).map(|_| push_blob(&ada, "ada/img/app", &layer))).await;
    assert!(sums.iter().all(|sum| *sum == digest(&layer)));
    push_blob(&ada, "ada/img/app", "{}").await;
    let text = manifest(&[&layer]);
    let puts = (0..6).map(|number| {
        let (ada, text) = (&ada, &text);
        async move { put_manifest(ada, "ada/img/app", &format!("v{}", number % 2), MANIFEST, text).await.expect(201) }
    });
    join_all(puts).await;
    let tags = house.anyone().get(&app("tags/list")).await.expect(200).json();
    assert_eq!(tags["tags"], json!(["v0", "v1"]));
    let read = house.anyone().get(&app(&format!("blobs/{}", digest(&layer)))).await.expect(200);
    assert!(read.text() == layer);
}

#[tokio::test]
async fn a_tag_that_moves_during_a_pull_leaves_the_old_image_whole() {
    let (house, ada) = with_images().await;
    push(&ada, "ada/img/app", "latest", &["old"]).await;
    let anyone = house.anyone();
    // docker asks for the tag, and then for what the tag had.
    let seen = anyone.head(&app("manifests/latest")).await.expect(200).header("docker-content-digest").to_owned();
    push(&ada, "ada/img/app", "latest", &["new"]).await;
    assert_eq!(anyone.get(&app(&format!("manifests/{seen}"))).await.expect(200).text(), manifest(&["old"]));
    assert_eq!(anyone.get(&app(&format!("blobs/{}", digest("old")))).await.expect(200).text(), "old");
}

#[tokio::test]
async fn deletions_and_pushes_of_shared_layers_never_lose_one() {
    let (house, ada) = with_images().await;
    for round in 0..5 {
        push(&ada, "ada/img/app", "v1", &["shared", "one"]).await;
        for bytes in ["two", "shared", "{}"] {
            push_blob(&ada, "ada/img/app", bytes).await;
        }
        let gone = digest(manifest(&["shared", "one"]));
        let text = manifest(&["shared", "two"]);
        let deleting = async { ada.delete(&app(&format!("manifests/{gone}"))).await.status };
        let putting = async { put_manifest(&ada, "ada/img/app", "v2", MANIFEST, &text).await.status };
        let (deleted, put) = tokio::join!(deleting, putting);
        assert_eq!((deleted, put), (202, 201), "{round}");
        for layer in ["shared", "two"] {
            let at = app(&format!("blobs/{}", digest(layer)));
            assert_eq!(house.anyone().get(&at).await.expect(200).text(), layer, "{round}");
        }
        ada.delete(&app(&format!("manifests/{}", digest(&text)))).await.expect(202);
    }
}
