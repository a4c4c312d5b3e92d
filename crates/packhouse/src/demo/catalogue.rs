//! The repositories and releases of the catalogue.

use std::io;

use serde_json::json;

use super::archives::{deb, tar_gz, zip};

/// A repository of the organization: its name, its type, its description, and whether it is private.
pub(super) const REPOS: [(&str, &str, &str, bool); 6] = [
    ("tools", "generic", "Command-line tools for Linux and macOS", false),
    ("python", "pypi", "Python libraries", false),
    ("npm", "npm", "Widgets for the web", false),
    ("charts", "helm", "Charts for Kubernetes", false),
    ("apt", "debian", "Packages for Debian and Ubuntu", false),
    ("enterprise", "generic", "What customers pay for", true),
];

/// A release of a package.
pub(super) struct Release {
    /// The days before today.
    pub(super) age: i64,
    pub(super) repo: &'static str,
    pub(super) package: &'static str,
    pub(super) version: &'static str,
    pub(super) notes: &'static str,
    /// Whether it is published; a draft is only uploaded.
    pub(super) is_published: bool,
    /// How many people download it on a usual day.
    pub(super) popularity: u32,
}

const fn release(
    age: i64,
    [repo, package, version]: [&'static str; 3],
    popularity: u32,
    notes: &'static str,
) -> Release {
    Release { age, repo, package, version, notes, is_published: popularity > 0, popularity }
}

/// The releases in the order of their time. The last one is a draft.
pub(super) const RELEASES: [Release; 13] = [
    release(39, ["tools", "relay", "1.0.0"], 4, "The first release."),
    release(38, ["apt", "relay", "1.0.0-1"], 2, "The first package."),
    release(36, ["python", "acme-sdk", "0.9.0"], 3, "A preview for early users."),
    release(33, ["npm", "acme-widgets", "3.1.0"], 3, "Adds the date picker."),
    release(30, ["enterprise", "relay-pro", "5.0.0"], 0, "Clustering and audit reports."),
    release(27, ["tools", "relay", "1.1.0"], 5, "Reconnects after a lost connection."),
    release(24, ["charts", "relay", "0.4.0"], 2, "Supports several replicas."),
    release(20, ["python", "acme-sdk", "1.0.0"], 6, "The stable API."),
    release(14, ["tools", "relay", "2.0.0"], 8, "A new protocol, twice as fast."),
    release(13, ["apt", "relay", "2.0.0-1"], 4, "A new protocol, twice as fast."),
    release(9, ["npm", "acme-widgets", "3.2.0"], 5, "Works with a keyboard alone."),
    release(5, ["charts", "relay", "0.5.0"], 3, "Uses relay 2.0."),
    release(1, ["tools", "relay", "2.1.0"], 0, "In review: compression."),
];

impl Release {
    /// The private release is published, too: only its customers download it.
    pub(super) fn goes_public(&self) -> bool {
        self.is_published || self.repo == "enterprise"
    }

    /// The path of its file in the repository, with parameters, and the content.
    pub(super) fn file(&self) -> io::Result<(String, Vec<u8>)> {
        let (package, version) = (self.package, self.version);
        let module = package.replace('-', "_");
        Ok(match self.repo {
            "python" => {
                let path = format!("packages/{package}/{version}/{module}-{version}-py3-none-any.whl");
                (path, wheel(package, &module, version))
            }
            "npm" => {
                let manifest = json!({"name": package, "version": version, "description": "Widgets of Acme",
                    "license": "MIT", "main": "index.js"});
                let entries = [
                    ("package/package.json".to_owned(), manifest.to_string()),
                    ("package/index.js".to_owned(), format!("exports.version = '{version}';\n")),
                ];
                (format!("{package}/-/{package}-{version}.tgz"), tar_gz(&entries)?)
            }
            "charts" => {
                let chart = format!(
                    "apiVersion: v2\nname: {package}\nversion: {version}\ndescription: Runs relay\nappVersion: 2.0.0\n"
                );
                let content = tar_gz(&[(format!("{package}/Chart.yaml"), chart)])?;
                (format!("{package}-{version}.tgz"), content)
            }
            "apt" => {
                let content = deb(package, version, "Forwards messages between services")?;
                let file = format!("pool/{package}_{version}_amd64.deb");
                (format!("{file};deb_distribution=stable;deb_component=main;deb_architecture=amd64"), content)
            }
            _ => {
                let readme = format!("{package} {version}\n\n{}\n", self.notes);
                let content = tar_gz(&[(format!("{package}-{version}/README"), readme)])?;
                (format!("{package}/{package}-{version}-linux-x86_64.tar.gz"), content)
            }
        })
    }
}

fn wheel(package: &str, module: &str, version: &str) -> Vec<u8> {
    let info = format!("{module}-{version}.dist-info");
    let metadata = format!(
        "Metadata-Version: 2.1\nName: {package}\nVersion: {version}\nSummary: Talks to relay\nLicense: MIT\n\
         Requires-Python: >=3.9\n"
    );
    let wheel = "Wheel-Version: 1.0\nGenerator: packhouse demo\nRoot-Is-Purelib: true\nTag: py3-none-any\n";
    let entries = [
        (format!("{module}.py"), format!("VERSION = '{version}'\n")),
        (format!("{info}/METADATA"), metadata),
        (format!("{info}/WHEEL"), wheel.to_owned()),
        (format!("{info}/RECORD"), String::new()),
    ];
    zip(&entries)
}
