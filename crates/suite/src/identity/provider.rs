//! A real provider of single sign-on: `oidc-provider` of npm, in a process of its own.

use std::{
    env,
    path::PathBuf,
    process::Stdio,
    time::{SystemTime, UNIX_EPOCH},
};

use serde_json::Value;
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};

use crate::TestHouse;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/identity/oidc_provider.mjs");

/// A provider on loopback.
pub struct Provider {
    port: u16,
    folder: TempDir,
    callback: String,
    child: Option<Child>,
}

impl Provider {
    /// Starts a house whose people sign in with a provider, with further settings, and the provider. The clock of the
    /// house shows the time of the provider, which is the real one.
    pub async fn with_house(people: &Value, changes: &[(&str, &str)]) -> (TestHouse, Self) {
        let port = free_port();
        let issuer = format!("http://127.0.0.1:{port}");
        let own = [
            ("oidc.issuer", issuer.as_str()),
            ("oidc.client_id", "packhouse"),
            ("oidc.client_secret", "secret+/of:tests"),
            ("oidc.scopes", "profile,email,groups"),
            ("oidc.label", "Acme"),
        ];
        let house = TestHouse::start_with(&[&own, changes].concat()).await;
        house.clock.advance(system_millis() - house.clock.now().millis());
        let callback = format!("http://{}/login/sso/callback", house.address);
        let folder = tempfile::tempdir().expect("a folder");
        let mut provider = Self { port, folder, callback, child: None };
        provider.set_people(people);
        provider.restart("RS256").await;
        (house, provider)
    }

    /// Its name.
    pub fn issuer(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Sets what it tells about people, by their subjects.
    pub fn set_people(&self, people: &Value) {
        std::fs::write(self.people(), people.to_string()).expect("written");
    }

    /// Stops it.
    pub async fn stop(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().await.expect("it ends");
        }
    }

    /// Stops it, and starts it with a new key for this algorithm.
    pub async fn restart(&mut self, algorithm: &str) {
        self.stop().await;
        let modules = env::var("PACKHOUSE_TEST_OIDC_PROVIDER");
        let mut child = Command::new("node")
            .arg(SCRIPT)
            .env("MODULES", modules.unwrap_or_else(|_| built_modules()))
            .env("PORT", self.port.to_string())
            .env("CALLBACK", &self.callback)
            .env("PEOPLE", self.people())
            .env("ALGORITHM", algorithm)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("`node` is installed");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let ready = lines.next_line().await.expect("readable");
        assert_eq!(ready.as_deref(), Some("ready"), "`cargo xtask test` installs the provider");
        // It ends when nobody reads what it prints.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        self.child = Some(child);
    }

    fn people(&self) -> PathBuf {
        self.folder.path().join("people.json")
    }
}

/// Where `cargo xtask` has installed it.
fn built_modules() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/tools/oidc-provider/node_modules").to_owned()
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").port()
}

#[expect(clippy::disallowed_methods, reason = "the provider's tokens have the real time")]
fn system_millis() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).expect("this century")
}
