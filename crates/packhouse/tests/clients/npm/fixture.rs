//! Packages, and the commands of npm's clients.

use serde_json::json;
use suite::Person;

use crate::client::{Machine, Ran, folder};

/// The package of the tests.
pub(crate) const HELLO: &str = "@ada/hello";

/// A machine with node, whose registry is the repository.
pub(crate) struct Node {
    pub(crate) machine: Machine,
}

impl Node {
    /// Sets up the registry with a user's key; a user without a name has none.
    pub(crate) fn new(url: &str, who: &Person) -> Self {
        let Self { machine } = Self::without_registry();
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

    /// Sets up no registry.
    pub(crate) fn without_registry() -> Self {
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
        Self { machine }
    }

    /// Sets up the registry with a name and a key.
    pub(crate) fn with_name(url: &str, who: &Person) -> Self {
        let node = Self::new(url, who);
        let place = url.split_once(':').expect("a URL").1;
        let credentials =
            base64::Engine::encode(&base64::engine::general_purpose::STANDARD, format!("{}:{}", who.name(), who.key()));
        node.machine.write(".npmrc", format!("registry={url}/\n{place}/:_auth={credentials}\n"));
        node
    }

    /// Runs npm in the folder of a project.
    pub(crate) async fn npm(&self, folder: &str, arguments: &[&str]) -> Ran {
        self.run("npm/bin/npm-cli.js", folder, arguments).await
    }

    /// Runs a program of the folder of clients.
    pub(crate) async fn run(&self, script: &str, work: &str, arguments: &[&str]) -> Ran {
        let script = folder("PACKHOUSE_TEST_NPM").join(script).display().to_string();
        self.machine.run("node", work, &[&[script.as_str()], arguments].concat()).await
    }

    /// Writes a package that exports its version.
    pub(crate) fn package(&self, name: &str, version: &str) -> String {
        let folder = format!("package-{}-{version}", name.replace(['@', '/'], "-"));
        self.package_in(&folder, name, version);
        folder
    }

    /// The same in another folder.
    pub(crate) fn package_in(&self, folder: &str, name: &str, version: &str) {
        let manifest = json!({
            "name": name, "version": version, "description": "says hello", "main": "index.js", "license": "MIT",
            "keywords": ["greeting"],
        });
        self.machine.write(&format!("{folder}/package.json"), manifest.to_string());
        self.machine.write(&format!("{folder}/index.js"), code(version));
    }

    /// Publishes a version with npm.
    pub(crate) async fn publish(&self, name: &str, version: &str) -> Ran {
        let folder = self.package(name, version);
        self.npm(&folder, &["publish"]).await
    }

    /// Installs a package with npm.
    pub(crate) async fn install(&self, requirement: &str) -> Ran {
        self.npm("work", &["install", requirement]).await
    }

    /// The code of the installed package.
    pub(crate) fn installed(&self) -> String {
        self.machine.read(&format!("work/node_modules/{HELLO}/index.js"))
    }

    /// Whether the package is installed.
    #[cfg(feature = "clients")]
    pub(crate) fn has_installed(&self) -> bool {
        self.machine.has(&format!("work/node_modules/{HELLO}/index.js"))
    }
}

/// The code of a version.
pub(crate) fn code(version: &str) -> String {
    format!("module.exports = '{version}'\n")
}
