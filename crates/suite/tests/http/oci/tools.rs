//! Images as tests push them.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use suite::{Answer, Call, Person, TestHouse};

pub(super) const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
pub(super) const INDEX: &str = "application/vnd.oci.image.index.v1+json";

pub(super) fn digest(bytes: impl AsRef<[u8]>) -> String {
    let hex: String = Sha256::digest(bytes.as_ref()).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

/// A house with a user `ada` and a public repository `ada/img` for images.
pub(super) async fn with_images() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/img").json(json!({ "type": "docker" })).await.expect(201);
    (house, ada)
}

/// A call below `/v2/ada/img/app`.
pub(super) fn app(path: &str) -> String {
    format!("//v2/ada/img/app/{path}")
}

/// A descriptor of content.
pub(super) fn descriptor(media_type: &str, bytes: impl AsRef<[u8]>) -> Value {
    json!({ "mediaType": media_type, "digest": digest(&bytes), "size": bytes.as_ref().len() })
}

/// The text of a manifest with these layers; its configuration is `{}`.
pub(super) fn manifest(layers: &[&str]) -> String {
    let layers: Vec<Value> =
        layers.iter().map(|layer| descriptor("application/vnd.oci.image.layer.v1.tar", layer)).collect();
    let config = descriptor("application/vnd.oci.image.config.v1+json", "{}");
    json!({ "schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": layers }).to_string()
}

/// The text of an index of these manifests.
pub(super) fn index(manifests: &[&str]) -> String {
    let manifests: Vec<Value> = manifests.iter().map(|manifest| descriptor(MANIFEST, manifest)).collect();
    json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": manifests }).to_string()
}

/// Pushes a blob in two requests, as crane does.
pub(super) async fn push_blob(who: &Person, image: &str, bytes: impl AsRef<[u8]>) -> String {
    let begun = who.post(&format!("//v2/{image}/blobs/uploads/")).await.expect(202);
    let (location, digest) = (begun.header("location"), digest(&bytes));
    who.put(&format!("/{location}?digest={digest}")).body(bytes.as_ref().to_vec()).await.expect(201);
    digest
}

pub(super) fn put_manifest(who: &Person, image: &str, reference: &str, media_type: &str, text: &str) -> Call {
    let call = who.put(&format!("//v2/{image}/manifests/{reference}"));
    call.header("content-type", media_type).body(text.to_owned())
}

/// Pushes an image with these layers; returns the digest of its manifest.
pub(super) async fn push(who: &Person, image: &str, reference: &str, layers: &[&str]) -> String {
    for bytes in layers.iter().copied().chain(["{}"]) {
        push_blob(who, image, bytes).await;
    }
    let text = manifest(layers);
    put_manifest(who, image, reference, MANIFEST, &text).await.expect(201);
    digest(text)
}

/// The code of a refusal.
pub(super) fn code(answer: &Answer) -> String {
    answer.json()["errors"][0]["code"].as_str().unwrap_or_else(|| panic!("no code: {}", answer.text())).to_owned()
}

/// Asserts a status and a code.
#[track_caller]
pub(super) fn refused(answer: Answer, status: u16, expected: &str) {
    assert_eq!((answer.status, code(&answer).as_str()), (status, expected), "{}", answer.text());
    assert_eq!(answer.header("docker-distribution-api-version"), "registry/2.0");
}

/// Asks for a token for these scopes.
pub(super) async fn token(who: &Person, scopes: &[&str]) -> String {
    let scopes: Vec<String> = scopes.iter().map(|scope| format!("&scope={scope}")).collect();
    let answer = who.get(&format!("//v2/token?service=packhouse{}", scopes.concat())).await.expect(200).json();
    answer["token"].as_str().expect("a token").to_owned()
}

/// Adds a token to a call.
pub(super) fn bearer(call: Call, token: &str) -> Call {
    call.header("authorization", &format!("Bearer {token}"))
}
