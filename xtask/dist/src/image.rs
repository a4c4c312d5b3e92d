//! The container image, as an archive of an OCI layout. It has one layer with the program and what it needs: certificate
//! authorities, a user and a data folder. There is no shell in it.

use serde_json::{Value, json};
use xtask::failure::Result;

use crate::archive::{Entry, IMAGE_USER, gzip, tar};
use crate::installation::LIBRARY_LICENCE;
use crate::sums::sha256;
use crate::{ARCHITECTURE, Artifact, DEBIAN_ARCHITECTURE, Program, Release, SUMMARY, authorities};

const DATA: &str = "/var/lib/packhouse";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";

/// Makes `packhouse-VERSION-ARCHITECTURE-oci.tar`.
pub(crate) fn make(release: &Release, program: &Program) -> Result<Artifact> {
    let layer = tar(release, "", files(program))?;
    let mut blobs = Vec::new();
    let mut put = |media_type: &str, bytes: Vec<u8>| -> Value {
        let digest = sha256(&bytes);
        let size = bytes.len();
        blobs.push(Entry::file(format!("blobs/sha256/{digest}"), bytes));
        json!({ "mediaType": media_type, "digest": format!("sha256:{digest}"), "size": size })
    };
    let config = config(release, &sha256(&layer))?;
    let config = put("application/vnd.oci.image.config.v1+json", config.to_string().into_bytes());
    let layer = put("application/vnd.oci.image.layer.v1.tar+gzip", gzip(release, &layer)?);
    let manifest = json!({
        "schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer],
        "annotations": annotations(release)?,
    });
    let mut entry = put(MANIFEST, manifest.to_string().into_bytes());
    entry["annotations"] = json!({ "org.opencontainers.image.ref.name": release.version });
    entry["platform"] = json!({ "architecture": DEBIAN_ARCHITECTURE, "os": "linux" });
    let index = json!({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry],
    });
    blobs.push(Entry::file("index.json", index.to_string()));
    blobs.push(Entry::file("oci-layout", r#"{"imageLayoutVersion":"1.0.0"}"#));
    let name = format!("packhouse-{}-{ARCHITECTURE}-oci.tar", release.version);
    Ok(Artifact { name, bytes: tar(release, "", blobs)? })
}

fn files(program: &Program) -> Vec<Entry> {
    let user = format!("root:x:0:0:root:/:/\npackhouse:x:{IMAGE_USER}:{IMAGE_USER}:packhouse:{DATA}:/\n");
    vec![
        Entry::program("usr/local/bin/packhouse", program.bytes.clone()),
        Entry::file("etc/ssl/certs/ca-certificates.crt", authorities::pem()),
        Entry::file("etc/passwd", user),
        Entry::file(format!("usr/local/share/doc/packhouse/{}", LIBRARY_LICENCE.0), LIBRARY_LICENCE.1),
        Entry::file("etc/group", format!("root:x:0:\npackhouse:x:{IMAGE_USER}:\n")),
        Entry::folder("tmp", 0o1777, 0),
        Entry::folder(DATA.trim_start_matches('/'), 0o700, IMAGE_USER),
    ]
}

/// Runs the program as the Containerfile does.
fn config(release: &Release, layer: &str) -> Result<Value> {
    let environment = [
        "PATH=/usr/local/bin".to_owned(),
        format!("PACKHOUSE_DATA={DATA}"),
        "PACKHOUSE_LISTEN=0.0.0.0:8080".to_owned(),
        "PACKHOUSE_LOG__FORMAT=json".to_owned(),
        format!("SQLITE_TMPDIR={DATA}"),
    ];
    Ok(json!({
        "created": release.date()?, "architecture": DEBIAN_ARCHITECTURE, "os": "linux",
        "config": {
            // Numeric, so that Kubernetes can verify that it is not root.
            "User": format!("{IMAGE_USER}:{IMAGE_USER}"), "Env": environment, "WorkingDir": DATA,
            "Entrypoint": ["/usr/local/bin/packhouse"], "Cmd": ["serve"], "StopSignal": "SIGTERM",
            "Volumes": { DATA: {} }, "ExposedPorts": { "8080/tcp": {} }, "Labels": annotations(release)?,
        },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{layer}")] },
        "history": [{ "created": release.date()?, "created_by": "cargo xtask dist" }],
    }))
}

fn annotations(release: &Release) -> Result<Value> {
    Ok(json!({
        "org.opencontainers.image.title": "packhouse",
        "org.opencontainers.image.description": SUMMARY,
        "org.opencontainers.image.version": release.version,
        "org.opencontainers.image.licenses": "Apache-2.0",
        "org.opencontainers.image.created": release.date()?,
    }))
}
