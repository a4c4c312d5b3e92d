//! Packages, and the commands of Composer.

use serde_json::json;
use suite::Person;

use crate::{
    client::{Machine, Ran},
    zip::zip,
};

/// The package of most tests.
pub(crate) const HELLO: &str = "acme/hello";

/// A machine with Composer and a project that uses one repository only.
pub(crate) struct Php {
    pub(crate) machine: Machine,
    url: String,
}

impl Php {
    /// Sets up a project; a user without a name has no credentials.
    pub(crate) fn new(url: &str, who: &Person) -> Self {
        let machine = machine();
        let project = json!({
            "repositories": [{ "type": "composer", "url": url }, { "packagist": false }],
            "config": { "secure-http": false, "lock": true },
        });
        machine.write("work/composer.json", project.to_string());
        if !who.key().is_empty() {
            let host = url.split('/').nth(2).expect("a host");
            let credentials = json!({ "username": who.name(), "password": who.key() });
            machine.write("composer-home/auth.json", json!({ "http-basic": { host: credentials } }).to_string());
        }
        Self { machine, url: url.to_owned() }
    }

    /// Runs Composer in the project.
    pub(crate) async fn composer(&self, arguments: &[&str]) -> Ran {
        self.machine.run("composer", "work", &[&["--no-ansi"], arguments].concat()).await
    }

    /// Publishes a package whose composer.json has no version.
    pub(crate) async fn publish(&self, who: &Person, name: &str, version: &str) -> Ran {
        self.publish_text(who, name, version, version).await
    }

    /// Publishes a package with this text in its code.
    pub(crate) async fn publish_text(&self, who: &Person, name: &str, version: &str, text: &str) -> Ran {
        self.machine.write("work/package.zip", package(name, text));
        let url = format!("{}/upload/package.zip?version={version}", self.url);
        self.machine.upload(who, "package.zip", &url).await
    }

    /// Requires a package, with a version after a colon.
    pub(crate) async fn require(&self, requirement: &str) -> Ran {
        self.composer(&["require", requirement]).await
    }

    /// The code of the installed package.
    pub(crate) fn installed(&self) -> String {
        self.machine.read("work/vendor/acme/hello/src/Hello.php")
    }

    /// Whether the package is installed.
    #[cfg(feature = "clients")]
    pub(crate) fn has_installed(&self) -> bool {
        self.machine.has("work/vendor/acme/hello/src/Hello.php")
    }
}

/// A machine with Composer.
pub(crate) fn machine() -> Machine {
    let mut machine = Machine::new();
    for (name, value) in [
        ("COMPOSER_ALLOW_SUPERUSER", "1"),
        ("COMPOSER_NO_INTERACTION", "1"),
        ("COMPOSER_CACHE_DIR", "/dev/null"),
        ("COMPOSER_MAX_PARALLEL_HTTP", "2"),
    ] {
        machine.set(name, value);
    }
    machine.set("COMPOSER_HOME", machine.path("composer-home").display().to_string());
    machine
}

/// The zip of a package whose composer.json has no version.
pub(crate) fn package(name: &str, text: &str) -> Vec<u8> {
    let document = json!({ "name": name, "description": "says hello", "autoload": { "psr-4": { "Acme\\": "src/" } } });
    zip(&[("composer.json", &document.to_string()), ("src/Hello.php", &code(text))])
}

/// The code of a package.
pub(crate) fn code(text: &str) -> String {
    format!("<?php\nnamespace Acme;\nclass Hello {{ const TEXT = '{text}'; }}\n")
}
