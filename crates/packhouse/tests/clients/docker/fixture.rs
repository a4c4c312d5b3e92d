//! Images, and the commands of their clients.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use suite::Person;

use crate::{
    client::{Machine, Ran},
    scene::Scene,
};

const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";

/// A machine with an empty store of images, and a folder with an image in the layout of OCI.
pub(crate) struct Images {
    pub(crate) machine: Machine,
    host: String,
    credentials: String,
}

impl Images {
    /// Sets up a machine; a user without a name has no credentials.
    pub(crate) fn new(scene: &Scene, who: &Person) -> Self {
        let mut machine = Machine::new();
        machine.set("XDG_RUNTIME_DIR", machine.path("work").display().to_string());
        let policy = json!({ "default": [{ "type": "insecureAcceptAnything" }] }).to_string();
        machine.write(".config/containers/policy.json", policy);
        let credentials = if who.key().is_empty() { String::new() } else { format!("{}:{}", who.name(), who.key()) };
        let host = scene.server.base.trim_start_matches("http://").to_owned();
        Self { machine, host, credentials }
    }

    /// The name of an image on the server.
    pub(crate) fn name(&self, image: &str) -> String {
        format!("{}/ada/repo/{image}", self.host)
    }

    /// Writes an image with one layer that has a file with this text. Returns the digest of its manifest.
    pub(crate) fn write(&self, text: &str) -> String {
        let put = |media_type: &str, bytes: &[u8]| -> Value {
            let digest = hex(bytes);
            self.machine.write(&format!("work/layout/blobs/sha256/{digest}"), bytes);
            json!({ "mediaType": media_type, "digest": format!("sha256:{digest}"), "size": bytes.len() })
        };
        let layer = layer(text);
        let config = json!({
            "architecture": "amd64", "os": "linux", "config": {},
            "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{}", hex(&layer))] },
        });
        let config = put("application/vnd.oci.image.config.v1+json", config.to_string().as_bytes());
        let layer = put("application/vnd.oci.image.layer.v1.tar", &layer);
        let manifest = json!({ "schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer] });
        let mut entry = put(MANIFEST, manifest.to_string().as_bytes());
        entry["annotations"] = json!({ "org.opencontainers.image.ref.name": "v1" });
        let index = json!({ "schemaVersion": 2, "manifests": [entry] }).to_string();
        self.machine.write("work/layout/index.json", index);
        self.machine.write("work/layout/oci-layout", r#"{"imageLayoutVersion":"1.0.0"}"#);
        entry["digest"].as_str().expect("a digest").to_owned()
    }

    /// Runs podman or buildah with the store of this machine.
    pub(crate) async fn run(&self, program: &str, arguments: &[&str]) -> Ran {
        let (root, run) = (self.machine.path("store"), self.machine.path("store-run"));
        let (root, run) = (root.display().to_string(), run.display().to_string());
        let store = ["--root", &root, "--runroot", &run, "--storage-driver", "vfs"];
        self.machine.run(program, "work", &[&store, arguments].concat()).await
    }

    /// Pushes the written image with podman or buildah, from the store.
    pub(crate) async fn push(&self, program: &str, image: &str) -> Ran {
        // The path becomes the name of the image, which has to be in lower case.
        self.run(program, &["pull", "oci:layout:v1"]).await.succeeds();
        let ids = self.run(program, &["images", "--quiet"]).await.succeeds();
        let id = ids.lines().next().expect("an image").to_owned();
        let to = format!("docker://{}", self.name(image));
        let arguments = ["push", "--tls-verify=false", "--creds", &self.credentials, &id, &to];
        self.run(program, &arguments).await
    }

    /// Pulls an image with podman or buildah into the store.
    pub(crate) async fn pull(&self, program: &str, image: &str) -> Ran {
        let (from, creds) = (self.name(image), format!("--creds={}", self.credentials));
        let mut arguments = vec!["pull", "--tls-verify=false"];
        if !self.credentials.is_empty() {
            arguments.push(&creds);
        }
        arguments.push(&from);
        self.run(program, &arguments).await
    }

    /// The names of the images in the store.
    pub(crate) async fn stored(&self, program: &str) -> String {
        self.run(program, &["images"]).await.succeeds()
    }

    /// Pushes the written image with skopeo.
    pub(crate) async fn copy_to(&self, image: &str) -> Ran {
        let to = format!("docker://{}", self.name(image));
        let sign_in = format!("--dest-creds={}", self.credentials);
        let arguments = ["copy", "--preserve-digests", "--dest-tls-verify=false", &sign_in, "oci:layout:v1", &to];
        self.machine.run("skopeo", "work", &arguments).await
    }

    /// Deletes the manifest of an image with skopeo.
    #[cfg(feature = "clients")]
    pub(crate) async fn delete(&self, image: &str) -> Ran {
        let (at, sign_in) = (format!("docker://{}", self.name(image)), format!("--creds={}", self.credentials));
        self.machine.run("skopeo", "work", &["delete", "--tls-verify=false", &sign_in, &at]).await
    }

    /// Pulls an image with skopeo into a folder.
    pub(crate) async fn copy_from(&self, image: &str, folder: &str) -> Ran {
        let (from, to) = (format!("docker://{}", self.name(image)), format!("dir:{folder}"));
        let creds = format!("--src-creds={}", self.credentials);
        let sign_in = if self.credentials.is_empty() { "--src-no-creds" } else { &creds };
        self.machine.run("skopeo", "work", &["copy", "--src-tls-verify=false", sign_in, &from, &to]).await
    }
}

/// The digits of a digest.
fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The digest of the layer with this text.
#[cfg(feature = "clients")]
pub(crate) fn layer_digest(text: &str) -> String {
    hex(&layer(text))
}

/// An archive with one file.
fn layer(text: &str) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    header.set_mode(0o644);
    header.set_cksum();
    archive.append_data(&mut header, "hello.txt", text.as_bytes()).expect("appended");
    archive.into_inner().expect("written")
}
