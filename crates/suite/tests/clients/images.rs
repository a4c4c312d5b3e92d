//! Container images, pushed and pulled by skopeo.

use std::{path::Path, process::Stdio, time::Duration};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use suite::{Person, TestHouse};
use tempfile::TempDir;
use tokio::process::Command;

/// The time limit of a run on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";

/// A folder with images in the layout of OCI.
struct Images {
    folder: TempDir,
}

impl Images {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("the temporary folder is writable") }
    }

    /// Writes an image with one layer of these bytes. Returns the digest of its manifest.
    fn write(&self, tag: &str, layer: &[u8]) -> String {
        let root = self.folder.path().join(tag);
        std::fs::create_dir_all(root.join("blobs/sha256")).expect("created");
        let put = |media_type: &str, bytes: &[u8]| -> Value {
            let hex = hex(bytes);
            std::fs::write(root.join("blobs/sha256").join(&hex), bytes).expect("written");
            json!({ "mediaType": media_type, "digest": format!("sha256:{hex}"), "size": bytes.len() })
        };
        let layer_id = format!("sha256:{}", hex(layer));
        let config = json!({
            "architecture": "amd64", "os": "linux", "config": {},
            "rootfs": { "type": "layers", "diff_ids": [layer_id] },
        });
        let config = put("application/vnd.oci.image.config.v1+json", config.to_string().as_bytes());
        let layer = put("application/vnd.oci.image.layer.v1.tar", layer);
        let manifest = json!({ "schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer] });
        let mut entry = put(MANIFEST, manifest.to_string().as_bytes());
        entry["annotations"] = json!({ "org.opencontainers.image.ref.name": tag });
        std::fs::write(root.join("index.json"), json!({ "schemaVersion": 2, "manifests": [entry] }).to_string())
            .expect("written");
        std::fs::write(root.join("oci-layout"), r#"{"imageLayoutVersion":"1.0.0"}"#).expect("written");
        entry["digest"].as_str().expect("a digest").to_owned()
    }

    /// The reference of an image in the folder.
    fn local(&self, name: &str, tag: &str) -> String {
        format!("oci:{}:{tag}", self.folder.path().join(name).display())
    }

    /// The digest of the only manifest of a layout that skopeo has written, and the bytes of its layer.
    fn pulled(&self, name: &str) -> (String, Vec<u8>) {
        let root = self.folder.path().join(name);
        let index = read_json(&root.join("index.json"));
        let digest = index["manifests"][0]["digest"].as_str().expect("a digest").to_owned();
        let blob = |digest: &str| root.join("blobs/sha256").join(digest.trim_start_matches("sha256:"));
        let manifest = read_json(&blob(&digest));
        let layer = manifest["layers"][0]["digest"].as_str().expect("a layer").to_owned();
        (digest, std::fs::read(blob(&layer)).expect("the layer is there"))
    }

    /// Runs skopeo. Returns what it printed, or what it complained about.
    async fn skopeo(&self, arguments: &[&str]) -> Result<String, String> {
        let mut command = Command::new("skopeo");
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.folder.path()).env("XDG_RUNTIME_DIR", self.folder.path());
        command.arg("--insecure-policy").args(arguments).current_dir(self.folder.path());
        let running = command.stdin(Stdio::null()).kill_on_drop(true).output();
        let ended = tokio::time::timeout(PATIENCE, running).await.expect("skopeo ends");
        let ended =
            ended.unwrap_or_else(|error| panic!("`cargo xtask test` installs skopeo, which did not start: {error}"));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if ended.status.success() { Ok(text(&ended.stdout)) } else { Err(text(&ended.stderr)) }
    }

    async fn push(&self, house: &TestHouse, who: &Person, tag: &str, image: &str) -> Result<String, String> {
        let (from, to) = (self.local(tag, tag), format!("docker://{}/{image}", house.address));
        let credentials = format!("{}:{}", who.name(), who.key());
        self.skopeo(&[
            "copy",
            "--preserve-digests",
            "--dest-tls-verify=false",
            "--dest-creds",
            &credentials,
            &from,
            &to,
        ])
        .await
    }

    async fn pull(&self, house: &TestHouse, who: &Person, image: &str, name: &str) -> Result<String, String> {
        let (from, to) = (format!("docker://{}/{image}", house.address), self.local(name, "x"));
        let credentials = format!("--src-creds={}:{}", who.name(), who.key());
        let sign_in = if who.name().is_empty() { "--src-no-creds" } else { &credentials };
        self.skopeo(&["copy", "--preserve-digests", "--src-tls-verify=false", sign_in, &from, &to]).await
    }
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("readable")).expect("JSON")
}

async fn with_images() -> (TestHouse, Person, Images) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/Img").json(json!({ "type": "docker" })).await.expect(201);
    (house, ada, Images::new())
}

#[tokio::test]
async fn skopeo_pushes_and_anyone_pulls() {
    let (house, ada, images) = with_images().await;
    let layer: Vec<u8> = (0..9_u32 << 20).map(|number| u8::try_from(number % 251).expect("a byte")).collect();
    let digest = images.write("v1", &layer);
    images.push(&house, &ada, "v1", "ada/img/team/app:v1").await.expect("pushed");
    images.pull(&house, &house.anyone(), "ada/img/team/app:v1", "pulled").await.expect("pulled");
    let (found, bytes) = images.pulled("pulled");
    assert_eq!(found, digest);
    assert!(bytes == layer);
    let image = format!("docker://{}/ada/img/team/app", house.address);
    let tags = images.skopeo(&["list-tags", "--tls-verify=false", "--no-creds", &image]).await.expect("listed");
    assert_eq!(serde_json::from_str::<Value>(&tags).expect("JSON")["Tags"], json!(["v1"]));
    let at = format!("{image}:v1");
    let shown = images.skopeo(&["inspect", "--tls-verify=false", "--no-creds", &at]).await.expect("shown");
    assert_eq!(serde_json::from_str::<Value>(&shown).expect("JSON")["Digest"], digest);
    house.flush().await;
    let stats = ada.get("/packages/ada/Img/team:app/stats/total_downloads").await.expect(200).json();
    assert!(stats["records"][0]["count"].as_u64().is_some_and(|count| count >= 1), "{stats}");
    images.write("v2", &layer);
    images.push(&house, &ada, "v2", "ada/img/team/app:v2").await.expect("pushed");
    let credentials = format!("{}:{}", ada.name(), ada.key());
    images.skopeo(&["delete", "--tls-verify=false", "--creds", &credentials, &at]).await.expect("deleted");
    assert!(images.pull(&house, &house.anyone(), "ada/img/team/app:v1", "gone").await.is_err());
}

#[tokio::test]
async fn skopeo_pulls_private_images_with_credentials_only() {
    let (house, ada, images) = with_images().await;
    ada.patch("/repos/ada/Img").json(json!({ "private": true })).await.expect(200);
    let digest = images.write("v1", b"layer one");
    images.write("v2", b"layer two");
    for tag in ["v1", "v2"] {
        images.push(&house, &ada, tag, &format!("ada/img/app:{tag}")).await.expect("pushed");
    }
    let key = house.key(&ada, "red", json!({})).await;
    let grant = json!({ "access": "r", "access_keys": ["red"] });
    ada.post("/packages/ada/Img/app/versions/v1/entitlements").json(grant).await.expect(201);
    let eve = house.user("eve").await;
    images.pull(&house, &ada, "ada/img/app:v1", "own").await.expect("pulled by its owner");
    images.pull(&house, &key, "ada/img/app:v1", "keyed").await.expect("pulled with a key for the tag");
    assert_eq!(images.pulled("keyed").0, digest);
    for (number, (who, tag)) in [(&key, "v2"), (&eve, "v1"), (&house.anyone(), "v1")].into_iter().enumerate() {
        let refused = images.pull(&house, who, &format!("ada/img/app:{tag}"), &format!("refused{number}")).await;
        assert!(refused.is_err(), "{} got {tag}", who.name());
    }
    assert!(images.push(&house, &eve, "v1", "ada/img/app:v3").await.is_err());
    assert!(images.push(&house, &key, "v1", "ada/img/app:v3").await.is_err());
}

#[tokio::test]
async fn skopeo_refuses_a_layer_that_was_changed_in_the_store() {
    let (house, ada, images) = with_images().await;
    images.write("v1", &[7; 1 << 20]);
    images.push(&house, &ada, "v1", "ada/img/app:v1").await.expect("pushed");
    let path = house.stack().blob_file(&hex(&[7; 1 << 20]));
    let mut bytes = std::fs::read(&path).expect("readable");
    bytes[5] = 8;
    std::fs::write(&path, bytes).expect("written");
    assert!(images.pull(&house, &house.anyone(), "ada/img/app:v1", "pulled").await.is_err());
}
