//! Images on pages: tags with platforms and sizes, layers with their commands, signatures as what they are.

use serde_json::json;

use super::{
    rules::with_plan,
    tools::{INDEX, MANIFEST, descriptor, digest, push_blob, put_manifest, with_images},
};
use crate::pages::manage::signed_in;

const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";

/// The configuration and the manifest of an image for a platform.
fn image(architecture: &str) -> (String, String) {
    let config = json!({
        "os": "linux", "architecture": architecture,
        "history": [
            { "created_by": "ADD rootfs.tar / # <base>" },
            { "created_by": "ENV LANG=C", "empty_layer": true },
            { "created_by": "RUN make install" },
        ],
    })
    .to_string();
    let layers = json!([descriptor(LAYER, "base"), descriptor(LAYER, architecture)]);
    let config_entry = descriptor(CONFIG, &config);
    (config, json!({ "schemaVersion": 2, "mediaType": MANIFEST, "config": config_entry, "layers": layers }).to_string())
}

#[tokio::test]
async fn pages_show_tags_platforms_layers_and_signatures() {
    let (house, ada) = with_images().await;
    let mut children = Vec::new();
    for architecture in ["amd64", "arm64"] {
        let (config, text) = image(architecture);
        for bytes in ["base", architecture, &config, "{}"] {
            push_blob(&ada, "ada/img/app", bytes).await;
        }
        put_manifest(&ada, "ada/img/app", &digest(&text), MANIFEST, &text).await.expect(201);
        let mut entry = descriptor(MANIFEST, &text);
        entry["platform"] = json!({ "os": "linux", "architecture": architecture });
        children.push(entry);
    }
    let text = json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": children }).to_string();
    put_manifest(&ada, "ada/img/app", "v2", INDEX, &text).await.expect(201);
    put_manifest(&ada, "ada/img/app", "v1", MANIFEST, &image("amd64").1).await.expect(201);
    let artifact = |kind: &str, layers: serde_json::Value| {
        json!({
            "schemaVersion": 2, "mediaType": MANIFEST, "artifactType": kind, "layers": layers,
            "config": descriptor("application/vnd.oci.empty.v1+json", "{}"), "subject": descriptor(INDEX, &text),
        })
        .to_string()
    };
    let bundle = artifact("application/vnd.dev.sigstore.bundle.v0.3+json", json!([]));
    put_manifest(&ada, "ada/img/app", &digest(&bundle), MANIFEST, &bundle).await.expect(201);
    let signature = artifact("application/vnd.acme.unknown", json!([descriptor("x/y", "{}")]));
    let tag = format!("{}.sig", digest(&text).replace(':', "-"));
    put_manifest(&ada, "ada/img/app", &tag, MANIFEST, &signature).await.expect(201);

    let package = house.browser().open("/ada/img/app").await.expect(200).text();
    for part in
        ["<h2 id=\"versions-heading\">Tags", "linux/amd64", "linux/arm64", "docker pull", ">Signature<", "No tag"]
    {
        assert!(package.contains(part), "{part}: {package}");
    }
    let version = house.browser().open("/ada/img/app/v2").await.expect(200).text();
    for part in [
        "linux/arm64",
        &digest(&text),
        "2 layers",
        "RUN make install",
        "ADD rootfs.tar / # &#60;base&#62;",
        "ENV LANG=C",
        "Sigstore bundle",
        "Artifact",
        "Signature",
        &digest("base"),
        "docker pull ",
        "/ada/img/app:v2",
    ] {
        assert!(version.contains(part), "{part}: {version}");
    }
    let single = house.browser().open("/ada/img/app/v1").await.expect(200).text();
    assert!(single.contains("linux/amd64") && !single.contains("linux/arm64"), "{single}");
    assert!(single.contains(&digest(image("amd64").1)), "{single}");
    with_plan(&house).await;
    ada.put("/repos/ada/img/ip_restrictions").json(json!({ "black_cidrs": ["127.0.0.0/8"] })).await.expect(200);
    let elsewhere = house.browser().open("/ada/img/app/v2").await.text();
    assert!(!elsewhere.contains("RUN make install"), "content is not for this network: {elsewhere}");
    let own = signed_in(&house, &ada).await.open("/ada/img/app/v2").await.expect(200).text();
    assert!(own.contains("linux/arm64") && own.contains("RUN make install"), "{own}");
    ada.patch("/repos/ada/img").json(json!({ "private": true })).await.expect(200);
    assert_ne!(house.browser().open("/ada/img/app/v2").await.status, 200);
}
