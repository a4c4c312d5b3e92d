//! `packhouse push` of container images, and `packhouse ls` of their tags.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use suite::Ended;

use crate::scene::{Scene, bytes};

const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";

fn digest(bytes: &[u8]) -> String {
    let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

async fn with_images() -> Scene {
    let scene = Scene::start().await;
    scene.ada.post("/repos/ada/Img").json(json!({ "type": "docker" })).await.expect(201);
    scene
}

/// Writes content into a layout. Returns its descriptor.
fn blob(scene: &Scene, folder: &str, media_type: &str, bytes: &[u8]) -> Value {
    let digest = digest(bytes);
    scene.file(&format!("{folder}/blobs/sha256/{}", digest.trim_start_matches("sha256:")), bytes);
    json!({ "mediaType": media_type, "digest": digest, "size": bytes.len() })
}

/// Writes an image for two platforms in the layout of OCI.
fn write_layout(scene: &Scene, folder: &str) {
    let mut children = Vec::new();
    for architecture in ["amd64", "arm64"] {
        let config = json!({ "os": "linux", "architecture": architecture }).to_string();
        let config = blob(scene, folder, "application/vnd.oci.image.config.v1+json", config.as_bytes());
        let shared = blob(scene, folder, "application/vnd.oci.image.layer.v1.tar", &bytes(600_000));
        let own = blob(scene, folder, "application/vnd.oci.image.layer.v1.tar", architecture.as_bytes());
        let text = json!({ "schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [shared, own] });
        let mut child = blob(scene, folder, MANIFEST, text.to_string().as_bytes());
        child["platform"] = json!({ "os": "linux", "architecture": architecture });
        children.push(child);
    }
    let index_type = "application/vnd.oci.image.index.v1+json";
    let index = json!({ "schemaVersion": 2, "mediaType": index_type, "manifests": children }).to_string();
    let mut entry = blob(scene, folder, index_type, index.as_bytes());
    entry["annotations"] = json!({ "org.opencontainers.image.ref.name": "v1" });
    let mut other = entry.clone();
    other["annotations"] = json!({ "org.opencontainers.image.ref.name": "v0" });
    scene.file(&format!("{folder}/oci-layout"), r#"{"imageLayoutVersion":"1.0.0"}"#);
    let list = json!({ "schemaVersion": 2, "manifests": [other, entry] });
    scene.file(&format!("{folder}/index.json"), list.to_string());
}

/// Writes an archive as `docker save` does, with a link for a layer that is there already.
fn write_archive(scene: &Scene, name: &str) {
    let config = json!({ "os": "linux", "architecture": "amd64", "config": {} }).to_string();
    let list = json!([{ "Config": "config.json", "RepoTags": ["app:v2"], "Layers": ["a/layer.tar", "b/layer.tar"] }]);
    let mut archive = tar::Builder::new(Vec::new());
    for (path, content) in
        [("a/layer.tar", "first layer"), ("config.json", &config), ("manifest.json", &list.to_string())]
    {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, path, content.as_bytes()).expect("added");
    }
    let mut link = tar::Header::new_ustar();
    link.set_entry_type(tar::EntryType::Symlink);
    link.set_size(0);
    archive.append_link(&mut link, "b/layer.tar", "../a/layer.tar").expect("added");
    scene.file(name, archive.into_inner().expect("written"));
}

#[tokio::test]
async fn a_layout_is_pushed_once_and_its_tags_are_listed() {
    let scene = with_images().await;
    write_layout(&scene, "layout");
    let told = scene.told(&["push", "ada/Img/team:app/v1", "layout"]).await;
    assert!(told.starts_with("8 files"), "{told}");
    assert!(told.ends_with("in ada/Img/team:app/v1: 8 uploaded\nexit 0"), "{told}");
    let anyone = scene.server.anyone();
    let index = anyone.get("//v2/ada/img/team/app/manifests/v1").await.expect(200).json();
    assert_eq!(index["manifests"].as_array().expect("children").len(), 2);
    let layer = anyone.get(&format!("//v2/ada/img/team/app/blobs/{}", digest(&bytes(600_000)))).await.expect(200);
    assert!(layer.body == bytes(600_000));
    let again = scene.told(&["push", "ada/Img/team:app/v2", "layout"]).await;
    insta::assert_snapshot!(again, @"
    packhouse: the layout has 2 images, but none with the tag v2
    hint: its images are: v0, v1
    exit 2
    ");
    let again = scene.told(&["push", "ada/Img/team:app/v0", "layout"]).await;
    assert!(again.contains("3 uploaded, 5 already there"), "{again}");
    let told = scene.told(&["ls", "ada/Img/team:app"]).await;
    let mut lines: Vec<&str> = told.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["exit 0", "v0", "v1"]);
    scene.ada.delete("//v2/ada/img/team/app/manifests/v0").await.expect(202);
    scene.ada.delete("//v2/ada/img/team/app/manifests/v1").await.expect(202);
    // The manifest is still there, without a name.
    scene.ada.get(&format!("//v2/ada/img/team/app/blobs/{}", digest(&bytes(600_000)))).await.expect(200);
    assert_eq!(scene.told(&["ls", "ada/Img/team:app"]).await.trim(), "no results\nexit 0");
}

#[tokio::test]
async fn an_archive_of_docker_is_pushed_with_a_manifest() {
    let scene = with_images().await;
    write_archive(&scene, "app.tar");
    let told = scene.told(&["push", "ada/Img/app/v2", "app.tar"]).await;
    assert!(told.contains("3 uploaded"), "{told}");
    let read = scene.server.anyone().get("//v2/ada/img/app/manifests/v2").await.expect(200);
    assert_eq!(read.header("content-type"), MANIFEST);
    let layers = read.json()["layers"].clone();
    assert_eq!((&layers[0]["digest"], &layers[0]), (&json!(digest(b"first layer")), &layers[1]));
    let dry = scene.told(&["push", "ada/Img/app/v3", "app.tar", "--dry-run"]).await;
    assert!(dry.contains("would push 1 manifests as ada/Img/app/v3"), "{dry}");
    // Elsewhere it is a file.
    let file = scene.told(&["push", "ada/tools/app/1.0", "app.tar", "--create", "--publish"]).await;
    assert!(file.contains("published 1 file"), "{file}");
    scene.server.anyone().download("/ada/tools/app.tar").await.expect(200);
}

#[tokio::test]
async fn a_staged_push_is_published_by_the_command() {
    let scene = with_images().await;
    scene.ada.patch("/repos/ada/Img").json(json!({ "native_staged": true })).await.expect(200);
    write_archive(&scene, "app.tar");
    scene.run(&["push", "ada/Img/app/v2", "app.tar"]).await.succeeds();
    scene.server.anyone().get("//v2/ada/img/app/manifests/v2").await.expect(401);
    scene.run(&["publish", "ada/Img/app/v2"]).await.succeeds();
    scene.server.anyone().get("//v2/ada/img/app/manifests/v2").await.expect(200);
    let eve = scene.server.user("eve").await;
    let refused = Ended::run(scene.command_as(&eve, &["push", "ada/Img/app/v3", "app.tar"])).await;
    assert_eq!(refused.code, Some(4), "{}", refused.stderr);
    scene.ada.get("//v2/ada/img/app/manifests/v3").await.expect(404);
}
