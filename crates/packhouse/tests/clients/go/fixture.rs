//! Modules, and the go command.

use suite::Person;

use crate::{
    client::{Machine, Ran},
    zip::zip,
};

/// The module of most tests, whose path has an upper-case letter.
pub(crate) const LIB: &str = "example.com/Acme/lib";

/// The package of that module.
#[cfg(feature = "clients")]
pub(crate) const PACKAGE: &str = "example.com:Acme:lib";

/// A machine with go and a module that gets others from one proxy only.
pub(crate) struct Gopher {
    pub(crate) machine: Machine,
}

impl Gopher {
    /// Sets up the proxy.
    pub(crate) fn new(url: &str) -> Self {
        let mut gopher = Self::without_proxy();
        for (name, value) in [("GOPROXY", url), ("GOSUMDB", "off"), ("GOENV", "off")] {
            gopher.machine.set(name, value);
        }
        gopher
    }

    /// Sets up no proxy.
    pub(crate) fn without_proxy() -> Self {
        let mut machine = Machine::new();
        for (name, value) in [("GOTOOLCHAIN", "local"), ("GOFLAGS", "-mod=mod -modcacherw"), ("GOVCS", "*:off")] {
            machine.set(name, value);
        }
        for (name, folder) in [("GOPATH", "go"), ("GOCACHE", "go-cache")] {
            machine.set(name, machine.path(folder).display().to_string());
        }
        machine.write("work/go.mod", "module example.org/app\n");
        Self { machine }
    }

    /// Sets up the proxy with someone's credentials, which go sends over TLS only.
    pub(crate) fn with_key(url: &str, certificate: &str, who: &Person) -> Self {
        let mut gopher = Self::new(url);
        gopher.machine.write("certificate.pem", certificate);
        let file = gopher.machine.path("certificate.pem").display().to_string();
        gopher.machine.set("SSL_CERT_FILE", file);
        if !who.key().is_empty() {
            let host = "127.0.0.1";
            let netrc = format!("machine {host} login {} password {}\n", who.name(), who.key());
            gopher.machine.write(".netrc", netrc);
        }
        gopher
    }

    /// Runs go in the module.
    pub(crate) async fn go(&self, arguments: &[&str]) -> Ran {
        self.machine.run("go", "work", arguments).await
    }

    /// Publishes a version of a module.
    pub(crate) async fn publish(&self, url: &str, who: &Person, module: &str, version: &str) -> Ran {
        self.publish_text(url, who, module, version, version).await
    }

    /// Publishes a version with this text in its code.
    pub(crate) async fn publish_text(&self, url: &str, who: &Person, module: &str, version: &str, text: &str) -> Ran {
        self.machine.write("work/module.zip", package(module, version, text));
        let url = format!("{url}/{}/@v/{version}.zip", module.replace('A', "!a"));
        self.machine.upload(who, "module.zip", &url).await
    }

    /// Gets a version of a module.
    pub(crate) async fn get(&self, requirement: &str) -> Ran {
        self.go(&["get", requirement]).await
    }

    /// The code of the module that was got.
    pub(crate) async fn got(&self) -> String {
        let folder = self.go(&["list", "-m", "-f", "{{.Dir}}", LIB]).await.succeeds();
        std::fs::read_to_string(format!("{}/lib.go", folder.trim())).expect("the code of the module")
    }
}

/// The zip of a module.
pub(crate) fn package(module: &str, version: &str, text: &str) -> Vec<u8> {
    let prefix = format!("{module}@{version}");
    zip(&[
        (&format!("{prefix}/go.mod"), &format!("module {module}\n\ngo 1.19\n")),
        (&format!("{prefix}/lib.go"), &code(text)),
    ])
}

/// The code of a module.
pub(crate) fn code(text: &str) -> String {
    format!("package lib\n\nconst Text = \"{text}\"\n")
}
