//! helm pushes charts to a repository of images, and pulls them from there.

use std::{env, fs, path::Path, process::Stdio, time::Duration};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::json;
use suite::{Person, TestHouse};
use tempfile::TempDir;
use tokio::process::Command;

use crate::helm::chart;

/// The time limit of a run on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A helm with its own empty folders, signed in to a server.
struct Helm {
    folder: TempDir,
}

impl Helm {
    fn new(house: &TestHouse, who: Option<&Person>) -> Self {
        let folder = tempfile::tempdir().expect("the temporary folder is writable");
        let auth = who.map(|who| BASE64_STANDARD.encode(format!("{}:{}", who.name(), who.key())));
        let auths = auth.map_or(json!({}), |auth| json!({ (house.address.to_string()): { "auth": auth } }));
        fs::write(folder.path().join("registry.json"), json!({ "auths": auths }).to_string()).expect("written");
        Self { folder }
    }

    async fn run(&self, arguments: &[&str]) -> (bool, String) {
        let programs = env::var("PACKHOUSE_TEST_HELM").expect("`cargo xtask test` says where helm is");
        let fetched = Path::new(&programs).join("helm");
        let mut command = Command::new(if fetched.is_file() { fetched } else { "helm".into() });
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null()).kill_on_drop(true);
        for name in ["CACHE", "CONFIG", "DATA"] {
            command.env(format!("HELM_{name}_HOME"), self.folder.path().join(name));
        }
        command.env("HELM_REGISTRY_CONFIG", self.folder.path().join("registry.json"));
        command.env("HOME", self.folder.path());
        let ran = tokio::time::timeout(PATIENCE, command.output()).await.expect("helm ends").expect("helm is there");
        let text = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        (ran.status.success(), text)
    }

    async fn succeeds(&self, arguments: &[&str]) -> String {
        let (is_ok, text) = self.run(arguments).await;
        assert!(is_ok, "{arguments:?}: {text}");
        text
    }

    fn file(&self, name: &str) -> Vec<u8> {
        fs::read(self.folder.path().join(name)).expect("it is there")
    }
}

#[tokio::test]
async fn helm_pushes_and_pulls_a_chart_as_an_image() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/img").json(json!({ "type": "docker", "private": true })).await.expect(201);
    let (own, stranger) = (Helm::new(&house, Some(&ada)), Helm::new(&house, None));
    let repo = format!("oci://{}/ada/img", house.address);
    let at = format!("{repo}/web");
    for version in ["0.1.0", "0.2.0+build.1"] {
        let name = format!("web-{version}.tgz");
        fs::write(own.folder.path().join(&name), chart(version)).expect("written");
        own.succeeds(&["push", &name, &repo, "--plain-http"]).await;
    }
    let tags = ada.get("//v2/ada/img/web/tags/list").await.expect(200).json();
    assert_eq!(tags["tags"], json!(["0.1.0", "0.2.0_build.1"]));
    let puller = Helm::new(&house, Some(&ada));
    puller.succeeds(&["pull", &at, "--version", "0.1.0", "--plain-http"]).await;
    assert_eq!(puller.file("web-0.1.0.tgz"), chart("0.1.0"));
    let shown = puller.succeeds(&["show", "chart", &at, "--version", "0.2.0+build.1", "--plain-http"]).await;
    assert!(shown.contains("version: 0.2.0+build.1"), "{shown}");
    let (is_ok, text) = stranger.run(&["pull", &at, "--version", "0.1.0", "--plain-http"]).await;
    assert!(!is_ok, "{text}");
    let browser = house.browser();
    browser.sign_in("ada", ada.key()).await;
    let page = browser.open("/ada/img/web").await.expect(200).text();
    assert!(page.contains("Helm chart"), "{page}");
}
