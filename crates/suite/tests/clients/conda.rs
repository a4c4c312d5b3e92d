//! rattler reads a conda channel, as pixi does.

use std::{
    env, fs,
    io::{Cursor, Write},
    path::Path,
};

use serde_json::json;
use suite::{Person, TestHouse};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use crate::folders::{folder, run};

/// Solves for a package, prints what was chosen, and installs it. It ends without Python's clean-up, during which threads
/// of the library crash now and then.
const SCRIPT: &str = "\
import asyncio, os, sys
from rattler import solve, install, Channel

async def main():
    url, spec, target = sys.argv[1:4]
    records = await solve([Channel(url)], [spec], platforms=['linux-64', 'noarch'])
    for record in records:
        print('chosen', record.name.normalized, record.version)
    await install(records, target, cache_dir=target + '-cache', show_progress=False)

asyncio.run(main())
sys.stdout.flush()
os._exit(0)
";

/// A tar.zst of these files.
fn tar_zst(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (path, content) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, path, content.as_bytes()).expect("memory takes everything");
    }
    zstd::encode_all(&archive.into_inner().expect("memory")[..], 1).expect("memory takes everything")
}

/// A package with one file.
fn package(name: &str, version: &str, subdir: &str) -> Vec<u8> {
    let index = json!({"name": name, "version": version, "build": "h0_0", "build_number": 0, "subdir": subdir,
        "depends": [], "timestamp": 1_763_287_200_000_u64});
    let digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    let paths = json!({"paths_version": 1, "paths": [
        {"_path": format!("share/{name}"), "path_type": "hardlink", "sha256": digest, "size_in_bytes": 5}]});
    let info = tar_zst(&[("info/index.json", &index.to_string()), ("info/paths.json", &paths.to_string())]);
    let content = tar_zst(&[(&format!("share/{name}"), "hello")]);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (member, bytes) in [
        ("metadata.json".to_owned(), br#"{"conda_pkg_format_version": 2}"#.to_vec()),
        (format!("pkg-{name}-{version}-h0_0.tar.zst"), content),
        (format!("info-{name}-{version}-h0_0.tar.zst"), info),
    ] {
        archive.start_file(member, stored).expect("memory takes everything");
        archive.write_all(&bytes).expect("memory takes everything");
    }
    archive.finish().expect("memory takes everything").into_inner()
}

async fn publish(ada: &Person, name: &str, version: &str, subdir: &str) {
    let path = format!("//dl/ada/repo/{subdir}/{name}-{version}-h0_0.conda");
    ada.put(&path).body(package(name, version, subdir)).await.expect(201);
}

/// Installs into a folder; returns whether that succeeds, and the output.
async fn install(url: &str, spec: &str, at: &Path) -> (bool, String) {
    let programs = env::var("PACKHOUSE_TEST_PYTHON").expect("`cargo xtask test` says where Python's clients are");
    fs::write(at.join("install.py"), SCRIPT).expect("writable");
    let python = Path::new(&programs).join("python").display().to_string();
    run(&python, &["install.py", url, spec, "prefix"], at).await
}

#[tokio::test]
async fn rattler_solves_and_installs_what_is_published() {
    let _shown = suite::shows("py-rattler", "publish, install");
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/repo").json(json!({"type": "conda"})).await.expect(201);
    publish(&ada, "hello", "1.9", "linux-64").await;
    publish(&ada, "hello", "1.10", "linux-64").await;
    let (url, folder) = (format!("http://{}/dl/ada/repo", house.address), folder(&[]));
    let (is_ok, text) = install(&url, "hello", folder.path()).await;
    assert!(is_ok && text.contains("chosen hello 1.10"), "{text}");
    assert_eq!(fs::read_to_string(folder.path().join("prefix/share/hello")).expect("installed"), "hello");
    ada.delete("/packages/ada/repo/hello/versions/1.10").await.expect(200);
    publish(&ada, "pure", "2.0", "noarch").await;
    let second = self::folder(&[]);
    let (is_ok, text) = install(&url, "hello", second.path()).await;
    assert!(is_ok && text.contains("chosen hello 1.9"), "{text}");
    let (is_ok, text) = install(&url, "pure", second.path()).await;
    assert!(is_ok && text.contains("chosen pure 2.0"), "{text}");
}

#[tokio::test]
async fn rattler_reads_a_private_channel_with_credentials_only() {
    let _shown = suite::shows("py-rattler", "private");
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/repo").json(json!({"type": "conda", "private": true})).await.expect(201);
    publish(&ada, "hello", "1.0", "linux-64").await;
    let folder = folder(&[]);
    let (is_ok, text) = install(&format!("http://{}/dl/ada/repo", house.address), "hello", folder.path()).await;
    assert!(!is_ok && text.contains("401"), "{text}");
    let url = format!("http://ada:{}@{}/dl/ada/repo", ada.key(), house.address);
    let (is_ok, text) = install(&url, "hello", folder.path()).await;
    assert!(is_ok && text.contains("chosen hello 1.0"), "{text}");
}
