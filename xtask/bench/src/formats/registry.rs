//! The registries whose own way of publishing is measured.

use base64::{Engine, prelude::BASE64_STANDARD};
use hyper::Method;
use serde_json::json;

use crate::client::Call;
use crate::formats::archives;
use xtask::failure::Result;

/// The name of the measured package.
pub(crate) const PACKAGE: &str = "benchmark";

/// A package manager's registry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Registry {
    Npm,
    Pypi,
    Cargo,
}

impl Registry {
    pub(crate) const ALL: [Self; 3] = [Self::Npm, Self::Pypi, Self::Cargo];

    /// Returns the type of its repositories.
    pub(crate) fn format(self) -> &'static str {
        match self {
            Self::Npm => "npm",
            Self::Pypi => "pypi",
            Self::Cargo => "cargo",
        }
    }

    /// Returns the path of the package's index below the root of a registry.
    pub(crate) fn index(self) -> String {
        match self {
            Self::Npm => format!("/{PACKAGE}"),
            Self::Pypi => format!("/simple/{PACKAGE}/"),
            Self::Cargo => format!("/{}/{}/{PACKAGE}", &PACKAGE[..2], &PACKAGE[2..4]),
        }
    }

    /// Returns whether it can be searched.
    pub(crate) fn has_search(self) -> bool {
        self != Self::Pypi
    }

    /// Returns the path of a search, or of the list of all packages where the registry has no search.
    pub(crate) fn search(self) -> String {
        match self {
            Self::Npm => format!("/-/v1/search?text={PACKAGE}&size=20"),
            Self::Pypi => "/simple/".to_owned(),
            Self::Cargo => format!("/api/v1/crates?q={PACKAGE}&per_page=10"),
        }
    }

    /// Creates the request that publishes a version to the registry at `root`.
    pub(crate) fn publish(self, root: &str, version: &str) -> Result<Call> {
        match self {
            Self::Npm => npm(root, version),
            Self::Pypi => pypi(root, version),
            Self::Cargo => cargo(root, version),
        }
    }
}

fn npm(root: &str, version: &str) -> Result<Call> {
    let manifest = json!({ "name": PACKAGE, "version": version, "description": "A package for benchmarks" });
    let tarball = archives::tarball(&[("package/package.json", manifest.to_string().as_bytes())])?;
    let file = format!("{PACKAGE}-{version}.tgz");
    let mut listed = manifest;
    listed["dist"] = json!({
        "tarball": format!("http://localhost{root}/{PACKAGE}/-/{file}"),
        "integrity": archives::integrity(&tarball),
        "shasum": archives::sha1(&tarball),
    });
    let document = json!({
        "_id": PACKAGE,
        "name": PACKAGE,
        "dist-tags": { "latest": version },
        "versions": { version: listed },
        "_attachments": { file: {
            "content_type": "application/octet-stream",
            "data": BASE64_STANDARD.encode(&tarball),
            "length": tarball.len(),
        } },
    });
    Ok(Call::upload(Method::PUT, format!("{root}/{PACKAGE}"), "application/json", document.to_string().into_bytes()))
}

fn pypi(root: &str, version: &str) -> Result<Call> {
    let wheel = archives::wheel(PACKAGE, version)?;
    let boundary = "benchmark-boundary";
    let fields = [
        (":action", "file_upload"),
        ("protocol_version", "1"),
        ("metadata_version", "2.1"),
        ("name", PACKAGE),
        ("version", version),
        ("filetype", "bdist_wheel"),
        ("pyversion", "py3"),
    ];
    let mut body = String::new();
    for (name, value) in fields {
        body += &format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    }
    let file = format!("{PACKAGE}-{version}-py3-none-any.whl");
    body += &format!("--{boundary}\r\nContent-Disposition: form-data; name=\"content\"; filename=\"{file}\"\r\n");
    body += "Content-Type: application/octet-stream\r\n\r\n";
    let end = format!("\r\n--{boundary}--\r\n");
    let body = [body.as_bytes(), &wheel, end.as_bytes()].concat();
    Ok(Call::upload(Method::POST, format!("{root}/"), &format!("multipart/form-data; boundary={boundary}"), body))
}

fn cargo(root: &str, version: &str) -> Result<Call> {
    let manifest = format!("[package]\nname = \"{PACKAGE}\"\nversion = \"{version}\"\nedition = \"2024\"\n");
    let path = format!("{PACKAGE}-{version}/Cargo.toml");
    let file = archives::tarball(&[(&path, manifest.as_bytes())])?;
    let metadata = json!({
        "name": PACKAGE, "vers": version, "deps": [], "features": {}, "authors": [], "license": "MIT",
        "description": "A package for benchmarks", "keywords": [], "categories": [], "badges": {},
    });
    let metadata = metadata.to_string();
    let body = [&length(metadata.as_bytes())[..], metadata.as_bytes(), &length(&file), &file].concat();
    Ok(Call::upload(Method::PUT, format!("{root}/api/v1/crates/new"), "application/octet-stream", body))
}

fn length(bytes: &[u8]) -> [u8; 4] {
    u32::try_from(bytes.len()).expect("packages of benchmarks are small").to_le_bytes()
}
