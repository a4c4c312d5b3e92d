//! `Contents` of Debian repositories: the files in packages.

use std::io::Read;

use flate2::read::GzDecoder;
use serde_json::json;
use sha2::{Digest, Sha256};
use suite::Person;

use super::{
    deb_with,
    debian::{FOLDER, listed},
    repo_of, run_job,
};
use crate::catalogue::new_package;

/// Publishes a package of the section `utils` with these files.
async fn publish(by: &Person, name: &str, architecture: &str, files: &[&str]) {
    let control = format!(
        "Package: {name}\nVersion: 1\nArchitecture: {architecture}\nSection: utils\nMaintainer: Ada <ada@example.com>\n\
         Description: {name} of ada\n"
    );
    let files: Vec<(&str, &[u8])> = files.iter().map(|path| (*path, &b"content"[..])).collect();
    let place = "deb_distribution=stable;deb_component=main;publish=1";
    let path = format!("/content/ada/repo/{name}/1/pool/{name}_1_{architecture}.deb;{place}");
    by.put(&path).body(deb_with(&control, &files)).await.refuses(201, "success");
}

async fn contents(who: &Person, architecture: &str) -> String {
    who.download(&format!("{FOLDER}/main/Contents-{architecture}")).await.expect(200).text()
}

async fn list_files(by: &Person, is_listed: bool) {
    by.patch("/repos/ada/repo").json(json!({"debian_contents": is_listed})).await.expect(200);
}

#[tokio::test]
async fn contents_list_the_files_of_all_packages_while_the_repository_asks_for_it() {
    let (house, ada) = repo_of("debian").await;
    for name in ["hello", "doc", "late"] {
        new_package(&ada, "ada/repo", name).await;
    }
    publish(&ada, "hello", "amd64", &["./usr/bin/hello", "./usr/share/same"]).await;
    publish(&ada, "doc", "all", &["./usr/share/doc/a b", "./usr/share/same"]).await;
    let anyone = house.anyone();
    let release = async || anyone.download(&format!("{FOLDER}/Release")).await.expect(200).text();
    let before = release().await;
    assert!(!before.contains("Contents"), "{before}");
    list_files(&ada, true).await;
    let all = "usr/bin/hello utils/hello\nusr/share/doc/a b utils/doc\nusr/share/same utils/doc,utils/hello\n";
    assert_eq!(contents(&anyone, "amd64").await, all);
    assert_eq!(contents(&anyone, "all").await, "usr/share/doc/a b utils/doc\nusr/share/same utils/doc\n");
    let listed = listed(&release().await);
    assert_eq!(listed.iter().filter(|(_, _, path)| path.starts_with("main/Contents-")).count(), 4);
    for (digest, size, path) in listed {
        let body = anyone.download(&format!("{FOLDER}/{path}")).await.expect(200).body;
        let found: String = Sha256::digest(&body).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!((found, body.len() as u64), (digest.clone(), size), "{path}");
        let folder = path.rsplit_once('/').expect("a folder").0;
        assert_eq!(anyone.download(&format!("{FOLDER}/{folder}/by-hash/SHA256/{digest}")).await.expect(200).body, body);
    }
    let packed = anyone.download(&format!("{FOLDER}/main/Contents-amd64.gz")).await.expect(200).body;
    let mut text = String::new();
    GzDecoder::new(&packed[..]).read_to_string(&mut text).expect("one member");
    assert_eq!(text, all);
    publish(&ada, "late", "amd64", &["./usr/bin/late"]).await;
    assert!(contents(&anyone, "amd64").await.contains("usr/bin/late utils/late\n"));
    ada.delete("/content/ada/repo/pool/doc_1_all.deb").await.expect(200);
    let left = "usr/bin/hello utils/hello\nusr/bin/late utils/late\nusr/share/same utils/hello\n";
    assert_eq!(contents(&anyone, "amd64").await, left);
    list_files(&ada, false).await;
    assert!(!release().await.contains("Contents"));
    anyone.download(&format!("{FOLDER}/main/Contents-amd64")).await.expect(404);
    anyone.download(&format!("{FOLDER}/main/binary-amd64/Packages")).await.expect(200);
}

#[tokio::test]
async fn a_key_for_one_package_gets_the_files_of_it_alone() {
    let (house, ada) = repo_of("debian").await;
    ada.patch("/repos/ada/repo").json(json!({"debian_contents": true, "private": true})).await.expect(200);
    for name in ["hello", "secret"] {
        new_package(&ada, "ada/repo", name).await;
        publish(&ada, name, "amd64", &[&format!("./usr/bin/{name}")]).await;
    }
    let key = house.key(&ada, "client", json!({})).await;
    let terms = json!({"access": "r", "access_keys": ["client"]});
    ada.post("/packages/ada/repo/hello/entitlements").json(terms).await.expect(201);
    assert_eq!(contents(&key, "amd64").await, "usr/bin/hello utils/hello\n");
    assert_eq!(contents(&ada, "amd64").await, "usr/bin/hello utils/hello\nusr/bin/secret utils/secret\n");
}

#[tokio::test]
async fn a_package_whose_files_cannot_be_listed_is_listed_itself() {
    let (house, ada) = repo_of("debian").await;
    new_package(&ada, "ada/repo", "hello").await;
    new_package(&ada, "ada/repo", "bad").await;
    list_files(&ada, true).await;
    publish(&ada, "bad", "amd64", &["./usr/bin/bad\nusr/bin/other utils/evil", "./usr/bin/bad"]).await;
    publish(&ada, "hello", "amd64", &["./usr/bin/hello"]).await;
    let control =
        "Package: bad\nVersion: 2\nArchitecture: amd64\nMaintainer: Ada <ada@example.com>\nDescription: bad\n";
    let mut damaged = deb_with(control, &[("./usr/bin/bad", &b"x"[..])]);
    let end = damaged.len() - 20;
    damaged[end] ^= 0xff;
    let path = "/content/ada/repo/bad/2/pool/bad_2_amd64.deb;deb_distribution=stable;deb_component=main;publish=1";
    ada.put(path).body(damaged).await.refuses(201, "success");
    let anyone = house.anyone();
    assert_eq!(contents(&anyone, "amd64").await, "usr/bin/bad utils/bad\nusr/bin/hello utils/hello\n");
    let packages = anyone.download(&format!("{FOLDER}/main/binary-amd64/Packages")).await.expect(200).text();
    assert_eq!(packages.matches("Package: bad\n").count(), 2, "{packages}");
    // Another build does not read the damaged one again, and finds the same.
    ada.post("/calc_metadata/ada/repo").await.refuses(202, "success");
    run_job(&house).await;
    assert_eq!(contents(&anyone, "amd64").await, "usr/bin/bad utils/bad\nusr/bin/hello utils/hello\n");
}
