//! Packages, and the commands of npm's clients.

use serde_json::json;
use suite::Person;

use crate::client::{Machine, Ran, folder};

/// The package of the tests.
pub(super) const HELLO: &str = "@ada/hello";

/// A machine with node, whose registry is the repository.
pub(super) struct Node {
    pub(super) machine: Machine,
}

impl Node {
    /// Sets up the registry with a user's key; a user without a name has none.
    pub(super) fn new(url: &str, who: &Person) -> Self {
        let mut machine = Machine::new();
        for (name, value) in [
            ("npm_config_update_notifier", "false"),
            ("npm_config_fetch_retries", "0"),
            ("YARN_ENABLE_TELEMETRY", "0"),
            ("YARN_HTTP_RETRY", "0"),
            ("COREPACK_ENABLE_STRICT", "0"),
        ] {
            machine.set(name, value);
        }
        let mut settings = format!("registry={url}/\n");
        let mut yarn = format!(
            "npmRegistryServer: \"{url}/\"\nunsafeHttpWhitelist: [\"127.0.0.1\"]\nnodeLinker: node-modules\n\
             enableGlobalCache: false\nenableImmutableInstalls: false\nnpmMinimalAgeGate: 0\n"
        );
        if !who.key().is_empty() {
            let place = url.split_once(':').expect("a URL").1;
            settings += &format!("{place}/:_authToken={}\n", who.key());
            yarn += &format!("npmAuthToken: \"{}\"\nnpmAlwaysAuth: true\n", who.key());
        }
        machine.write(".npmrc", settings);
        machine.write("work/.yarnrc.yml", yarn);
        machine.write("work/package.json", json!({ "name": "app", "version": "1.0.0" }).to_string());
        machine.write("work/yarn.lock", "");
        Self { machine }
    }

    /// Sets up the registry with a name and a key.
    pub(super) fn with_name(url: &str, who: &Person) -> Self {
        let node = Self::new(url, who);
        let place = url.split_once(':').expect("a URL").1;
        let credentials =
            base64::Engine::encode(&base64::engine::general_purpose::STANDARD, format!("{}:{}", who.name(), who.key()));
        node.machine.write(".npmrc", format!("registry={url}/\n{place}/:_auth={credentials}\n"));
        node
    }

    /// Runs npm in the folder of a project.
    pub(super) async fn npm(&self, folder: &str, arguments: &[&str]) -> Ran {
        self.run("npm/bin/npm-cli.js", folder, arguments).await
    }

    /// Runs a program of the folder of clients.
    pub(super) async fn run(&self, script: &str, work: &str, arguments: &[&str]) -> Ran {
        let script = folder("PACKHOUSE_TEST_NPM").join(script).display().to_string();
        self.machine.run("node", work, &[&[script.as_str()], arguments].concat()).await
    }

    /// Writes a package that exports its version.
    pub(super) fn package(&self, name: &str, version: &str) -> String {
        let folder = format!("package-{}-{version}", name.replace(['@', '/'], "-"));
        let manifest = json!({
            "name": name, "version": version, "description": "says hello", "main": "index.js", "license": "MIT",
            "keywords": ["greeting"],
        });
        self.machine.write(&format!("{folder}/package.json"), manifest.to_string());
        self.machine.write(&format!("{folder}/index.js"), format!("module.exports = '{version}'\n"));
        folder
    }

    /// Publishes a version with npm.
    pub(super) async fn publish(&self, name: &str, version: &str) -> Ran {
        let folder = self.package(name, version);
        self.npm(&folder, &["publish"]).await
    }

    /// Installs a package with npm.
    pub(super) async fn install(&self, requirement: &str) -> Ran {
        self.npm("work", &["install", requirement]).await
    }

    /// The code of the installed package.
    pub(super) fn installed(&self) -> String {
        self.machine.read(&format!("work/node_modules/{HELLO}/index.js"))
    }

    /// Whether the package is installed.
    #[cfg(feature = "clients")]
    pub(super) fn has_installed(&self) -> bool {
        self.machine.has(&format!("work/node_modules/{HELLO}/index.js"))
    }
}

/// The code of a version.
pub(super) fn code(version: &str) -> String {
    format!("module.exports = '{version}'\n")
}
