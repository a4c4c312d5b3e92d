//! Arch repositories.

use std::io::Read;

use flate2::read::GzDecoder;
use serde_json::json;
use suite::Person;

use super::{repo_of, tar_of};
use crate::signing::ring_of_server;

/// A package without files.
pub(crate) fn package(name: &str, version: &str, architecture: &str) -> Vec<u8> {
    let info = format!("pkgname = {name}\npkgver = {version}\narch = {architecture}\nsize = 1\npkgdesc = of ada\n");
    let tar = tar_of(&[(".PKGINFO", info.as_bytes()), ("usr/share/hello", b"hello")]);
    zstd::encode_all(&tar[..], 1).expect("memory takes everything")
}

async fn put(by: &Person, name: &str, version: &str, architecture: &str) {
    let path = format!("//dl/ada/repo/upload/{name}-{version}-{architecture}.pkg.tar.zst");
    by.put(&path).body(package(name, version, architecture)).await.refuses(201, "success");
}

/// The names of the entries of a database.
async fn entries(who: &Person, path: &str) -> Vec<String> {
    let packed = who.download(&format!("/ada/repo/{path}")).await.expect(200).body;
    let mut tar = Vec::new();
    GzDecoder::new(&packed[..]).read_to_end(&mut tar).expect("one member");
    let mut archive = tar::Archive::new(&tar[..]);
    let path = |entry: std::io::Result<tar::Entry<'_, &[u8]>>| {
        entry.expect("an entry").path().expect("a path").to_string_lossy().into_owned()
    };
    let mut paths: Vec<String> = archive.entries().expect("a tar").map(path).collect();
    paths.sort();
    paths
}

#[tokio::test]
async fn a_database_lists_the_newest_versions_and_packages_for_any() {
    let (house, ada) = repo_of("arch").await;
    let anyone = house.anyone();
    put(&ada, "pure", "1.0-1", "any").await;
    assert_eq!(entries(&anyone, "x86_64/repo.db").await, ["pure-1.0-1/", "pure-1.0-1/desc"]);
    put(&ada, "hello", "1.9-1", "x86_64").await;
    put(&ada, "hello", "1.10-1", "x86_64").await;
    put(&ada, "hello", "1.2-1", "x86_64").await;
    let expected = ["hello-1.10-1/", "hello-1.10-1/desc", "pure-1.0-1/", "pure-1.0-1/desc"];
    assert_eq!(entries(&anyone, "x86_64/repo.db").await, expected);
    assert_eq!(entries(&anyone, "x86_64/repo.db.tar.gz").await, expected);
    let files = entries(&anyone, "x86_64/repo.files").await;
    assert!(files.contains(&"hello-1.10-1/files".to_owned()) && files.len() == 6, "{files:?}");
    // A new architecture begins with the packages for any.
    put(&ada, "hello", "1.10-1", "aarch64").await;
    assert_eq!(entries(&anyone, "aarch64/repo.db").await, expected);
    for path in ["any/pure-1.0-1-any.pkg.tar.zst", "aarch64/pure-1.0-1-any.pkg.tar.zst"] {
        let body = anyone.download(&format!("/ada/repo/{path}")).await.expect(200).body;
        assert_eq!(body, package("pure", "1.0-1", "any"));
    }
    // Older files stay, and are listed again when the newest one goes.
    anyone.download("/ada/repo/x86_64/hello-1.2-1-x86_64.pkg.tar.zst").await.expect(200);
    ada.delete("/content/ada/repo/x86_64/hello-1.10-1-x86_64.pkg.tar.zst").await.expect(200);
    assert!(entries(&anyone, "x86_64/repo.db").await.contains(&"hello-1.9-1/desc".to_owned()));
    ada.delete("/packages/ada/repo/pure").await.expect(200);
    assert_eq!(entries(&anyone, "aarch64/repo.db").await, ["hello-1.10-1/", "hello-1.10-1/desc"]);
    anyone.download("/ada/repo/x86_64/repo.db.sig").await.expect(404);
}

#[tokio::test]
async fn databases_are_signed() {
    let (house, ada) = repo_of("arch").await;
    ada.patch("/repos/ada/repo").json(json!({"gpg_sign_metadata": true})).await.expect(200);
    let (anyone, gpg) = (house.anyone(), ring_of_server(&house).await);
    let read = async |path: &str| anyone.download(&format!("/ada/repo/x86_64/{path}")).await.expect(200).body;
    for version in ["1.0-1", "1.1-1"] {
        put(&ada, "hello", version, "x86_64").await;
        for database in ["repo.db", "repo.files"] {
            let (bytes, signature) = (read(database).await, read(&format!("{database}.sig")).await);
            assert!(!signature.is_ascii() && gpg.verifies(&signature, &bytes));
            assert!(!gpg.verifies(&signature, &bytes[1..]));
        }
    }
    assert!(anyone.download("/ada/repo/ada.asc").await.expect(200).text().contains("PUBLIC KEY"));
}

#[tokio::test]
async fn a_package_must_be_at_its_own_path() {
    let (_house, ada) = repo_of("arch").await;
    let body = || package("hello", "1.0-1", "x86_64");
    ada.put("//dl/ada/repo/upload/hello-1.0-1-any.pkg.tar.zst").body(body()).await.expect(400);
    ada.put("//dl/ada/repo/upload/hello-2.0-1-x86_64.pkg.tar.zst").body(body()).await.expect(400);
    ada.put("//dl/ada/repo/upload/hello-1.0-1-x86_64.pkg.tar.zst").body("x").await.expect(400);
}
