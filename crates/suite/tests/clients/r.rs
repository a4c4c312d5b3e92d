//! R installs packages of a CRAN repository.

use std::{fs, io::Write, path::Path};

use flate2::{Compression, write::GzEncoder};
use serde_json::json;
use suite::{Person, TestHouse};

use crate::folders::{folder, run};

/// A source package with one function.
fn package(version: &str) -> Vec<u8> {
    let description = format!(
        "Package: hellotiny\nVersion: {version}\nTitle: Of Ada\nDescription: A package of Ada.\nLicense: MIT\n\
         Author: Ada\nMaintainer: Ada <ada@example.com>\nNeedsCompilation: no\n"
    );
    let hello = format!("hello <- function() \"hello {version}\"\n");
    let mut archive = tar::Builder::new(Vec::new());
    for (path, content) in
        [("DESCRIPTION", description.as_str()), ("NAMESPACE", "export(hello)\n"), ("R/hello.R", hello.as_str())]
    {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_entry_type(tar::EntryType::Regular);
        archive
            .append_data(&mut header, format!("hellotiny/{path}"), content.as_bytes())
            .expect("memory takes everything");
    }
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&archive.into_inner().expect("memory")).expect("memory takes everything");
    gzip.finish().expect("memory takes everything")
}

async fn publish(ada: &Person, version: &str) {
    let path = format!("//dl/ada/repo/upload/hellotiny_{version}.tar.gz");
    ada.put(&path).body(package(version)).await.expect(201);
}

/// Runs a script; returns whether it succeeds, and its output.
async fn script(text: &str, at: &Path) -> (bool, String) {
    fs::create_dir_all(at.join("lib")).expect("writable");
    run("Rscript", &["--vanilla", "-e", text], at).await
}

#[tokio::test]
async fn r_finds_and_installs_the_newest_version() {
    let _shown = suite::shows("R", "publish, install");
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/repo").json(json!({"type": "cran"})).await.expect(201);
    for version in ["1.9", "1.10", "1.2"] {
        publish(&ada, version).await;
    }
    let (url, folder) = (format!("http://{}/dl/ada/repo", house.address), folder(&[]));
    let list = format!("cat(available.packages(repos = \"{url}\")[, c(\"Package\", \"Version\")])");
    let (is_ok, text) = script(&list, folder.path()).await;
    assert!(is_ok && text.contains("hellotiny 1.10"), "{text}");
    let install = format!("install.packages(\"hellotiny\", repos = \"{url}\", lib = \"lib\")");
    let (is_ok, text) = script(&install, folder.path()).await;
    assert!(is_ok && text.contains("DONE (hellotiny)"), "{text}");
    let (is_ok, text) = script("library(hellotiny, lib.loc = \"lib\"); cat(hello())", folder.path()).await;
    assert!(is_ok && text.contains("hello 1.10"), "{text}");
    ada.delete("/packages/ada/repo/hellotiny/versions/1.10").await.expect(200);
    let (is_ok, text) = script(&list, folder.path()).await;
    assert!(is_ok && text.contains("hellotiny 1.9"), "{text}");
}

#[tokio::test]
async fn r_reads_a_private_repository_with_credentials_only() {
    let _shown = suite::shows("R", "private");
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/repo").json(json!({"type": "cran", "private": true})).await.expect(201);
    publish(&ada, "1.0").await;
    let folder = folder(&[]);
    let list = |login: &str| {
        let url = format!("http://{login}{}/dl/ada/repo", house.address);
        format!("cat(available.packages(repos = \"{url}\")[, c(\"Package\", \"Version\")])")
    };
    let (_, text) = script(&list(""), folder.path()).await;
    assert!(!text.contains("hellotiny 1.0"), "{text}");
    let (is_ok, text) = script(&list(&format!("ada:{}@", ada.key())), folder.path()).await;
    assert!(is_ok && text.contains("hellotiny 1.0"), "{text}");
}
