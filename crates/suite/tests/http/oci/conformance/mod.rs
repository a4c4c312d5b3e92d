//! The checks of the distribution specification's own conformance suite, version 1.1: pull, push, content discovery and
//! content management, and the kinds of content that it pushes. Its wording and its order are kept, so that a failure can
//! be compared with a run of that suite. Where it allows several statuses, these tests name the one that packhouse has.

mod content;
mod discovery;
mod management;
mod pull;
mod push;
mod ranges;

use serde_json::{Value, json};
use suite::Person;

use super::tools::{MANIFEST, descriptor, digest};

/// A tag that no manifest can have.
const MISSING: &str = ".INVALID_MANIFEST_NAME";

/// The layer of all workflows.
const LAYER: &str = "a layer of the conformance checks";

/// The codes that the specification has.
const CODES: [&str; 14] = [
    "BLOB_UNKNOWN",
    "BLOB_UPLOAD_INVALID",
    "BLOB_UPLOAD_UNKNOWN",
    "DIGEST_INVALID",
    "MANIFEST_BLOB_UNKNOWN",
    "MANIFEST_INVALID",
    "MANIFEST_UNKNOWN",
    "NAME_INVALID",
    "NAME_UNKNOWN",
    "SIZE_INVALID",
    "UNAUTHORIZED",
    "DENIED",
    "UNSUPPORTED",
    "TOOMANYREQUESTS",
];

/// The configuration of a workflow, which differs by its author.
fn config(author: &str) -> String {
    json!({ "architecture": "amd64", "os": "linux", "author": author, "rootfs": { "type": "layers", "diff_ids": [] } })
        .to_string()
}

/// The manifest of a workflow, with the content of its configuration in it and a field that nobody knows.
fn manifest(author: &str) -> String {
    let mut config = descriptor("application/vnd.oci.image.config.v1+json", config(author));
    config["data"] = json!("eyJ9");
    config["newUnspecifiedField"] = json!("aGVsbG8gd29ybGQ=");
    let layer = descriptor("application/vnd.oci.image.layer.v1.tar+gzip", LAYER);
    json!({ "schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer] }).to_string()
}

/// An artifact that refers to an image.
fn artifact(kind: &str, subject: &str, note: &str) -> Value {
    json!({
        "schemaVersion": 2, "mediaType": MANIFEST, "artifactType": kind,
        "config": descriptor("application/vnd.oci.empty.v1+json", "{}"),
        "layers": [descriptor(kind, note)],
        "subject": descriptor(MANIFEST, subject),
        "annotations": { "org.opencontainers.conformance.test": note },
    })
}

/// A digest of nothing that exists.
fn dummy() -> String {
    digest("nothing has this content")
}

/// The tags of the image.
async fn tags(who: &Person, query: &str) -> Vec<String> {
    let listed = who.get(&super::tools::app(&format!("tags/list{query}"))).await.expect(200).json();
    serde_json::from_value(listed["tags"].clone()).expect("names")
}
