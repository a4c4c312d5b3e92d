//! Looks into a tarball.

use serde_json::{Map, Value};

use super::{
    agree,
    manifest::{self, InstallFiles},
    name::NpmName,
};
use crate::readers::{
    Content, Limits,
    tar::{self, Interest},
};

/// The manifest in the top folder, and the files whose presence matters.
const MANIFEST: &str = "package.json";
const GYP: &str = "binding.gyp";
const SHRINKWRAP: &str = "npm-shrinkwrap.json";

/// The facts about a tarball that package documents are built from.
#[derive(Debug, Clone, PartialEq)]
pub struct NpmFacts {
    /// The normalized `package.json`.
    pub manifest: Map<String, Value>,
    /// The number of files.
    pub file_count: u64,
    /// The size of all files.
    pub unpacked_bytes: u64,
}

/// Reads `package.json` of a tarball, which must have this name and this version.
pub fn inspect(
    name: &NpmName,
    version: &semver::Version,
    content: &mut dyn Content,
    limits: &Limits,
) -> Result<NpmFacts, String> {
    let wants = |path: &str| match path {
        GYP | SHRINKWRAP => Interest::Presence,
        _ if path.eq_ignore_ascii_case(MANIFEST) => Interest::Content,
        _ => Interest::Nothing,
    };
    let mut scan = tar::scan(content, limits, &wants)?;
    let bytes = scan.take(MANIFEST).ok_or("the tarball has no package.json in its top folder")?;
    let has = |file: &str| scan.present.iter().any(|present| present == file);
    let files = InstallFiles { has_gyp: has(GYP), has_shrinkwrap: has(SHRINKWRAP) };
    let manifest = manifest::parse(&bytes, files).map_err(|reason| format!("package.json of the tarball: {reason}"))?;
    for (key, expected) in [("name", name.to_string()), ("version", version.to_string())] {
        if manifest.get(key).and_then(Value::as_str) != Some(&expected) {
            return Err(format!("package.json of the tarball has the {key} {} instead of '{expected}'", manifest[key]));
        }
    }
    Ok(NpmFacts { manifest, file_count: scan.file_count, unpacked_bytes: scan.unpacked_bytes })
}

/// Checks the manifest of a publish document against the inspected one, from which package documents are built.
pub fn check_publish(sent: &Map<String, Value>, inspected: &Map<String, Value>) -> Result<(), String> {
    agree::check(sent, inspected)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::readers::samples::{tar_gz, tar_gz_with};

    const JSON: &[u8] = br#"{"name":"@acme/hello","version":"1.0.0","bin":"cli.js"}"#;

    fn look(bytes: Vec<u8>) -> Result<NpmFacts, String> {
        let name = NpmName::parse("@acme/hello").expect("valid");
        inspect(&name, &semver::Version::new(1, 0, 0), &mut Cursor::new(bytes), &Limits::default())
    }

    fn refusal(files: &[(&str, &[u8])]) -> String {
        look(tar_gz(files)).expect_err("a refusal")
    }

    #[test]
    fn the_manifest_is_read_from_any_top_folder() {
        for top in ["package", "hello", "x-1.0"] {
            let manifest = format!("{top}/package.json");
            let inner = format!("{top}/node_modules/a/package.json");
            let gyp = format!("{top}/binding.gyp");
            let facts = look(tar_gz(&[(&manifest, JSON), (&inner, b"no JSON"), (&gyp, b"{}")])).expect("valid");
            assert_eq!((facts.file_count, facts.unpacked_bytes), (3, JSON.len() as u64 + 9));
            assert_eq!(facts.manifest["bin"]["hello"], "cli.js");
            assert_eq!(facts.manifest["hasInstallScript"], true);
        }
    }

    #[test]
    fn another_name_or_version_is_refused() {
        let other = br#"{"name":"hello","version":"1.0.0"}"#;
        let reason = "package.json of the tarball has the name \"hello\" instead of '@acme/hello'";
        assert_eq!(refusal(&[("package/package.json", other)]), reason);
        let newer = br#"{"name":"@acme/hello","version":"1.0.1"}"#;
        let reason = "package.json of the tarball has the version \"1.0.1\" instead of '1.0.0'";
        assert_eq!(refusal(&[("package/package.json", newer)]), reason);
    }

    #[test]
    fn a_tarball_has_one_plain_manifest() {
        let file = ("package/package.json", JSON);
        assert!(refusal(&[file, ("package/./package.json", JSON)]).ends_with("appears in the archive twice"));
        assert!(
            refusal(&[file, ("other/package.json", JSON)]).ends_with("is not in the same top folder as the others")
        );
        assert_eq!(refusal(&[("package/a", b"")]), "the tarball has no package.json in its top folder");
        let link = tar_gz_with(&[], "package/package.json", ::tar::EntryType::Symlink);
        assert!(look(link).expect_err("a link").ends_with("is a symbolic link"));
    }

    #[test]
    fn large_and_damaged_tarballs_are_refused() {
        let large = vec![b' '; 5 * 1024 * 1024];
        let reason = refusal(&[("package/package.json", &large)]);
        assert_eq!(reason, "entry `package/package.json` is larger than 1048576 bytes");
        assert_eq!(look(b"no gzip".to_vec()), Err("it is not a gzip file".to_owned()));
        assert!(
            refusal(&[("package/package.json", b"{")]).starts_with("package.json of the tarball: it is not valid JSON")
        );
    }
}
