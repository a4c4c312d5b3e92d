//! zypper reads an RPM repository, with its own root; and createrepo_c makes the same index.

use std::{fs, io::Read, path::Path};

use flate2::read::GzDecoder;
use serde_json::json;
use suite::{Person, TestHouse};

use crate::{
    dnf::rpm,
    folders::{folder, run, succeeds},
};

async fn zypper(at: &Path, arguments: &[&str]) -> (bool, String) {
    let root = at.join("root").display().to_string();
    let options = ["--non-interactive", "--gpg-auto-import-keys", "--root", &root];
    run("zypper", &[&options[..], arguments].concat(), at).await
}

async fn repo(is_private: bool) -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let repo = json!({"type": "rpm", "gpg_sign_metadata": true, "private": is_private});
    ada.post("/repos/ada/repo").json(repo).await.expect(201);
    (house, ada)
}

/// Sends a package without saying what it is.
async fn publish(ada: &Person, name: &str, version: &str) -> Vec<u8> {
    let bytes = rpm(name, version).await;
    ada.put("//dl/ada/repo/upload/package.rpm").body(bytes.clone()).await.expect(201);
    bytes
}

#[tokio::test]
async fn zypper_finds_and_installs_what_is_published() {
    let _shown = suite::shows("zypper", "publish, install, private");
    let (house, ada) = repo(true).await;
    publish(&ada, "hello", "1.9").await;
    publish(&ada, "hello", "1.10").await;
    let folder = folder(&["root"]);
    let url = format!("http://{}/dl/ada/repo", house.address);
    let (_, text) = zypper(folder.path(), &["addrepo", "--refresh", &url, "open"]).await;
    let (is_ok, refused) = zypper(folder.path(), &["refresh", "open"]).await;
    assert!(!is_ok, "{text}{refused}");
    let (is_ok, text) = zypper(folder.path(), &["removerepo", "open"]).await;
    assert!(is_ok, "{text}");
    let url = format!("http://ada:{}@{}/dl/ada/repo", ada.key(), house.address);
    let (is_ok, text) = zypper(folder.path(), &["addrepo", "--refresh", &url, "ada"]).await;
    assert!(is_ok, "{text}");
    let (is_ok, text) = zypper(folder.path(), &["refresh"]).await;
    assert!(is_ok, "{text}");
    let (is_ok, text) = zypper(folder.path(), &["search", "--details", "hello"]).await;
    assert!(is_ok && text.contains("1.10-1") && text.contains("1.9-1"), "{text}");
    let (is_ok, text) = zypper(folder.path(), &["install", "--allow-unsigned-rpm", "hello"]).await;
    assert!(is_ok && text.contains("1.10-1"), "{text}");
}

/// The elements of an index with their attributes, without those that depend on the time and on the server.
fn elements(index: &str) -> Vec<String> {
    const OTHERS: [&str; 7] = ["?xml", "/", "metadata", "filelists", "otherdata", "time ", "location "];
    // An empty element has two forms.
    let elements = index.split('<').map(|element| element.trim().replace("/>", ">"));
    let is_kept = |element: &String| !element.is_empty() && !OTHERS.iter().any(|start| element.starts_with(start));
    let mut elements: Vec<String> = elements.filter(is_kept).collect();
    elements.sort();
    elements
}

fn inflated(bytes: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(bytes).read_to_string(&mut text).expect("one member");
    text
}

#[tokio::test]
async fn createrepo_lists_the_same() {
    let (_house, ada) = repo(false).await;
    let folder = folder(&["packages"]);
    for (name, version) in [("hello", "1.9"), ("other", "2.0")] {
        let bytes = publish(&ada, name, version).await;
        fs::write(folder.path().join(format!("packages/{name}.rpm")), bytes).expect("writable");
    }
    let options = ["--no-database", "--simple-md-filenames", "--compress-type=gz", "packages"];
    succeeds("createrepo_c", &options, folder.path()).await;
    let repomd = ada.download("/ada/repo/repodata/repomd.xml").await.expect(200).text();
    let location = |kind: &str| {
        let paths = repomd.split('"').filter(|text| text.ends_with(&format!("-{kind}.xml.gz")));
        paths.map(str::to_owned).next().expect("it is listed")
    };
    for kind in ["primary", "filelists", "other"] {
        let ours = ada.download(&format!("/ada/repo/{}", location(kind))).await.expect(200).body;
        let theirs = fs::read(folder.path().join(format!("packages/repodata/{kind}.xml.gz"))).expect("it is made");
        assert_eq!(elements(&inflated(&ours)), elements(&inflated(&theirs)), "{kind}");
    }
}
