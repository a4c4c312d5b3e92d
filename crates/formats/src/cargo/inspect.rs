//! Looks into a `.crate` file.

use std::collections::BTreeSet;

use semver::Version;

use super::{
    agree, manifest,
    name::CrateName,
    release::{CRATES_IO, CrateRelease},
};
use crate::readers::{
    Content, Limits, quoted,
    tar::{self, Interest},
};

/// The manifest in the top folder.
const MANIFEST: &str = "Cargo.toml";

/// Reads the manifest of a `.crate` file, which must have this name and this version.
pub fn inspect(
    name: &CrateName,
    version: &Version,
    content: &mut dyn Content,
    limits: &Limits,
) -> Result<CrateRelease, String> {
    let wants = |path: &str| if path.eq_ignore_ascii_case(MANIFEST) { Interest::Content } else { Interest::Nothing };
    let mut scan = tar::scan(content, limits, &wants)?;
    let folder = format!("{name}-{version}");
    if scan.top != folder {
        return Err(format!("the top folder of the crate is '{}', but it must be '{folder}'", quoted(&scan.top)));
    }
    let bytes = scan.take(MANIFEST).ok_or("the crate has no Cargo.toml in its top folder")?;
    let release =
        manifest::parse(&bytes).map_err(|reason| format!("Cargo.toml of the crate is not valid: {reason}"))?;
    if release.name != name.as_str() {
        return Err(format!("Cargo.toml of the crate has the name '{}' instead of '{name}'", quoted(&release.name)));
    }
    if release.version != version.to_string() {
        return Err(format!(
            "Cargo.toml of the crate has version '{}' instead of '{version}'",
            quoted(&release.version)
        ));
    }
    release.check()?;
    Ok(release)
}

/// Checks the metadata of a publish call against the inspected manifest. The index is then built from the metadata.
pub fn check_publish(metadata: &CrateRelease, inspected: &CrateRelease) -> Result<(), String> {
    if (&metadata.name, &metadata.version) != (&inspected.name, &inspected.version) {
        return Err(format!(
            "the metadata is of '{}' {}, but the crate is '{}' {}",
            metadata.name, metadata.version, inspected.name, inspected.version
        ));
    }
    agree::check(metadata, inspected)
}

/// The URL of the registry's own index as the publisher knows it: a manifest names it, and the metadata does not.
pub fn own_registry(metadata: &CrateRelease, inspected: &CrateRelease) -> Option<String> {
    let named = |release: &CrateRelease| -> BTreeSet<String> {
        release.dependencies.iter().filter_map(|dependency| dependency.registry.clone()).collect()
    };
    let mut own = named(inspected);
    own.remove(CRATES_IO);
    let others = named(metadata);
    own.retain(|url| !others.contains(url));
    own.pop_first().filter(|_| own.is_empty())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::{
        cargo::release::CrateDependency,
        readers::samples::{tar_gz, tar_gz_with},
    };

    const TOML: &[u8] = b"[package]\nname = \"hello\"\nversion = \"1.0.0\"\n";

    fn look(bytes: Vec<u8>) -> Result<CrateRelease, String> {
        let name = CrateName::parse("hello").expect("valid");
        inspect(&name, &Version::new(1, 0, 0), &mut Cursor::new(bytes), &Limits::default())
    }

    fn refusal(files: &[(&str, &[u8])]) -> String {
        look(tar_gz(files)).expect_err("a refusal")
    }

    #[test]
    fn the_manifest_is_read() {
        let files: &[(&str, &[u8])] = &[
            ("hello-1.0.0/src/lib.rs", b""),
            ("hello-1.0.0/Cargo.toml", TOML),
            ("hello-1.0.0/inner/Cargo.toml", b"no manifest"),
        ];
        let release = look(tar_gz(files)).expect("valid");
        assert_eq!((release.name.as_str(), release.version.as_str()), ("hello", "1.0.0"));
        assert_eq!(check_publish(&release, &release), Ok(()));
        let other = CrateRelease { version: "1.0.1".to_owned(), ..release.clone() };
        let reason = "the metadata is of 'hello' 1.0.1, but the crate is 'hello' 1.0.0";
        assert_eq!(check_publish(&other, &release), Err(reason.to_owned()));
    }

    #[test]
    fn the_own_registry_is_the_one_that_only_the_manifest_names() {
        let release = |registries: &[Option<&str>]| {
            let dependencies = registries.iter().map(|registry| CrateDependency {
                name: "a".to_owned(),
                req: "1".to_owned(),
                features: Vec::new(),
                optional: false,
                default_features: true,
                target: None,
                kind: "normal".to_owned(),
                registry: registry.map(str::to_owned),
                package: None,
            });
            CrateRelease { dependencies: dependencies.collect(), ..CrateRelease::default() }
        };
        let (own, other) = (Some("sparse+https://a.example/"), Some("sparse+https://b.example/"));
        let sent = release(&[None, other, Some(CRATES_IO)]);
        assert_eq!(own_registry(&sent, &release(&[own, other, Some(CRATES_IO)])).as_deref(), own);
        assert_eq!(own_registry(&release(&[other]), &release(&[other])), None);
        assert_eq!(own_registry(&release(&[None, None]), &release(&[own, other])), None);
    }

    #[test]
    fn another_name_or_version_is_refused() {
        let reason = "the top folder of the crate is 'other-1.0.0', but it must be 'hello-1.0.0'";
        assert_eq!(refusal(&[("other-1.0.0/Cargo.toml", TOML)]), reason);
        let other = b"[package]\nname = \"other\"\nversion = \"1.0.0\"\n";
        let reason = "Cargo.toml of the crate has the name 'other' instead of 'hello'";
        assert_eq!(refusal(&[("hello-1.0.0/Cargo.toml", other)]), reason);
        let newer = b"[package]\nname = \"hello\"\nversion = \"1.0.1\"\n";
        let reason = "Cargo.toml of the crate has version '1.0.1' instead of '1.0.0'";
        assert_eq!(refusal(&[("hello-1.0.0/Cargo.toml", newer)]), reason);
    }

    #[test]
    fn a_crate_has_one_plain_manifest() {
        assert_eq!(refusal(&[("hello-1.0.0/a", b"")]), "the crate has no Cargo.toml in its top folder");
        let file = ("hello-1.0.0/Cargo.toml", TOML);
        assert_eq!(refusal(&[file, file]), "entry `hello-1.0.0/Cargo.toml` appears in the archive twice");
        assert!(refusal(&[file, ("hello-1.0.0/cargo.toml", TOML)]).ends_with("appears in the archive twice"));
        let link = tar_gz_with(&[], "hello-1.0.0/Cargo.toml", ::tar::EntryType::Symlink);
        assert_eq!(look(link), Err("entry `hello-1.0.0/Cargo.toml` is a symbolic link".to_owned()));
    }

    #[test]
    fn a_bomb_before_the_manifest_is_refused() {
        let zeros = vec![0; 8 * 1024 * 1024];
        let refusal = refusal(&[("hello-1.0.0/zeros", &zeros), ("hello-1.0.0/Cargo.toml", TOML)]);
        assert_eq!(refusal, "the archive unpacks to more than 200 times its size");
        let large = [TOML, &vec![b'#'; 1024 * 1024]].concat();
        assert!(look(tar_gz(&[("hello-1.0.0/Cargo.toml", &large)])).expect_err("large").contains("is larger than"));
    }
}
