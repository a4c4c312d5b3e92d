//! apt-file searches the files in packages of a Debian repository, and Debian's own tool lists the same files.

use std::{collections::BTreeSet, fs};

use serde_json::json;
use suite::Person;

use crate::{
    apt::{Apt, deb_of_files, repo},
    folders::{folder, succeeds},
};

/// What apt-file's package adds to the configuration of apt.
const INDEXES: &str = r#"Acquire::IndexTargets::deb::Contents-deb {
    MetaKey "$(COMPONENT)/Contents-$(ARCHITECTURE)";
    ShortDescription "Contents-$(ARCHITECTURE)";
    Description "$(RELEASE)/$(COMPONENT) $(ARCHITECTURE) Contents (deb)";
    KeepCompressed "true";
};
apt-file::Index-Names "deb";
"#;

async fn publish(ada: &Person, name: &str, architecture: &str, files: &[&str]) -> Vec<u8> {
    let bytes = deb_of_files(name, "1", architecture, files).await;
    let path = format!("//dl/ada/repo/upload/stable/main/{name}_1_{architecture}.deb");
    ada.put(&path).body(bytes.clone()).await.expect(201);
    bytes
}

/// The files of a package, as `dpkg-deb` lists them.
async fn files(bytes: &[u8]) -> BTreeSet<String> {
    let folder = folder(&[]);
    fs::write(folder.path().join("a.deb"), bytes).expect("writable");
    let listed = succeeds("dpkg-deb", &["--contents", "a.deb"], folder.path()).await;
    let paths = listed.lines().filter(|line| !line.starts_with('d')).filter_map(|line| line.split_once(" ./"));
    paths.map(|(_, path)| path.split(" -> ").next().unwrap_or_default().to_owned()).collect()
}

#[tokio::test]
async fn apt_file_finds_the_package_of_a_file() {
    let (house, ada) = repo(false).await;
    let hello = publish(&ada, "hello", "amd64", &["usr/bin/hello", "usr/share/hello/a b", "etc/hello.conf"]).await;
    ada.patch("/repos/ada/repo").json(json!({"debian_contents": true})).await.expect(200);
    let doc = publish(&ada, "hello-doc", "all", &["usr/share/doc/hello/index.html"]).await;
    let listed = house.anyone().download("/ada/repo/dists/stable/main/Contents-amd64").await.expect(200).text();
    let (paths, packages): (BTreeSet<String>, BTreeSet<String>) =
        listed.lines().filter_map(|line| line.rsplit_once(' ')).map(|(path, name)| (path.into(), name.into())).unzip();
    assert_eq!(paths, files(&hello).await.union(&files(&doc).await).cloned().collect());
    assert_eq!(packages, BTreeSet::from(["hello".to_owned(), "hello-doc".to_owned()]));
    let apt = Apt::new(&house, &house.anyone()).await;
    apt.configure(INDEXES);
    let (is_ok, text) = apt.run("apt-get", &["update"]).await;
    assert!(is_ok && !text.contains("\nW: ") && !text.contains("\nE: "), "{text}");
    for (path, package) in
        [("bin/hello", "hello: /usr/bin/hello"), ("index.html", "hello-doc: /usr/share/doc/hello/index.html")]
    {
        let (is_ok, text) = apt.run("apt-file", &["search", path]).await;
        assert!(is_ok && text.lines().any(|line| line == package), "{text}");
    }
    let (_, text) = apt.run("apt-file", &["list", "hello"]).await;
    assert_eq!(text.lines().filter(|line| line.starts_with("hello: ")).count(), 3, "{text}");
    let (is_ok, text) = apt.run("apt-file", &["search", "usr/bin/missing"]).await;
    assert!(!is_ok && text.is_empty(), "{text}");
}
