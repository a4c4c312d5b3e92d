//! Looks into a distribution file and returns its core metadata.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use super::{
    file_name::{Distribution, DistributionName},
    metadata::{self, ProjectFacts},
};
use crate::readers::{
    Content, Limits, quoted,
    tar::{self, Interest},
    zip::Zip,
};

/// The folder of a wheel's metadata ends with this.
const DIST_INFO: &str = ".dist-info";

/// The metadata of a source distribution, in its top folder.
const PKG_INFO: &str = "PKG-INFO";

/// The result of looking into a distribution file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inspected {
    /// The metadata that pages are built from.
    pub facts: ProjectFacts,
    /// METADATA of a wheel, byte for byte.
    pub metadata: Option<Vec<u8>>,
}

/// Reads the metadata of a distribution file, which must agree with the file's name.
pub fn inspect(file: &DistributionName, content: &mut dyn Content, limits: &Limits) -> Result<Inspected, String> {
    match file.kind {
        Distribution::Wheel(_) => inspect_wheel(file, &Zip::open(content, limits)?),
        Distribution::SourceTar => {
            let mut scan = tar::scan(content, limits, &|path| {
                if path == PKG_INFO { Interest::Content } else { Interest::Nothing }
            })?;
            inspect_source(file, scan.take(PKG_INFO))
        }
        Distribution::SourceZip => {
            let zip = Zip::open(content, limits)?;
            let top = single(zip.names().filter_map(|name| name.split('/').next()), "top folder")?;
            inspect_source(file, zip.read(&format!("{top}/{PKG_INFO}"))?)
        }
    }
}

fn inspect_wheel(file: &DistributionName, zip: &Zip<'_>) -> Result<Inspected, String> {
    let tops = zip.names().filter_map(|name| Some(name.split_once('/')?.0));
    let folder = single(tops.filter(|top| top.to_ascii_lowercase().ends_with(DIST_INFO)), "folder *.dist-info")?;
    let (name, version) = folder.strip_suffix(DIST_INFO).and_then(|stem| stem.split_once('-')).unwrap_or_default();
    let disagrees = |reason: String| format!("folder '{}' of the wheel: {reason}", quoted(&folder));
    metadata::check(name, version, file).map_err(disagrees)?;
    let path = format!("{folder}/METADATA");
    let bytes = zip.read(&path)?.ok_or_else(|| format!("the wheel has no file '{}'", quoted(&path)))?;
    let mut facts = ProjectFacts::parse(&bytes, file).map_err(|reason| format!("METADATA of the wheel: {reason}"))?;
    facts.metadata_sha256 = Some(hex(&Sha256::digest(&bytes)));
    Ok(Inspected { facts, metadata: Some(bytes) })
}

fn inspect_source(file: &DistributionName, bytes: Option<Vec<u8>>) -> Result<Inspected, String> {
    let bytes = bytes.ok_or("the source distribution has no PKG-INFO in its top folder")?;
    let facts = ProjectFacts::parse(&bytes, file);
    let facts = facts.map_err(|reason| format!("PKG-INFO of the source distribution: {reason}"))?;
    Ok(Inspected { facts, metadata: None })
}

/// Returns the only one of several names.
fn single<'a>(names: impl Iterator<Item = &'a str>, what: &str) -> Result<String, String> {
    let names: BTreeSet<&str> = names.collect();
    match Vec::from_iter(names)[..] {
        [] => Err(format!("the archive has no {what}")),
        [name] => Ok(name.to_owned()),
        [first, second, ..] => {
            Err(format!("the archive has more than one {what}: '{}' and '{}'", quoted(first), quoted(second)))
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::readers::samples::{tar_gz, tar_gz_with, zip};

    const WHEEL: &str = "hello_pkg-1.0-py3-none-any.whl";
    const METADATA: &[u8] = b"Metadata-Version: 2.1\nName: hello-pkg\nVersion: 1.0\nRequires-Python: >=3.9\n";

    fn look(file_name: &str, bytes: Vec<u8>) -> Result<Inspected, String> {
        let file = DistributionName::parse(file_name).expect("valid");
        inspect(&file, &mut Cursor::new(bytes), &Limits::default())
    }

    fn wheel(files: &[(&str, &[u8])]) -> Result<Inspected, String> {
        look(WHEEL, zip(files))
    }

    #[test]
    fn a_wheel_has_metadata() {
        let files: &[(&str, &[u8])] = &[("hello/__init__.py", b""), ("hello_pkg-1.0.dist-info/METADATA", METADATA)];
        let inspected = wheel(files).expect("valid");
        assert_eq!(inspected.metadata.as_deref(), Some(METADATA));
        assert_eq!(inspected.facts.requires_python.as_deref(), Some(">=3.9"));
        assert_eq!(inspected.facts.metadata_sha256.expect("a digest").len(), 64);
        let other_spelling = wheel(&[("Hello.Pkg-1.0.0.dist-info/METADATA", METADATA)]);
        assert!(other_spelling.is_ok(), "{other_spelling:?}");
    }

    #[test]
    fn a_source_distribution_has_pkg_info_in_its_top_folder() {
        let files: &[(&str, &[u8])] = &[
            ("hello_pkg-1.0/PKG-INFO", METADATA),
            ("hello_pkg-1.0/hello.egg-info/PKG-INFO", b"Name: other\nVersion: 2\n"),
        ];
        let inspected = look("hello_pkg-1.0.tar.gz", tar_gz(files)).expect("valid");
        assert_eq!((inspected.facts.name.as_str(), inspected.metadata), ("hello-pkg", None));
        assert_eq!(inspected.facts.metadata_sha256, None);
        assert_eq!(look("hello_pkg-1.0.zip", zip(files)).expect("valid").facts, inspected.facts);
    }

    #[test]
    fn a_wheel_of_another_project_is_refused() {
        let reason = wheel(&[("other-1.0.dist-info/METADATA", METADATA)]).expect_err("another folder");
        let expected = "folder 'other-1.0.dist-info' of the wheel: it names the project 'other', but the file name says \
            'hello-pkg'";
        assert_eq!(reason, expected);
        let reason = wheel(&[("hello_pkg-1.0.dist-info/METADATA", b"Name: other\nVersion: 1.0\n")]);
        assert!(reason.expect_err("another name").starts_with("METADATA of the wheel: it names the project 'other'"));
    }

    #[test]
    fn a_wheel_has_one_folder_of_metadata() {
        let second = ("x-1.dist-info/METADATA", METADATA);
        let reason = wheel(&[("hello_pkg-1.0.dist-info/METADATA", METADATA), second]).expect_err("two folders");
        assert!(reason.starts_with("the archive has more than one folder *.dist-info"), "{reason}");
        assert!(wheel(&[("hello_pkg-1.0.dist-info/METADATA", METADATA), ("HELLO_PKG-1.0.DIST-INFO/a", b"")]).is_err());
        assert_eq!(wheel(&[("a", b"")]), Err("the archive has no folder *.dist-info".to_owned()));
        let without = wheel(&[("hello_pkg-1.0.dist-info/RECORD", b"")]);
        assert_eq!(without, Err("the wheel has no file 'hello_pkg-1.0.dist-info/METADATA'".to_owned()));
    }

    #[test]
    fn large_or_undecodable_metadata_is_refused() {
        let mut large = METADATA.to_vec();
        large.extend((0..700_000_u32).flat_map(|i| i.wrapping_mul(2_654_435_761).to_be_bytes()).map(|byte| byte | 1));
        let reason = wheel(&[("hello_pkg-1.0.dist-info/METADATA", &large)]).expect_err("too large");
        assert!(reason.ends_with("is larger than 1048576 bytes"), "{reason}");
        let latin = b"Name: hello-pkg\nVersion: 1.0\nSummary: gr\xfcn\n";
        let reason = wheel(&[("hello_pkg-1.0.dist-info/METADATA", latin)]);
        assert_eq!(reason, Err("METADATA of the wheel: it is not UTF-8".to_owned()));
    }

    #[test]
    fn other_archives_are_refused() {
        assert!(look(WHEEL, b"no zip".to_vec()).is_err());
        assert!(look("hello_pkg-1.0.tar.gz", b"no gzip".to_vec()).is_err());
        let without = look("hello_pkg-1.0.tar.gz", tar_gz(&[("hello_pkg-1.0/setup.py", b"")]));
        assert_eq!(without, Err("the source distribution has no PKG-INFO in its top folder".to_owned()));
        let link = tar_gz_with(&[], "hello_pkg-1.0/PKG-INFO", ::tar::EntryType::Symlink);
        assert!(look("hello_pkg-1.0.tar.gz", link).expect_err("a link").ends_with("is a symbolic link"));
        let tops: &[(&str, &[u8])] = &[("a/PKG-INFO", METADATA), ("b/PKG-INFO", METADATA)];
        assert!(look("hello_pkg-1.0.zip", zip(tops)).expect_err("two").contains("more than one top folder"));
    }
}
