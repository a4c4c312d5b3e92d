//! helm reads a chart repository, with its own folders.

use std::{env, fs, io::Write, path::Path, process::Stdio, time::Duration};

use flate2::{Compression, write::GzEncoder};
use serde_json::{Value, json};
use suite::{Person, TestHouse};
use tempfile::TempDir;
use tokio::process::Command;

/// The time limit of a run on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A helm with its own empty folders.
struct Helm {
    folder: TempDir,
}

impl Helm {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("the temporary folder is writable") }
    }

    async fn run(&self, arguments: &[&str]) -> (bool, String) {
        let programs = env::var("PACKHOUSE_TEST_HELM").expect("`cargo xtask test` says where helm is");
        let fetched = Path::new(&programs).join("helm");
        let mut command = Command::new(if fetched.is_file() { fetched } else { "helm".into() });
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null()).kill_on_drop(true);
        for name in ["CACHE", "CONFIG", "DATA"] {
            command.env(format!("HELM_{name}_HOME"), self.folder.path().join(name));
        }
        let ran = tokio::time::timeout(PATIENCE, command.output()).await.expect("helm ends").expect("helm is there");
        let text = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        (ran.status.success(), text)
    }

    async fn succeeds(&self, arguments: &[&str]) -> String {
        let (is_ok, text) = self.run(arguments).await;
        assert!(is_ok, "{arguments:?}: {text}");
        text
    }

    /// Updates, and returns the versions of `web`.
    async fn versions(&self) -> Vec<String> {
        self.succeeds(&["repo", "update"]).await;
        let found = self.succeeds(&["search", "repo", "acme/web", "--versions", "--output", "json"]).await;
        let found: Value = serde_json::from_str(&found).expect("JSON");
        let version = |chart: &Value| chart["version"].as_str().expect("a version").to_owned();
        found.as_array().expect("a list").iter().map(version).collect()
    }
}

/// A chart called `web`.
pub(crate) fn chart(version: &str) -> Vec<u8> {
    let yaml = format!("apiVersion: v2\nname: web\nversion: {version}\ndescription: \"a: 'b' # c\"\n");
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_ustar();
    header.set_size(yaml.len() as u64);
    header.set_mode(0o644);
    archive.append_data(&mut header, "web/Chart.yaml", yaml.as_bytes()).expect("memory takes everything");
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&archive.into_inner().expect("memory")).expect("memory takes everything");
    packed.finish().expect("memory takes everything")
}

async fn publish(ada: &Person, version: &str) {
    let path = format!("/content/ada/charts/web/{version}/web-{version}.tgz?publish=1");
    ada.put(&path).body(chart(version)).await.expect(201);
}

async fn repo(is_private: bool) -> (TestHouse, Person, String) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/charts").json(json!({"type": "helm", "private": is_private})).await.expect(201);
    ada.post("/packages/ada/charts").json(json!({"name": "web"})).await.expect(201);
    let url = format!("http://{}/dl/ada/charts", house.address);
    (house, ada, url)
}

#[tokio::test]
async fn helm_finds_and_pulls_what_is_published() {
    let _shown = suite::shows("helm", "publish, install");
    let (_house, ada, url) = repo(false).await;
    publish(&ada, "1.9.0").await;
    let helm = Helm::new();
    helm.succeeds(&["repo", "add", "acme", &url]).await;
    assert_eq!(helm.versions().await, ["1.9.0"]);
    publish(&ada, "1.10.0").await;
    assert_eq!(helm.versions().await, ["1.10.0", "1.9.0"]);
    helm.succeeds(&["pull", "acme/web"]).await;
    assert_eq!(fs::read(helm.folder.path().join("web-1.10.0.tgz")).expect("it is pulled"), chart("1.10.0"));
    ada.delete("/packages/ada/charts/web/versions/1.10.0").await.expect(200);
    assert_eq!(helm.versions().await, ["1.9.0"]);
}

#[tokio::test]
async fn helm_reads_a_private_repository_with_credentials_only() {
    let _shown = suite::shows("helm", "private");
    let (_house, ada, url) = repo(true).await;
    publish(&ada, "1.0.0").await;
    let helm = Helm::new();
    let (is_ok, text) = helm.run(&["repo", "add", "acme", &url]).await;
    assert!(!is_ok && text.contains("401"), "{text}");
    helm.succeeds(&["repo", "add", "acme", &url, "--username", "ada", "--password", ada.key()]).await;
    assert_eq!(helm.versions().await, ["1.0.0"]);
    helm.succeeds(&["pull", "acme/web"]).await;
}

#[tokio::test]
async fn helm_with_a_key_for_one_package_sees_only_it() {
    let _shown = suite::shows("helm", "key holder");
    let (house, ada, url) = repo(true).await;
    publish(&ada, "1.0.0").await;
    ada.post("/packages/ada/charts").json(json!({"name": "other"})).await.expect(201);
    let path = "/content/ada/charts/other/2.0.0/web-2.0.0.tgz?publish=1";
    ada.put(path).body(chart("2.0.0")).await.expect(201);
    let client = house.key(&ada, "client", json!({})).await;
    let terms = json!({"access": "r", "access_keys": ["client"]});
    ada.post("/packages/ada/charts/web/entitlements").json(terms).await.expect(201);
    for (who, expected) in [(&client, &["1.0.0"][..]), (&ada, &["2.0.0", "1.0.0"])] {
        let helm = Helm::new();
        helm.succeeds(&["repo", "add", "acme", &url, "--username", who.name(), "--password", who.key()]).await;
        assert_eq!(helm.versions().await, expected);
        helm.succeeds(&["pull", "acme/web", "--version", "1.0.0"]).await;
    }
}
