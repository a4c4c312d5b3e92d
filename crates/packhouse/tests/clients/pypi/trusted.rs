//! twine and uv in a build that has no stored secret: they exchange its identity token, and publish.

use std::path::Path;

use serde_json::{Value, json};
use suite::{Person, Process, Stack, identity::Runner};

use super::fixture::{Python, wheel};
use crate::tls_front::TlsFront;

/// Does what `twine upload` does for the public index, with this repository.
const EXCHANGE: &str = r#"
import sys
from twine import auth
config = {"repository": sys.argv[1], "username": None, "password": None}
print("token:" + auth.Resolver(config, auth.CredentialInput()).make_trusted_publishing_token())
"#;

/// A build of `acme/hello` that ada trusts to publish in `ada/repo`.
struct Build {
    python: Python,
    ada: Person,
    front: TlsFront,
    _runner: Runner,
    _server: Process,
    _stack: Stack,
}

impl Build {
    async fn start() -> Self {
        let stack = Stack::with_schema().await;
        let allow = [("PACKHOUSE_OUTGOING__ALLOW_PRIVATE", "true")];
        let server = Process::start_with(Path::new(env!("CARGO_BIN_EXE_packhouse")), &stack, &allow).await;
        let ada = server.user("ada").await;
        ada.post("/repos/ada/repo").json(json!({ "type": "pypi" })).await.expect(201);
        let runner = Runner::start(json!({
            "sub": "repo:acme/hello:ref:refs/tags/v1", "repository": "acme/hello", "ref": "refs/tags/v1", "run_id": "7",
        }))
        .await;
        let trusted = json!({"name": "release", "provider": "github", "issuer": runner.issuer.url(),
                             "claims": {"repository": "acme/hello"}, "resource": "ada/repo"});
        ada.post("/users/ada/trusted_publishers").json(trusted).await.expect(201);
        let front = TlsFront::start(&server.base).await;
        let mut python = Python::new();
        python.machine.write("ca.pem", &front.certificate);
        for name in ["REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"] {
            python.machine.set(name, python.machine.path("ca.pem").display().to_string());
        }
        for (name, value) in runner.variables() {
            python.machine.set(name, value);
        }
        python.make("hello-pkg", "1.0").await;
        Self { python, ada, front, _runner: runner, _server: server, _stack: stack }
    }

    fn url(&self) -> String {
        format!("{}/dl/ada/repo/", self.front.base)
    }

    /// Who published the version.
    async fn published_by(&self) -> Value {
        let version = self.ada.get("/packages/ada/repo/hello-pkg/versions/1.0").await.expect(200).json();
        version["published_by"].clone()
    }
}

#[tokio::test]
async fn uv_publishes_with_the_identity_of_a_build() {
    let build = Build::start().await;
    let publish = ["publish", "--trusted-publishing", "always", "--publish-url", &build.url(), &wheel("1.0")];
    build.python.run("uv", &publish).await.succeeds();
    let by = build.published_by().await;
    assert_eq!((&by["publisher"], &by["claims"]["run_id"]), (&json!("release"), &json!("7")), "{by}");
    // A build that nobody trusts any more is refused.
    let listed = build.ada.get("/users/ada/trusted_publishers").await.expect(200).json();
    let id = listed[0]["id"].as_str().expect("an id");
    build.ada.delete(&format!("/users/ada/trusted_publishers/{id}")).await.expect(200);
    build.python.make("hello-pkg", "1.1").await;
    let publish = ["publish", "--trusted-publishing", "always", "--publish-url", &build.url(), &wheel("1.1")];
    build.python.run("uv", &publish).await.fails_with(&["No trusted publisher accepts this identity token"]);
}

#[tokio::test]
async fn twine_publishes_with_the_identity_of_a_build() {
    let build = Build::start().await;
    let said = build.python.run("python", &["-c", EXCHANGE, &build.url()]).await.succeeds();
    let token = said.lines().find_map(|line| line.strip_prefix("token:")).expect("a token").to_owned();
    let url = build.url();
    let upload = ["upload", "--disable-progress-bar", "--repository-url", &url, "-u", "__token__", "-p", &token];
    build.python.run("twine", &[&upload[..], &[&wheel("1.0")]].concat()).await.succeeds();
    let by = build.published_by().await;
    assert_eq!((&by["publisher"], &by["claims"]["repository"]), (&json!("release"), &json!("acme/hello")), "{by}");
}
