//! Compares the metadata of the publish call with the manifest in the `.crate` file. With a
//! difference, the index would list other dependencies than those that are built.

use super::release::{CRATES_IO, CrateDependency, CrateRelease};
use crate::readers::quoted;

/// Checks that the metadata says the same as the manifest.
pub(super) fn check(metadata: &CrateRelease, manifest: &CrateRelease) -> Result<(), String> {
    let differs = |what: &str| Err(format!("the metadata and Cargo.toml of the crate differ in {what}"));
    if metadata.features != manifest.features {
        return differs("their features");
    }
    if metadata.links != manifest.links {
        return differs("'links'");
    }
    if metadata.rust_version.is_some() && metadata.rust_version != manifest.rust_version {
        return differs("'rust_version'");
    }
    let (mut left, mut right) = (comparable(metadata), comparable(manifest));
    left.sort();
    right.sort();
    let different = left.iter().zip(&right).find(|(left, right)| !is_same(left, right));
    match different {
        Some((left, _)) => differs(&format!("dependency '{}'", quoted(&left.name))),
        None if left.len() != right.len() => differs("the number of dependencies"),
        None => Ok(()),
    }
}

/// Normalizes what may be written in several ways.
fn comparable(release: &CrateRelease) -> Vec<CrateDependency> {
    let normal = |dependency: &CrateDependency| {
        let mut dependency = dependency.clone();
        dependency.features.sort();
        dependency.req.retain(|c| !c.is_whitespace());
        dependency.target = dependency.target.map(|target| target.split_whitespace().collect());
        dependency.package = dependency.package.filter(|package| *package != dependency.name);
        dependency
    };
    release.dependencies.iter().map(normal).collect()
}

/// The metadata names no registry if the dependency is in the one that it is published to, whose URL the manifest has.
fn is_same(metadata: &CrateDependency, manifest: &CrateDependency) -> bool {
    let is_same_registry = match &metadata.registry {
        None => manifest.registry.as_deref() != Some(CRATES_IO),
        registry => *registry == manifest.registry,
    };
    is_same_registry
        && CrateDependency { registry: None, ..metadata.clone() }
            == CrateDependency { registry: None, ..manifest.clone() }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{manifest, publish},
        *,
    };

    const MANIFEST: &str = r#"
        [package]
        name = "hello"
        version = "1.0.0"
        [features]
        a = ["dep:b"]
        [dependencies.b]
        version = "1.0, <1.9"
        optional = true
        [target.'cfg(target_os="linux")'.dependencies.c]
        version = "2"
        package = "real"
        features = ["y", "x"]
        registry-index = "sparse+https://example.org/"
    "#;
    const B: &str = r#"{"name":"b","version_req":"^1.0, <1.9","optional":true,"registry":"https://github.com/rust-lang/crates.io-index"}"#;
    const C: &str = r#"{"name":"real","explicit_name_in_toml":"c","version_req":"^2","features":["x","y"],"target":"cfg(target_os = \"linux\")","kind":"normal"}"#;

    fn compare(dependencies: &[&str], features: &str) -> Result<(), String> {
        let text =
            format!(r#"{{"name":"hello","vers":"1.0.0","deps":[{}],"features":{features}}}"#, dependencies.join(","));
        let metadata = publish::parse(text.as_bytes()).expect("valid");
        check(&metadata, &manifest::parse(MANIFEST.as_bytes()).expect("valid"))
    }

    #[test]
    fn equal_releases_pass() {
        assert_eq!(compare(&[C, B], r#"{"a":["dep:b"]}"#), Ok(()));
    }

    #[test]
    fn differences_are_refused() {
        let features = r#"{"a":["dep:b"]}"#;
        assert!(compare(&[C, B], "{}").is_err());
        assert!(compare(&[B], features).is_err());
        assert!(compare(&[C, B, B], features).is_err());
        for (from, to) in
            [("^2", "^3"), ("\"real\"", "\"other\""), ("normal", "dev"), ("linux", "macos"), ("\"x\",", "")]
        {
            let changed = C.replace(from, to);
            let refusal = compare(&[&changed, B], features).expect_err(to);
            assert!(refusal.starts_with("the metadata and Cargo.toml of the crate differ in dependency"), "{refusal}");
        }
        let moved = B.replace("https://github.com/rust-lang/crates.io-index", "https://example.org/index");
        assert!(compare(&[C, &moved], features).is_err());
        assert!(
            compare(&[C, &B.replace(r#","registry":"https://github.com/rust-lang/crates.io-index""#, "")], features)
                .is_err()
        );
    }
}
