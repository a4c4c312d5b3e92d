//! rattler, and what the page of conda has for publishers.

use serde_json::json;
use suite::archives::tar_of;

use crate::{
    client::{Machine, folder},
    pages::follow,
    scene::Scene,
    zip::zip_of_bytes,
};

#[tokio::test]
async fn the_page_of_conda_can_be_followed() {
    let scene = Scene::acme().await;
    let mut machine = Machine::new();
    machine.write("work/hello-1.0-h0_0.conda", package());
    let python = folder("PACKHOUSE_TEST_PYTHON").join("python");
    machine.install("python3", &format!("exec {} \"$@\"", python.display()));
    follow(&scene, &mut machine, "docs/clients/conda.md").await;
}

/// A package with one file.
fn package() -> Vec<u8> {
    let index = json!({ "name": "hello", "version": "1.0", "build": "h0_0", "build_number": 0, "subdir": "linux-64",
        "depends": [], "timestamp": 1_763_287_200_000_u64 });
    let digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    let paths = json!({ "paths_version": 1, "paths": [
        { "_path": "share/hello", "path_type": "hardlink", "sha256": digest, "size_in_bytes": 5 }] });
    let pack = |files: &[(&str, &[u8])]| zstd::encode_all(&tar_of(files)[..], 1).expect("memory");
    let (index, paths) = (index.to_string(), paths.to_string());
    let info = pack(&[("info/index.json", index.as_bytes()), ("info/paths.json", paths.as_bytes())]);
    zip_of_bytes(&[
        ("metadata.json", br#"{"conda_pkg_format_version": 2}"#),
        ("pkg-hello-1.0-h0_0.tar.zst", &pack(&[("share/hello", b"hello")])),
        ("info-hello-1.0-h0_0.tar.zst", &info),
    ])
}
