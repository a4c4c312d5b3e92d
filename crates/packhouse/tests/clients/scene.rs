//! A server with a repository for a client.

use std::path::Path;

use serde_json::{Value, json};
use suite::{Person, Process, ProcessNodes, Stack};

use crate::tls_front::TlsFront;

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_packhouse");

/// Ada with the repository `ada/repo` on a server.
pub(crate) struct Scene {
    pub(crate) server: Process,
    pub(crate) ada: Person,
    /// The URL that clients use.
    pub(crate) base: String,
    /// What clients talk to over TLS.
    pub(crate) front: Option<TlsFront>,
    _nodes: ProcessNodes,
    /// Its stores, which end with it.
    #[cfg_attr(not(feature = "clients"), expect(dead_code, reason = "only tests of damaged content look into stores"))]
    pub(crate) stack: Stack,
}

impl Scene {
    /// Starts a server with a public repository of this type.
    pub(crate) async fn public(kind: &str) -> Self {
        Self::start(json!({ "type": kind })).await
    }

    /// Starts a server with a private repository of this type.
    pub(crate) async fn private(kind: &str) -> Self {
        Self::start(json!({ "type": kind, "private": true })).await
    }

    /// Starts a server on which Ada owns the organization `acme`, as in the documents.
    pub(crate) async fn acme() -> Self {
        let scene = Self::new().await;
        scene.ada.post("/orgs").json(json!({ "name": "acme" })).await.expect(201);
        scene
    }

    /// The same with TLS in front.
    pub(crate) async fn acme_behind_tls() -> Self {
        let mut scene = Self::acme().await;
        let front = TlsFront::start(&scene.base).await;
        scene.base.clone_from(&front.base);
        scene.front = Some(front);
        scene
    }

    async fn start(repo: Value) -> Self {
        let scene = Self::new().await;
        scene.ada.post("/repos/ada/repo").json(repo).await.expect(201);
        scene
    }

    async fn new() -> Self {
        let stack = Stack::with_schema().await;
        let (server, nodes) = ProcessNodes::start(Path::new(PROGRAM), &stack).await;
        let ada = server.user("ada").await;
        Self { base: server.base.clone(), server, ada, front: None, _nodes: nodes, stack }
    }

    /// The URL of the repository, without a slash at its end.
    pub(crate) fn url(&self) -> String {
        format!("{}/dl/ada/repo", self.server.base)
    }

    /// The same with a user's credentials.
    pub(crate) fn url_with(&self, who: &Person) -> String {
        with_credentials(&self.url(), who)
    }
}

#[cfg(feature = "clients")]
impl Scene {
    /// Creates a key that may read one package only, and returns its holder.
    pub(crate) async fn key_for(&self, package: &str) -> Person {
        let made = self.ada.post("/users/ada/access_keys").json(json!({ "id": "client" })).await.expect(201).json();
        let grant = json!({ "access": "r", "access_keys": ["client"] });
        self.ada.post(&format!("/packages/ada/repo/{package}/entitlements")).json(grant).await.expect(201);
        let text = |field: &str| made[field].as_str().expect("credentials").to_owned();
        self.server.person(&text("username"), &text("password"))
    }

    /// Stages what clients publish, until it is published by a call.
    pub(crate) async fn stage(&self) {
        self.ada.patch("/repos/ada/repo").json(json!({ "native_staged": true })).await.expect(200);
    }

    /// Publishes what is staged.
    pub(crate) async fn publish(&self, package: &str, version: &str) {
        let published = self.ada.post(&format!("/content/ada/repo/{package}/{version}/publish")).await.expect(200);
        assert!(published.json()["files"].as_u64().is_some_and(|files| files > 0), "{}", published.text());
    }

    /// Yanks a version.
    pub(crate) async fn yank(&self, package: &str, version: &str) {
        let version = format!("/packages/ada/repo/{package}/versions/{version}");
        self.ada.patch(&version).json(json!({ "yanked": "it is broken" })).await.expect(200);
    }

    /// Deletes a version.
    pub(crate) async fn delete(&self, package: &str, version: &str) {
        self.ada.delete(&format!("/packages/ada/repo/{package}/versions/{version}")).await.expect(200);
    }

    /// Waits until the downloads of a package are counted, and checks that they are not more.
    pub(crate) async fn counts(&self, package: &str, expected: u64) {
        let total = || async {
            let path = format!("/packages/ada/repo/{package}/stats/total_downloads");
            let records = self.ada.get(&path).await.expect(200).json()["records"].clone();
            let counts = records.as_array().expect("a list").iter();
            counts.map(|record| record["count"].as_u64().expect("a number")).sum::<u64>()
        };
        while total().await < expected {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        // A second count would come with the next flush.
        tokio::time::sleep(std::time::Duration::from_millis(1_500)).await;
        assert_eq!(total().await, expected);
    }

    /// Changes one byte of a published file in the store.
    pub(crate) async fn damage(&self, path: &str) {
        let content = self.ada.download(&format!("/ada/repo/{path}")).await.expect(200).body;
        let digest: String =
            <sha2::Sha256 as sha2::Digest>::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
        let file = self.stack.blob_file(&digest);
        let mut bytes = std::fs::read(&file).expect("the blob is a file");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::remove_file(&file).expect("it can be replaced");
        std::fs::write(&file, bytes).expect("written");
    }
}

/// A URL with a user's credentials.
pub(crate) fn with_credentials(url: &str, who: &Person) -> String {
    let (scheme, rest) = url.split_once("://").expect("a URL");
    format!("{scheme}://{}:{}@{rest}", who.name().replace('@', "%40"), who.key())
}
