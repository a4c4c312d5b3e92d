//! Requests that no client should send.

use serde_json::json;

use super::tools::{
    INDEX, MANIFEST, app, descriptor, digest, index, manifest, push, push_blob, put_manifest, refused, with_images,
};

#[tokio::test]
async fn names_tags_and_digests_that_are_not_valid_are_refused() {
    let (_house, ada) = with_images().await;
    for (path, status, code) in [
        ("//v2/ada/img/App/tags/list", 400, "NAME_INVALID"),
        ("//v2/ada/app/tags/list", 400, "NAME_INVALID"),
        ("//v2/ada/img/-a/tags/list", 400, "NAME_INVALID"),
        ("//v2/ada/img/app/manifests/sha256:short", 400, "DIGEST_INVALID"),
        ("//v2/ada/img/app/manifests/.v1", 404, "MANIFEST_UNKNOWN"),
        ("//v2/ada/img/app/blobs/v1", 400, "DIGEST_INVALID"),
        ("//v2/ada/img/app/blobs/uploads/no.id", 404, "BLOB_UPLOAD_UNKNOWN"),
        ("//v2/ada/img/app", 404, "NAME_UNKNOWN"),
        ("//v2/ada/img/app/other/things", 404, "NAME_UNKNOWN"),
    ] {
        let answer = ada.get(path).await;
        assert_eq!((answer.status, super::tools::code(&answer).as_str()), (status, code), "{path}");
    }
    let sha512 = format!("sha512:{}", "ab".repeat(64));
    refused(ada.get(&app(&format!("blobs/{sha512}"))).await, 400, "DIGEST_INVALID");
    let location = ada.post(&app("blobs/uploads/")).await.expect(202).header("location").to_owned();
    refused(ada.put(&format!("/{location}")).body("x").await, 400, "DIGEST_INVALID");
    refused(ada.put(&format!("/{location}?digest={sha512}")).body("x").await, 400, "DIGEST_INVALID");
    for tag in [".v1", "-v1", &"v".repeat(129)] {
        refused(put_manifest(&ada, "ada/img/app", tag, MANIFEST, &manifest(&[])).await, 400, "MANIFEST_INVALID");
    }
    ada.get("//v2/ada/img/%2e%2e/tags/list").await.expect(400);
    refused(ada.get("//v2/ada/img/blobs/tags/list").await, 404, "NAME_UNKNOWN");
}

#[tokio::test]
async fn manifests_that_break_the_rules_are_refused() {
    let (_house, ada) = with_images().await;
    push_blob(&ada, "ada/img/app", "{}").await;
    let config = descriptor("application/vnd.oci.image.config.v1+json", "{}");
    let layer = descriptor("x/y", "{}");
    let many = json!({ "schemaVersion": 2, "config": config, "layers": vec![layer.clone(); 10_001] }).to_string();
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let negative = json!({ "schemaVersion": 2, "config": config, "layers": [{ "mediaType": "x/y", "digest": digest("{}"), "size": -2 }] });
    let huge = json!({ "schemaVersion": 2, "config": config, "layers": [{ "mediaType": "x/y", "digest": digest("{}"), "size": 1_u64 << 60 }] });
    let mut notes =
        json!({ "schemaVersion": 2, "config": config, "layers": [], "annotations": { "a": "x".repeat(3 << 20) } });
    notes["subject"] = descriptor(MANIFEST, "another");
    let twice = manifest(&[]).replace("\"layers\":[]", "\"layers\":[],\"layers\":[]");
    for text in [
        String::new(),
        "no JSON".to_owned(),
        "[]".to_owned(),
        json!({ "schemaVersion": 1 }).to_string(),
        many,
        deep,
        negative.to_string(),
        huge.to_string(),
        notes.to_string(),
        twice,
    ] {
        refused(put_manifest(&ada, "ada/img/app", "v1", MANIFEST, &text).await, 400, "MANIFEST_INVALID");
    }
    for media_type in ["application/vnd.docker.distribution.manifest.v1+prettyjws", "text/plain", INDEX] {
        let put = put_manifest(&ada, "ada/img/app", "v1", media_type, &manifest(&[])).await;
        refused(put, 400, "MANIFEST_INVALID");
    }
    let large = put_manifest(&ada, "ada/img/app", "v1", MANIFEST, &" ".repeat((4 << 20) + 1)).await;
    refused(large, 413, "MANIFEST_INVALID");
    refused(ada.get(&app("manifests/v1")).await, 404, "MANIFEST_UNKNOWN");
    put_manifest(&ada, "ada/img/app", "v1", MANIFEST, &manifest(&[])).await.expect(201);
    put_manifest(&ada, "ada/img/app", "v2", MANIFEST, &manifest(&["{}", "{}"])).await.expect(201);
    put_manifest(&ada, "ada/img/app", "v3", INDEX, &index(&[])).await.expect(201);
}

#[tokio::test]
async fn methods_that_mean_nothing_are_unsupported() {
    let (_house, ada) = with_images().await;
    for (path, method) in [
        ("manifests/v1", reqwest::Method::PATCH),
        ("tags/list", reqwest::Method::POST),
        ("blobs/uploads/", reqwest::Method::PUT),
        (&format!("blobs/{}", digest("x")), reqwest::Method::PUT),
        (&format!("referrers/{}", digest("x")), reqwest::Method::DELETE),
    ] {
        refused(ada.call(method, &app(path)).await, 405, "UNSUPPORTED");
    }
}

#[tokio::test]
async fn names_of_kinds_are_images_and_subjects_stay_in_their_image() {
    let (house, ada) = with_images().await;
    for image in ["ada/img/blobs", "ada/img/manifests/tags", "ada/img/blobs/uploads"] {
        push(&ada, image, "v1", &["layer"]).await;
        house.anyone().get(&format!("//v2/{image}/manifests/v1")).await.expect(200);
        let tags = house.anyone().get(&format!("//v2/{image}/tags/list")).await.expect(200).json();
        assert_eq!(tags, json!({ "name": image, "tags": ["v1"] }));
    }
    let subject = manifest(&["layer"]);
    push(&ada, "ada/img/app", "v1", &["layer"]).await;
    push_blob(&ada, "ada/img/other", "{}").await;
    let about = json!({
        "schemaVersion": 2, "mediaType": MANIFEST, "artifactType": "x/y", "layers": [],
        "config": descriptor("application/vnd.oci.empty.v1+json", "{}"), "subject": descriptor(MANIFEST, &subject),
    })
    .to_string();
    put_manifest(&ada, "ada/img/other", &digest(&about), MANIFEST, &about).await.expect(201);
    for (image, count) in [("app", 0), ("other", 1)] {
        let list = ada.get(&format!("//v2/ada/img/{image}/referrers/{}", digest(&subject))).await.expect(200).json();
        assert_eq!(list["manifests"].as_array().map(Vec::len), Some(count), "{image}");
    }
}
