//! dnf reads an RPM repository, with its own folders.

use std::fs;

use serde_json::json;
use suite::{Person, TestHouse};
use tempfile::TempDir;

use crate::folders::{folder, run, succeeds};

/// A dnf that reads `ada/repo`.
struct Dnf {
    folder: TempDir,
}

impl Dnf {
    /// Creates a dnf whose reader trusts this key.
    fn new(house: &TestHouse, who: &Person, key: &[u8]) -> Self {
        let dnf = Self { folder: folder(&["repos", "root", "cache", "log", "persist"]) };
        let root = dnf.folder.path();
        fs::write(root.join("key.asc"), key).expect("writable");
        let url = format!("http://{}/dl/ada/repo", house.address);
        let login = match who.name() {
            "" => String::new(),
            name => format!("username={name}\npassword={}\n", who.key()),
        };
        let text = format!(
            "[ada]\nname=ada\nbaseurl={url}\nenabled=1\ngpgcheck=0\nrepo_gpgcheck=1\ngpgkey=file://{}\n\
             metadata_expire=0\nproxy=_none_\n{login}",
            root.join("key.asc").display()
        );
        fs::write(root.join("repos/ada.repo"), text).expect("writable");
        fs::write(root.join("dnf.conf"), "[main]\nplugins=0\nretries=1\n").expect("writable");
        dnf
    }

    async fn run(&self, arguments: &[&str]) -> (bool, String) {
        let root = self.folder.path().display().to_string();
        let options = [
            format!("--config={root}/dnf.conf"),
            format!("--installroot={root}/root"),
            format!("--setopt=reposdir={root}/repos"),
            format!("--setopt=cachedir={root}/cache"),
            format!("--setopt=logdir={root}/log"),
            format!("--setopt=persistdir={root}/persist"),
            "--releasever=1".to_owned(),
            "--forcearch=x86_64".to_owned(),
            "--assumeyes".to_owned(),
        ];
        let all: Vec<&str> = options.iter().map(String::as_str).chain(arguments.iter().copied()).collect();
        run("dnf", &all, self.folder.path()).await
    }

    /// The names and versions of all packages that dnf finds.
    async fn packages(&self) -> Vec<String> {
        let format = ["repoquery", "--quiet", "--refresh", "--queryformat", "found %{name} %{version}"];
        let (is_ok, text) = self.run(&format).await;
        assert!(is_ok, "{text}");
        let mut found: Vec<String> =
            text.lines().filter_map(|line| line.strip_prefix("found ")).map(str::to_owned).collect();
        found.sort();
        found
    }
}

/// A package, made by RPM's own tool.
pub(crate) async fn rpm(name: &str, version: &str) -> Vec<u8> {
    let folder = folder(&["top"]);
    let spec = format!(
        "Name: {name}\nVersion: {version}\nRelease: 1\nSummary: of ada\nLicense: MIT\nBuildArch: noarch\n\
         %description\nof ada\n%files\n"
    );
    fs::write(folder.path().join("x.spec"), spec).expect("writable");
    let top = format!("_topdir {}", folder.path().join("top").display());
    succeeds("rpmbuild", &["-bb", "--define", &top, "x.spec"], folder.path()).await;
    fs::read(folder.path().join(format!("top/RPMS/noarch/{name}-{version}-1.noarch.rpm"))).expect("it is made")
}

async fn publish(ada: &Person, name: &str, version: &str) -> Vec<u8> {
    let bytes = rpm(name, version).await;
    let path = format!("/content/ada/repo/{name}/{version}/{name}-{version}-1.noarch.rpm?publish=1");
    ada.put(&path).body(bytes.clone()).await.expect(201);
    bytes
}

async fn repo(is_private: bool) -> (TestHouse, Person, Vec<u8>) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let repo = json!({"type": "rpm", "gpg_sign_metadata": true, "gpg_use_owner_key": true, "private": is_private});
    ada.post("/repos/ada/repo").json(repo).await.expect(201);
    for name in ["hello", "secret"] {
        ada.post("/packages/ada/repo").json(json!({"name": name})).await.expect(201);
    }
    ada.post("/users/ada/keys/gpg/generate").await.expect(201);
    publish(&ada, "hello", "1.9").await;
    let key = ada.download("/ada/repo/repodata/repomd.xml.key").await.expect(200).body;
    (house, ada, key)
}

#[tokio::test]
async fn dnf_finds_and_installs_what_is_published() {
    let _shown = suite::shows("dnf", "publish, install");
    let (house, ada, key) = repo(false).await;
    let dnf = Dnf::new(&house, &house.anyone(), &key);
    assert_eq!(dnf.packages().await, ["hello 1.9"]);
    publish(&ada, "hello", "1.10").await;
    assert_eq!(dnf.packages().await, ["hello 1.10", "hello 1.9"]);
    let (is_ok, text) = dnf.run(&["install", "hello"]).await;
    assert!(is_ok && text.contains("1.10-1"), "{text}");
    ada.delete("/packages/ada/repo/hello/versions/1.10").await.expect(200);
    assert_eq!(dnf.packages().await, ["hello 1.9"]);
}

#[tokio::test]
async fn dnf_trusts_no_other_key() {
    let _shown = suite::shows("dnf", "signed");
    let (house, _ada, key) = repo(false).await;
    let anyone = house.anyone();
    assert_eq!(Dnf::new(&house, &anyone, &key).packages().await, ["hello 1.9"]);
    let other = anyone.get("/keys/gpg/public.key").await.expect(200).body;
    let (is_ok, text) = Dnf::new(&house, &anyone, &other).run(&["makecache"]).await;
    assert!(!is_ok && text.contains("GPG"), "{text}");
}

#[tokio::test]
async fn dnf_with_a_key_for_one_package_sees_only_it() {
    let _shown = suite::shows("dnf", "key holder");
    let (house, ada, key) = repo(true).await;
    publish(&ada, "secret", "1.0").await;
    let client = house.key(&ada, "client", json!({})).await;
    let terms = json!({"access": "r", "access_keys": ["client"]});
    ada.post("/packages/ada/repo/hello/entitlements").json(terms).await.expect(201);
    assert_eq!(Dnf::new(&house, &client, &key).packages().await, ["hello 1.9"]);
    assert_eq!(Dnf::new(&house, &ada, &key).packages().await, ["hello 1.9", "secret 1.0"]);
    let (is_ok, text) = Dnf::new(&house, &house.anyone(), &key).run(&["makecache"]).await;
    assert!(!is_ok && text.contains("401"), "{text}");
}

const MODULES: &str = "---\ndocument: modulemd\nversion: 2\ndata:\n  name: hello\n  stream: '1'\n  version: 1\n  \
    context: c0ffee42\n  arch: noarch\n  summary: of ada\n  description: >-\n    of ada\n  license:\n    module:\n    - MIT\n  \
    artifacts:\n    rpms:\n    - hello-0:1.9-1.noarch\n...\n";

#[tokio::test]
async fn dnf_knows_modules_that_were_uploaded() {
    let (house, ada, key) = repo(false).await;
    ada.put("/content/ada/repo/hello/1.9/modules.yaml?publish=1").body(MODULES).await.expect(201);
    let dnf = Dnf::new(&house, &house.anyone(), &key);
    let (is_ok, text) = dnf.run(&["--refresh", "module", "list"]).await;
    assert!(is_ok && text.contains("hello"), "{text}");
    ada.put("/content/ada/repo/hello/1.9/comps.xml?publish=1").body("no groups").await.expect(400);
    ada.delete("/content/ada/repo/modules.yaml").await.expect(200);
    let repomd = ada.download("/ada/repo/repodata/repomd.xml").await.expect(200).text();
    assert!(!repomd.contains("modules"), "{repomd}");
}
