//! The repositories and releases of the catalogue.

use std::io;

use serde_json::json;

use super::archives::{deb, filler, tar_gz, zip};

/// A repository of the organization: its name, its type, its description, and whether it is private.
pub(super) const REPOS: [(&str, &str, &str, bool); 6] = [
    ("tools", "generic", "Command-line tools for Linux, macOS and Windows", false),
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
pub(super) const RELEASES: [Release; 22] = [
    release(63, ["tools", "relay", "1.0.0"], 3, "The first release."),
    release(61, ["tools", "tarmac", "2.7.0"], 3, "Lists archives without unpacking them."),
    release(60, ["apt", "relay", "1.0.0-1"], 1, "The first package."),
    release(57, ["python", "acme-sdk", "0.9.0"], 2, "A preview for early users."),
    release(52, ["npm", "acme-widgets", "3.0.0"], 2, "Needs no build step any more."),
    release(50, ["python", "acme-sdk", "0.9.1"], 1, "Sends messages in batches."),
    release(47, ["python", "acme-sdk", "0.9.2"], 2, "Sends the last message of a batch, too."),
    release(45, ["tools", "tarmac", "2.8.0"], 3, "Half the memory with many small files."),
    release(36, ["npm", "acme-icons", "1.0.0"], 2, "Sixty icons."),
    release(33, ["npm", "acme-widgets", "3.1.0"], 2, "Adds the date picker."),
    release(30, ["enterprise", "relay-pro", "5.0.0"], 0, "Clustering and audit reports."),
    release(27, ["tools", "relay", "1.1.0"], 4, "Reconnects after a lost connection."),
    release(24, ["charts", "relay", "0.4.0"], 1, "Supports several replicas."),
    release(20, ["python", "acme-sdk", "1.0.0"], 4, "The stable API."),
    release(16, ["tools", "tarmac", "2.9.0"], 5, "Faster on many cores, and lists show links."),
    release(14, ["tools", "relay", "2.0.0"], 6, "A new protocol, twice as fast."),
    release(13, ["apt", "relay", "2.0.0-1"], 3, "A new protocol, twice as fast."),
    release(9, ["npm", "acme-widgets", "3.2.0"], 4, "Works with a keyboard alone."),
    release(5, ["charts", "relay", "0.5.0"], 2, "Uses relay 2.0."),
    release(3, ["python", "acme-sdk", "1.1.0rc1"], 1, "A first look at compression."),
    release(2, ["tools", "tarmac", "3.0.0-beta.1"], 1, "A new layout of archives. Please try it."),
    release(1, ["tools", "relay", "2.1.0"], 0, "In review: compression."),
];

/// The release that turned out to be broken, and why.
pub(super) const YANKED: (&str, &str) =
    ("/packages/acme/python/acme-sdk/versions/0.9.1", "It loses the last message of a batch");

/// The systems that tools are built for, with the ending of the archive.
const PLATFORMS: [&str; 4] =
    ["linux-x86_64.tar.gz", "linux-arm64.tar.gz", "darwin-arm64.tar.gz", "windows-x86_64.tar.gz"];

/// The size of a program in bytes.
const PROGRAM_BYTES: usize = 90_000;

impl Release {
    /// The private release is published, too: only its customers download it.
    pub(super) fn goes_public(&self) -> bool {
        self.is_published || self.repo == "enterprise"
    }

    /// The paths of its files in the repository.
    pub(super) fn paths(&self) -> Vec<String> {
        let (package, version) = (self.package, self.version);
        match self.repo {
            "python" => {
                let module = package.replace('-', "_");
                vec![format!("packages/{package}/{version}/{module}-{version}-py3-none-any.whl")]
            }
            "npm" => vec![format!("{package}/-/{package}-{version}.tgz")],
            "charts" => vec![format!("{package}-{version}.tgz")],
            "apt" => vec![format!("pool/{package}_{version}_amd64.deb")],
            "enterprise" => vec![format!("{package}/{package}-{version}-{}", PLATFORMS[0])],
            _ => PLATFORMS.map(|platform| format!("{package}/{package}-{version}-{platform}")).to_vec(),
        }
    }

    /// The parameters of its upload.
    pub(super) fn parameters(&self) -> &'static str {
        if self.repo == "apt" { ";deb_distribution=stable;deb_component=main;deb_architecture=amd64" } else { "" }
    }

    /// The content of the file at a path.
    pub(super) fn content(&self, path: &str) -> io::Result<Vec<u8>> {
        let (package, version) = (self.package, self.version);
        Ok(match self.repo {
            "python" => wheel(package, &package.replace('-', "_"), version),
            "npm" => {
                let manifest = json!({"name": package, "version": version, "description": "Made by Acme",
                    "license": "MIT", "main": "index.js"});
                let script = format!("exports.version = '{version}';\n// {}\n", filler(path, PROGRAM_BYTES / 4));
                tar_gz(&[
                    ("package/package.json".to_owned(), manifest.to_string()),
                    ("package/index.js".to_owned(), script),
                ])?
            }
            "charts" => {
                let chart = format!(
                    "apiVersion: v2\nname: {package}\nversion: {version}\ndescription: Runs relay\nappVersion: 2.0.0\n"
                );
                tar_gz(&[(format!("{package}/Chart.yaml"), chart)])?
            }
            "apt" => deb(package, version, "Forwards messages between services")?,
            _ => {
                let readme = format!("{package} {version}\n\n{}\n", self.notes);
                tar_gz(&[
                    (format!("{package}-{version}/README"), readme),
                    (format!("{package}-{version}/{package}"), filler(path, PROGRAM_BYTES)),
                ])?
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
        (format!("{module}.py"), format!("VERSION = '{version}'\n# {}\n", filler(version, PROGRAM_BYTES / 3))),
        (format!("{info}/METADATA"), metadata),
        (format!("{info}/WHEEL"), wheel.to_owned()),
        (format!("{info}/RECORD"), String::new()),
    ];
    zip(&entries)
}
