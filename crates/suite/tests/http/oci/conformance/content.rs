//! The kinds of content that the conformance suite pushes, lists, pulls and deletes.

use serde_json::{Value, json};
use suite::Person;

use super::tags;
use crate::oci::tools::{
    INDEX, MANIFEST, app, descriptor, digest, index, manifest, push_blob, put_manifest, with_images,
};

/// Pushes manifests by digest and the last one by a tag, reads all of them, and deletes them, the last one first.
async fn round_trip(ada: &Person, tag: &str, documents: &[(&str, String)]) {
    for (media_type, text) in documents {
        let put = put_manifest(ada, "ada/img/app", &digest(text), media_type, text).await.expect(201);
        assert_eq!(put.header("docker-content-digest"), digest(text));
        let at_location = ada.get(&format!("/{}", put.header("location"))).await.expect(200);
        assert_eq!((&at_location.text(), at_location.header("content-type")), (text, *media_type), "{tag}");
    }
    let (media_type, text) = documents.last().expect("a document");
    put_manifest(ada, "ada/img/app", tag, media_type, text).await.expect(201);
    assert!(tags(ada, "").await.contains(&tag.to_owned()));
    let by_tag = ada.get(&app(&format!("manifests/{tag}"))).header("accept", media_type).await.expect(200);
    assert_eq!((&by_tag.text(), by_tag.header("content-length")), (text, text.len().to_string().as_str()), "{tag}");
    for (_, text) in documents {
        let head = ada.head(&app(&format!("manifests/{}", digest(text)))).await.expect(200);
        assert_eq!(head.header("docker-content-digest"), digest(text));
    }
    ada.delete(&app(&format!("manifests/{tag}"))).await.expect(202);
    ada.head(&app(&format!("manifests/{tag}"))).await.expect(404);
    ada.delete(&app(&format!("manifests/{}", digest(text)))).await.expect(202);
    for (_, text) in documents {
        ada.head(&app(&format!("manifests/{}", digest(text)))).await.expect(404);
    }
}

async fn push_blobs(ada: &Person, blobs: &[&str]) {
    for bytes in blobs {
        push_blob(ada, "ada/img/app", bytes).await;
    }
}

#[tokio::test]
async fn indexes_of_images_of_indexes_and_of_nothing() {
    let (_house, ada) = with_images().await;
    let (amd, arm) = (manifest(&["amd"]), manifest(&["arm"]));
    let both = index(&[&amd, &arm]);
    let children = [(MANIFEST, amd.clone()), (MANIFEST, arm)];
    push_blobs(&ada, &["{}", "amd", "arm"]).await;
    round_trip(&ada, "index", &[&children[..], &[(INDEX, both.clone())]].concat()).await;
    push_blobs(&ada, &["{}", "amd", "arm"]).await;
    let second = index(&[&amd]);
    let nested = json!({
        "schemaVersion": 2, "mediaType": INDEX, "manifests": [descriptor(INDEX, &both), descriptor(INDEX, &second)],
    });
    let documents = [(INDEX, both), (INDEX, second), (INDEX, nested.to_string())];
    round_trip(&ada, "nested", &[&children[..], &documents].concat()).await;
    round_trip(&ada, "empty", &[(INDEX, index(&[]))]).await;
}

#[tokio::test]
async fn images_and_artifacts_of_all_kinds() {
    let (_house, ada) = with_images().await;
    let empty = descriptor("application/vnd.oci.empty.v1+json", "{}");
    let config = descriptor("application/vnd.oci.image.config.v1+json", "{}");
    let image = |fields: Value| {
        let mut document = json!({ "schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [] });
        for (key, value) in fields.as_object().expect("fields") {
            document[key] = value.clone();
        }
        document.to_string()
    };
    let notes: serde_json::Map<String, Value> =
        (0..390).map(|number| (format!("large-annotation-{number}"), json!("A".repeat(10_000)))).collect();
    let mut with_data = descriptor("application/vnd.oci.image.layer.v1.tar", "layer");
    with_data["data"] = json!("bGF5ZXI=");
    let far = json!({
        "mediaType": "application/vnd.oci.image.layer.nondistributable.v1.tar+gzip", "digest": digest("far"),
        "size": 123_456, "urls": ["https://store.example.com/blobs/far"],
    });
    for (tag, text) in [
        ("no-layers", image(json!({}))),
        ("large-manifest", image(json!({ "annotations": notes }))),
        ("data-field", image(json!({ "layers": [with_data] }))),
        ("non-distributable", image(json!({ "layers": [far] }))),
        ("custom-fields", image(json!({ "org.example.field": { "a": [1, 2] } }))),
        ("artifact", image(json!({ "artifactType": "x/y", "config": empty, "layers": [descriptor("x/y", "layer")] }))),
        ("without-layers", image(json!({ "artifactType": "x/y", "config": empty, "layers": [empty] }))),
        ("missing-subject", image(json!({ "artifactType": "x/y", "subject": descriptor(MANIFEST, "missing") }))),
    ] {
        push_blobs(&ada, &["{}", "layer"]).await;
        round_trip(&ada, tag, &[(MANIFEST, text)]).await;
    }
    let docker = manifest(&["layer"]).replace("vnd.oci.image.manifest.v1", "vnd.docker.distribution.manifest.v2");
    push_blobs(&ada, &["{}", "layer"]).await;
    round_trip(&ada, "docker", &[("application/vnd.docker.distribution.manifest.v2+json", docker)]).await;
}

#[tokio::test]
async fn a_manifest_with_another_digest_is_refused() {
    let (_house, ada) = with_images().await;
    push_blobs(&ada, &["{}", "layer"]).await;
    let text = manifest(&["layer"]);
    for reference in ["sha256:baddigeststring", &digest(&text)] {
        let put = put_manifest(&ada, "ada/img/app", reference, MANIFEST, &format!("{text}  ")).await;
        crate::oci::tools::refused(put, 400, "DIGEST_INVALID");
    }
    ada.get(&app(&format!("manifests/{}", digest(&text)))).await.expect(404);
}
