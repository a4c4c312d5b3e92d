//! The normalized `Cargo.toml` of a `.crate` file.

use std::collections::BTreeMap;

use semver::VersionReq;
use serde::Deserialize;

use super::{
    features::Features,
    release::{CRATES_IO, CrateDependency, CrateProfile, CrateRelease},
};

/// Parses a manifest.
pub(super) fn parse(bytes: &[u8]) -> Result<CrateRelease, String> {
    let text = str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let manifest: Manifest = toml::from_str(text).map_err(|error| error.message().to_owned())?;
    let mut dependencies = Vec::new();
    manifest.tables.collect(None, &mut dependencies)?;
    for (target, tables) in &manifest.target {
        tables.collect(Some(target), &mut dependencies)?;
    }
    let package = manifest.package;
    Ok(CrateRelease {
        name: package.name,
        version: package.version,
        dependencies,
        features: manifest.features,
        links: package.links,
        rust_version: package.rust_version,
        profile: CrateProfile {
            description: package.description,
            license: package.license,
            homepage: package.homepage,
            repository: package.repository,
            documentation: package.documentation,
            keywords: package.keywords,
        },
    })
}

#[derive(Deserialize)]
struct Manifest {
    #[serde(alias = "project")]
    package: Package,
    #[serde(flatten)]
    tables: Tables,
    #[serde(default)]
    target: BTreeMap<String, Tables>,
    #[serde(default)]
    features: Features,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Package {
    name: String,
    version: String,
    links: Option<String>,
    rust_version: Option<String>,
    description: Option<String>,
    license: Option<String>,
    homepage: Option<String>,
    repository: Option<String>,
    documentation: Option<String>,
    #[serde(default)]
    keywords: Vec<String>,
}

#[derive(Deserialize)]
struct Tables {
    #[serde(default)]
    dependencies: BTreeMap<String, Dependency>,
    #[serde(default, rename = "dev-dependencies", alias = "dev_dependencies")]
    dev: BTreeMap<String, Dependency>,
    #[serde(default, rename = "build-dependencies", alias = "build_dependencies")]
    build: BTreeMap<String, Dependency>,
}

impl Tables {
    fn collect(&self, target: Option<&String>, into: &mut Vec<CrateDependency>) -> Result<(), String> {
        for (kind, table) in [("normal", &self.dependencies), ("dev", &self.dev), ("build", &self.build)] {
            for (name, dependency) in table {
                let entry = dependency.entry(name, kind, target);
                into.push(entry.map_err(|reason| format!("dependency '{name}': {reason}"))?);
            }
        }
        Ok(())
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Dependency {
    Version(String),
    Table(DependencyTable),
}

#[derive(Deserialize, Default, Clone)]
#[serde(rename_all = "kebab-case", default)]
struct DependencyTable {
    version: Option<String>,
    features: Vec<String>,
    optional: bool,
    #[serde(alias = "default_features")]
    default_features: Option<bool>,
    package: Option<String>,
    registry_index: Option<String>,
}

impl Dependency {
    fn entry(&self, name: &str, kind: &str, target: Option<&String>) -> Result<CrateDependency, String> {
        let table = match self {
            Dependency::Version(version) => {
                DependencyTable { version: Some(version.clone()), ..DependencyTable::default() }
            }
            Dependency::Table(table) => table.clone(),
        };
        let version = table.version.ok_or("it has no version")?;
        let req = VersionReq::parse(&version).map_err(|error| error.to_string())?;
        Ok(CrateDependency {
            name: name.to_owned(),
            req: req.to_string(),
            features: table.features,
            optional: table.optional,
            default_features: table.default_features.unwrap_or(true),
            target: target.cloned(),
            kind: kind.to_owned(),
            // A manifest names no registry for crates.io; the index names none for its own.
            registry: Some(table.registry_index.unwrap_or_else(|| CRATES_IO.to_owned())),
            package: table.package,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_of_all_tables_are_read() {
        let text = r#"
            [package]
            name = "hello"
            version = "1.0.0"
            rust-version = "1.80"
            edition = "2024"
            [features]
            default = ["a"]
            a = []
            [dependencies]
            semver = "1.0"
            [dependencies.alias]
            version = "2"
            package = "real"
            features = ["x"]
            optional = true
            default-features = false
            registry-index = "sparse+https://example.org/"
            [dev-dependencies]
            proptest = "1"
            [target."cfg(unix)".build-dependencies]
            cc = "=1.2.3"
        "#;
        let release = parse(text.as_bytes()).expect("valid");
        assert_eq!(release.check(), Ok(()));
        let summary: Vec<_> =
            release.dependencies.iter().map(|d| (d.name.as_str(), d.req.as_str(), d.kind.as_str())).collect();
        let expected = [
            ("alias", "^2", "normal"),
            ("semver", "^1.0", "normal"),
            ("proptest", "^1", "dev"),
            ("cc", "=1.2.3", "build"),
        ];
        assert_eq!(summary, expected);
        let alias = &release.dependencies[0];
        assert_eq!((alias.package.as_deref(), alias.default_features, alias.optional), (Some("real"), false, true));
        assert_eq!(alias.registry.as_deref(), Some("sparse+https://example.org/"));
        assert_eq!(release.dependencies[1].registry.as_deref(), Some(CRATES_IO));
        assert_eq!(release.dependencies[3].target.as_deref(), Some("cfg(unix)"));
        assert_eq!(release.features.len(), 2);
    }

    #[test]
    fn other_texts_are_refused() {
        for bad in [
            "",
            "[package]\nname = 1",
            "[package]\nname = \"a\"",
            "no toml",
            "[package]\nname=\"a\"\nversion=\"1.0.0\"\n[dependencies.b]\npath=\"x\"",
        ] {
            assert!(parse(bad.as_bytes()).is_err(), "{bad}");
        }
        assert_eq!(parse(b"\xff"), Err("it is not UTF-8".to_owned()));
    }
}
