//! Manifests: put, read by tag and digest, indexes, subjects.

use serde_json::json;

use super::tools::{
    INDEX, MANIFEST, app, descriptor, digest, index, manifest, push, push_blob, put_manifest, refused, with_images,
};

#[tokio::test]
async fn a_manifest_is_read_as_it_was_put_by_tag_and_by_digest() {
    let (house, ada) = with_images().await;
    for bytes in ["{}", "layer"] {
        push_blob(&ada, "ada/img/app", bytes).await;
    }
    let text = manifest(&["layer"]).replace("\":", "\": ");
    let put = put_manifest(&ada, "ada/img/app", "v1", MANIFEST, &text).await.expect(201);
    assert_eq!(put.header("location"), "/v2/ada/img/app/manifests/v1");
    assert_eq!(put.header("docker-content-digest"), digest(&text));
    for reference in ["v1", &digest(&text), &digest(&text).replace(':', "%3A")] {
        let read = house.anyone().get(&app(&format!("manifests/{reference}"))).await.expect(200);
        assert_eq!((read.text(), read.header("content-type")), (text.clone(), MANIFEST));
        assert_eq!(read.header("docker-content-digest"), digest(&text));
        let head = house.anyone().head(&app(&format!("manifests/{reference}"))).await.expect(200);
        assert_eq!(head.header("content-length"), text.len().to_string());
        let same = house.anyone().get(&app(&format!("manifests/{reference}")));
        same.header("if-none-match", read.header("etag")).await.expect(304);
    }
    let layer = house.anyone().get(&app(&format!("blobs/{}", digest("layer")))).await.expect(200);
    assert_eq!(layer.text(), "layer");
    let version = ada.get("/packages/ada/img/app/versions/v1").await.expect(200).json();
    assert_eq!(version["name"], "v1");
    refused(ada.get(&app("manifests/v2")).await, 404, "MANIFEST_UNKNOWN");
    refused(ada.get("//v2/ada/img/other/manifests/v1").await, 404, "MANIFEST_UNKNOWN");
}

#[tokio::test]
async fn every_name_is_found_without_regard_to_case() {
    let (house, _ada) = with_images().await;
    let bob = house.user("Bob").await;
    bob.post("/repos/Bob/Images").json(json!({ "type": "oci" })).await.expect(201);
    let sum = push(&bob, "bob/images/team/app", "V1", &["layer"]).await;
    let read = house.anyone().get("//v2/bob/images/team/app/manifests/V1").await.expect(200);
    assert_eq!(read.header("docker-content-digest"), sum);
    let shown = bob.get("/packages/Bob/Images/team:app").await.expect(200).json();
    assert_eq!(shown["versions"], json!(["V1"]));
    assert_eq!(bob.get("/repos/Bob/Images").await.expect(200).json()["type"], "docker");
}

#[tokio::test]
async fn everything_that_a_manifest_names_must_be_there() {
    let (_house, ada) = with_images().await;
    push_blob(&ada, "ada/img/app", "{}").await;
    let text = manifest(&["layer"]);
    refused(put_manifest(&ada, "ada/img/app", "v1", MANIFEST, &text).await, 404, "MANIFEST_BLOB_UNKNOWN");
    push_blob(&ada, "ada/img/other", "layer").await;
    refused(put_manifest(&ada, "ada/img/app", "v1", MANIFEST, &text).await, 404, "MANIFEST_BLOB_UNKNOWN");
    push_blob(&ada, "ada/img/app", "layer").await;
    let wrong = text.replace("\"size\":5", "\"size\":6");
    refused(put_manifest(&ada, "ada/img/app", "v1", MANIFEST, &wrong).await, 400, "MANIFEST_INVALID");
    let of_unknown = index(&[&text]);
    refused(put_manifest(&ada, "ada/img/app", "v1", INDEX, &of_unknown).await, 404, "MANIFEST_BLOB_UNKNOWN");
    let named = digest("other");
    refused(put_manifest(&ada, "ada/img/app", &named, MANIFEST, &text).await, 400, "DIGEST_INVALID");
    put_manifest(&ada, "ada/img/app", "v1", MANIFEST, &text).await.expect(201);
    let foreign = json!({
        "schemaVersion": 2, "config": descriptor("application/vnd.oci.image.config.v1+json", "{}"),
        "layers": [{ "mediaType": "x/y", "digest": digest("far away"), "size": 8, "urls": ["https://example.com/x"] }],
    });
    put_manifest(&ada, "ada/img/app", "v2", MANIFEST, &foreign.to_string()).await.expect(201);
}

#[tokio::test]
async fn an_index_reaches_its_children_and_their_layers() {
    let (house, ada) = with_images().await;
    let amd = push(&ada, "ada/img/app", &digest(manifest(&["amd"])), &["amd"]).await;
    let arm = push(&ada, "ada/img/app", &digest(manifest(&["arm"])), &["arm"]).await;
    let versions = |shown: serde_json::Value| {
        let mut names: Vec<String> = serde_json::from_value(shown["versions"].clone()).expect("names");
        names.sort();
        names
    };
    let mut both = vec![amd.clone(), arm.clone()];
    both.sort();
    assert_eq!(versions(ada.get("/packages/ada/img/app").await.expect(200).json()), both);
    let text = index(&[&manifest(&["amd"]), &manifest(&["arm"])]);
    put_manifest(&ada, "ada/img/app", "v1", INDEX, &text).await.expect(201);
    assert_eq!(versions(ada.get("/packages/ada/img/app").await.expect(200).json()), ["v1"]);
    for reference in ["v1", &digest(&text), &amd, &arm] {
        house.anyone().get(&app(&format!("manifests/{reference}"))).await.expect(200);
    }
    for layer in ["amd", "arm", "{}"] {
        house.anyone().get(&app(&format!("blobs/{}", digest(layer)))).await.expect(200);
    }
}

#[tokio::test]
async fn a_tag_moves_and_its_old_manifest_stays_by_digest() {
    let (house, ada) = with_images().await;
    let old = push(&ada, "ada/img/app", "latest", &["shared", "old"]).await;
    let new = push(&ada, "ada/img/app", "latest", &["shared", "new"]).await;
    let read = house.anyone().get(&app("manifests/latest")).await.expect(200);
    assert_eq!(read.header("docker-content-digest"), new);
    let by_digest = house.anyone().get(&app(&format!("manifests/{old}"))).await.expect(200);
    assert_eq!(by_digest.text(), manifest(&["shared", "old"]));
    house.anyone().get(&app(&format!("blobs/{}", digest("old")))).await.expect(200);
    let shown = ada.get("/packages/ada/img/app").await.expect(200).json();
    assert_eq!(shown["versions"].as_array().expect("names").len(), 2, "{shown}");
    put_manifest(&ada, "ada/img/app", "latest", MANIFEST, &manifest(&["shared", "old"])).await.expect(201);
    let shown = ada.get("/packages/ada/img/app").await.expect(200).json();
    let mut names: Vec<String> = serde_json::from_value(shown["versions"].clone()).expect("names");
    names.sort();
    assert_eq!(names, ["latest".to_owned(), new]);
    push(&ada, "ada/img/app", "latest", &["shared", "old"]).await;
}

#[tokio::test]
async fn artifacts_refer_to_their_subject() {
    let (_house, ada) = with_images().await;
    let image = push(&ada, "ada/img/app", "v1", &["layer"]).await;
    let subject = json!({ "mediaType": MANIFEST, "digest": image, "size": manifest(&["layer"]).len() });
    let artifact = |kind: &str| {
        json!({
            "schemaVersion": 2, "mediaType": MANIFEST, "artifactType": kind, "subject": subject,
            "config": descriptor("application/vnd.oci.empty.v1+json", "{}"), "layers": [],
            "annotations": { "made": kind },
        })
        .to_string()
    };
    let (sbom, signature) = (artifact("application/vnd.acme.sbom"), artifact("text/signature"));
    for text in [&sbom, &signature] {
        let put = put_manifest(&ada, "ada/img/app", &digest(text), MANIFEST, text).await.expect(201);
        assert_eq!(put.header("oci-subject"), image);
    }
    let all = ada.get(&app(&format!("referrers/{image}"))).await.expect(200);
    assert_eq!(all.header("content-type"), INDEX);
    assert_eq!(all.json()["manifests"].as_array().expect("a list").len(), 2);
    let query = "artifactType=application%2Fvnd.acme.sbom";
    let some = ada.get(&app(&format!("referrers/{image}?{query}"))).await.expect(200);
    assert_eq!(some.header("oci-filters-applied"), "artifactType");
    let expected = json!({
        "mediaType": MANIFEST, "size": sbom.len(), "digest": digest(&sbom),
        "artifactType": "application/vnd.acme.sbom", "annotations": { "made": "application/vnd.acme.sbom" },
    });
    assert_eq!(some.json()["manifests"], json!([expected]));
    let none = ada.get(&app(&format!("referrers/{}", digest("none")))).await.expect(200);
    assert_eq!(none.json()["manifests"], json!([]));
    ada.get(&format!("//v2/ada/img/none/referrers/{image}")).await.expect(200);
    ada.delete(&app(&format!("manifests/{}", digest(&sbom)))).await.expect(202);
    let left = ada.get(&app(&format!("referrers/{image}"))).await.expect(200);
    assert_eq!(left.json()["manifests"].as_array().expect("a list").len(), 1);
}
