//! Content discovery: tags and referrers.

use serde_json::{Value, json};

use super::{LAYER, artifact, config, dummy, manifest, tags};
use crate::oci::tools::{INDEX, MANIFEST, app, descriptor, digest, push_blob, put_manifest, with_images};

const BAGEL: &str = "application/vnd.nhl.peanut.butter.bagel";
const CROISSANT: &str = "application/vnd.nba.strawberry.jam.croissant";

#[tokio::test]
async fn listing_tags() {
    let (_house, ada) = with_images().await;
    for bytes in [config("three").as_str(), LAYER] {
        push_blob(&ada, "ada/img/app", bytes).await;
    }
    for number in 0..4 {
        let put = put_manifest(&ada, "ada/img/app", &format!("test{number}"), MANIFEST, &manifest("three")).await;
        put.expect(201);
    }
    assert_eq!(tags(&ada, "").await, ["test0", "test1", "test2", "test3"]);
    assert_eq!(tags(&ada, "?n=2").await, ["test0", "test1"]);
    assert_eq!(tags(&ada, "?n=2&last=test1").await, ["test2", "test3"]);
    assert_eq!(tags(&ada, "?last=test2").await, ["test3"]);
}

#[tokio::test]
async fn listing_referrers() {
    let (_house, ada) = with_images().await;
    let image = manifest("five");
    for bytes in ["{}", "layer a", "layer b", "of nothing"] {
        push_blob(&ada, "ada/img/app", bytes).await;
    }
    // Before the image: by the type of the configuration, by the artifact type, and an index.
    let mut by_config = artifact("x/y", &image, "config a");
    by_config.as_object_mut().expect("an object").remove("artifactType");
    by_config["config"] = descriptor(BAGEL, "layer a");
    by_config["layers"] = json!([descriptor("application/vnd.oci.empty.v1+json", "{}")]);
    let by_type = artifact(BAGEL, &image, "layer a");
    let of_index = json!({
        "schemaVersion": 2, "mediaType": INDEX, "artifactType": CROISSANT, "subject": descriptor(MANIFEST, &image),
        "manifests": [descriptor(MANIFEST, by_config.to_string()), descriptor(MANIFEST, by_type.to_string())],
        "annotations": { "org.opencontainers.conformance.test": "index" },
    });
    let put = async |document: &Value, subject: &str| {
        let text = document.to_string();
        let media_type = document["mediaType"].as_str().expect("a media type");
        let answer = put_manifest(&ada, "ada/img/app", &digest(&text), media_type, &text).await.expect(201);
        assert_eq!(answer.header("oci-subject"), digest(subject));
    };
    for document in [&by_config, &by_type, &of_index] {
        put(document, &image).await;
    }
    for bytes in [config("five").as_str(), LAYER] {
        push_blob(&ada, "ada/img/app", bytes).await;
    }
    put_manifest(&ada, "ada/img/app", "tagtest0", MANIFEST, &image).await.expect(201);
    // After the image.
    let later = artifact(CROISSANT, &image, "layer b");
    put(&later, &image).await;
    put(&artifact(CROISSANT, "missing", "of nothing"), "missing").await;

    let listed = async |of: &str, query: &str| {
        let answer = ada.get(&app(&format!("referrers/{of}{query}"))).await.expect(200);
        assert_eq!(answer.header("content-type"), INDEX);
        let filters = answer.header("oci-filters-applied").to_owned();
        (answer.json()["manifests"].as_array().expect("a list").clone(), filters)
    };
    assert_eq!(listed(&dummy(), "").await.0, Vec::<Value>::new());
    let (all, _) = listed(&digest(&image), "").await;
    assert_eq!(all.len(), 4);
    for document in [&by_config, &by_type, &of_index, &later] {
        let text = document.to_string();
        let entry = all.iter().find(|entry| entry["digest"] == digest(&text)).expect("an entry");
        assert_eq!((&entry["mediaType"], &entry["size"]), (&document["mediaType"], &json!(text.len())));
        assert_eq!(entry["annotations"], document["annotations"]);
    }
    let (some, filters) = listed(&digest(&image), &format!("?artifactType={BAGEL}")).await;
    assert_eq!((some.len(), filters.as_str()), (2, "artifactType"));
    assert!(some.iter().all(|entry| entry["artifactType"] == BAGEL), "{some:?}");
    let (of_missing, _) = listed(&digest("missing"), "").await;
    assert_eq!(of_missing.len(), 1);

    // Teardown.
    for document in [of_index.to_string(), image, by_config.to_string(), by_type.to_string(), later.to_string()] {
        ada.delete(&app(&format!("manifests/{}", digest(document)))).await.expect(202);
    }
}
