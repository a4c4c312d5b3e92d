//! Alpine repositories.

use std::{io::Read, process::Command};

use flate2::{Compression, bufread::GzDecoder, write::GzEncoder};
use serde_json::json;
use suite::{Gpg, NewKey, Person, TestHouse};

use super::{repo_of, tar_of, written};

/// The folder of the packages.
const FOLDER: &str = "v3.20/main/x86_64";

/// A package without files: a control member and a data member.
pub(crate) fn apk(name: &str, version: &str, architecture: &str) -> Vec<u8> {
    use std::io::Write;
    let packed = |tar: &[u8]| {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(tar).expect("memory takes everything");
        gzip.finish().expect("memory takes everything")
    };
    let info = format!("pkgname = {name}\npkgver = {version}\narch = {architecture}\nsize = 1\npkgdesc = of ada\n");
    let control = tar_of(&[(".PKGINFO", info.as_bytes())]);
    // The tar goes on in the next member.
    [packed(&control[..1_024]), packed(&tar_of(&[("usr/share/hello", b"hello")]))].concat()
}

async fn put(by: &Person, name: &str, version: &str) {
    let path = format!("//dl/ada/repo/{FOLDER}/{name}-{version}.apk");
    by.put(&path).body(apk(name, version, "x86_64")).await.refuses(201, "success");
}

/// The members of a gzip file: the bytes of each, and its content.
fn members(mut rest: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut members = Vec::new();
    while !rest.is_empty() {
        let (start, mut content) = (rest, Vec::new());
        GzDecoder::new(&mut rest).read_to_end(&mut content).expect("a member");
        members.push((start[..start.len() - rest.len()].to_vec(), content));
    }
    members
}

/// The files of a tar.
fn files(tar: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = tar::Archive::new(tar);
    let read = |entry: std::io::Result<tar::Entry<'_, &[u8]>>| {
        let mut entry = entry.expect("an entry");
        let path = entry.path().expect("a path").to_string_lossy().into_owned();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).expect("a content");
        (path, content)
    };
    archive.entries().expect("a tar").map(read).collect()
}

async fn index(house: &TestHouse) -> Vec<(Vec<u8>, Vec<u8>)> {
    let path = format!("/ada/repo/{FOLDER}/APKINDEX.tar.gz");
    members(&house.anyone().download(&path).await.expect(200).body)
}

/// The text of an index.
pub(crate) fn text(index: &[u8]) -> String {
    listed(&members(index))
}

/// The text of the index in its last member.
fn listed(members: &[(Vec<u8>, Vec<u8>)]) -> String {
    let files = files(&members.last().expect("a member").1);
    assert_eq!(files[0].0, "DESCRIPTION");
    assert_eq!(files[1].0, "APKINDEX");
    String::from_utf8(files[1].1.clone()).expect("a text")
}

#[tokio::test]
async fn each_folder_has_an_index() {
    let (house, ada) = repo_of("alpine").await;
    for number in 0..40 {
        put(&ada, "hello", &format!("1.{number}-r0")).await;
        let members = index(&house).await;
        assert_eq!(members.len(), 1);
        assert_eq!(listed(&members).matches("P:hello\n").count(), number + 1);
    }
    let text = listed(&index(&house).await);
    assert!(text.contains("V:1.7-r0\nA:x86_64\n") && text.starts_with("C:Q1"), "{text}");
    ada.delete("/packages/ada/repo/hello/versions/1.7-r0").await.expect(200);
    assert_eq!(listed(&index(&house).await).matches("P:hello\n").count(), 39);
    ada.put("//dl/ada/repo/v3.20/main/armv7/hello-3.0-r0.apk").body(apk("hello", "3.0-r0", "x86_64")).await.expect(400);
    ada.put(&format!("//dl/ada/repo/{FOLDER}/hello-3.0-r0.apk"))
        .body(apk("hello", "3.1-r0", "x86_64"))
        .await
        .expect(400);
}

/// Whether openssl finds that this key has signed these bytes.
fn is_signed(key: &[u8], signature: &[u8], bytes: &[u8]) -> bool {
    let (_folder, [key, signature, bytes]) = written([("key", key), ("signature", signature), ("bytes", bytes)]);
    let mut openssl = Command::new("openssl");
    openssl.args(["dgst", "-sha1", "-verify"]).arg(key).arg("-signature").arg(signature).arg(bytes);
    openssl.output().expect("openssl is installed").status.success()
}

#[tokio::test]
async fn an_index_is_signed_with_the_rsa_key_of_the_owner() {
    let (house, ada) = repo_of("alpine").await;
    let flags = json!({"gpg_sign_metadata": true, "gpg_use_owner_key": true});
    ada.patch("/repos/ada/repo").json(flags).await.expect(200);
    let gpg = Gpg::new();
    let private_key = gpg.private_key(NewKey { algorithm: "rsa2048", ..NewKey::default() });
    ada.put("/users/ada/keys/gpg").json(json!({ "private_key": private_key })).await.expect(200);
    for version in ["1.0-r0", "1.1-r0"] {
        put(&ada, "hello", version).await;
        let members = index(&house).await;
        assert_eq!(members.len(), 2);
        let (name, signature) = files(&members[0].1).remove(0);
        assert_eq!(name, ".SIGN.RSA.ada-repo.rsa.pub");
        // The tar of the signature has no end, because the index goes on.
        assert_eq!(members[0].1.len(), 1_024);
        let key = house.anyone().download("/ada/repo/keys/ada-repo.rsa.pub").await.expect(200).body;
        assert!(key.starts_with(b"-----BEGIN PUBLIC KEY-----\n"));
        assert!(is_signed(&key, &signature, &members[1].0));
        assert!(!is_signed(&key, &signature, &members[0].0));
        assert!(listed(&members).contains(&format!("V:{version}\n")));
    }
}

#[tokio::test]
async fn another_key_than_rsa_cannot_sign_and_nothing_is_published() {
    let (house, ada) = repo_of("alpine").await;
    ada.patch("/repos/ada/repo").json(json!({"gpg_sign_metadata": true})).await.expect(200);
    let path = format!("//dl/ada/repo/{FOLDER}/hello-1.0-r0.apk");
    let reason = "gpg key: apk needs an RSA key: store one, or set `gpg_sign_metadata` to false";
    ada.put(&path).body(apk("hello", "1.0-r0", "x86_64")).await.refuses(400, reason);
    house.anyone().download(&format!("/ada/repo/{FOLDER}/hello-1.0-r0.apk")).await.expect(404);
}
