//! Pull.

use super::{CODES, LAYER, MISSING, config, dummy, manifest};
use crate::oci::tools::{MANIFEST, app, code, digest, push_blob, put_manifest, with_images};

#[tokio::test]
async fn pull() {
    let (_house, ada) = with_images().await;
    let (first, second) = (manifest("one"), manifest("two"));
    for bytes in [config("one").as_str(), &config("two"), LAYER] {
        push_blob(&ada, "ada/img/app", bytes).await;
    }
    put_manifest(&ada, "ada/img/app", "tagtest0", MANIFEST, &first).await.expect(201);
    put_manifest(&ada, "ada/img/app", &digest(&second), MANIFEST, &second).await.expect(201);

    // Pull blobs.
    let blob = app(&format!("blobs/{}", digest(config("one"))));
    ada.head(&app(&format!("blobs/{}", dummy()))).await.expect(404);
    let head = ada.head(&blob).await.expect(200);
    assert_eq!(head.header("docker-content-digest"), digest(config("one")));
    assert_eq!(head.header("content-length"), config("one").len().to_string());
    ada.get(&app(&format!("blobs/{}", dummy()))).await.expect(404);
    assert_eq!(ada.get(&blob).await.expect(200).text(), config("one"));

    // Pull manifests.
    ada.head(&app(&format!("manifests/{MISSING}"))).await.expect(404);
    ada.get(&app(&format!("manifests/{MISSING}"))).await.expect(404);
    for (reference, text) in [(&digest(&first), &first), (&digest(&second), &second), (&"tagtest0".to_owned(), &first)]
    {
        let at = app(&format!("manifests/{reference}"));
        let head = ada.head(&at).header("accept", MANIFEST).await.expect(200);
        assert_eq!(head.header("docker-content-digest"), digest(text));
        let got = ada.get(&at).header("accept", MANIFEST).await.expect(200);
        assert_eq!((&got.text(), got.header("content-type")), (text, MANIFEST));
    }

    // Error codes.
    let wrong = ada.get(&app("manifests/sha256:totallywrong")).await.expect(400);
    assert!(CODES.contains(&code(&wrong).as_str()), "{}", wrong.text());

    // Teardown.
    for text in [&first, &second] {
        ada.delete(&app(&format!("manifests/{}", digest(text)))).await.expect(202);
    }
    for bytes in [config("one").as_str(), &config("two"), LAYER] {
        ada.delete(&app(&format!("blobs/{}", digest(bytes)))).await.expect(405);
        ada.get(&app(&format!("blobs/{}", digest(bytes)))).await.expect(404);
    }
}
