//! Tests of npm's paths and files.

use std::io::Cursor;

use proptest::prelude::*;

use super::*;
use crate::{npm::rendered::RenderedFacts, readers::samples::tar_gz};

const TARBALL: &str = "@acme/hello/-/hello-1.0.0.tgz";

fn path(text: &str) -> FilePath {
    FilePath::parse(text).expect("a path")
}

fn inspect(content: Vec<u8>) -> Result<Inspected, String> {
    Npm.inspect(&path(TARBALL), &mut Cursor::new(content))
}

#[test]
fn tarballs_belong_to_the_package_and_version_of_their_path() {
    let Ok(PathKind::Payload(owner)) = Npm.classify(&path(TARBALL)) else { panic!("a payload") };
    assert_eq!(owner.package.expect("a package").as_str(), "@acme:hello");
    assert_eq!(owner.version.expect("a version").as_str(), "1.0.0");
    for text in ["-", "-/full/hello", "-/abbreviated/@acme/hello", "-/whoami", "-/package/a/dist-tags"] {
        assert_eq!(Npm.classify(&path(text)), Ok(PathKind::Reserved), "{text}");
    }
    for bad in ["hello", "@acme/hello", "hello/-/other-1.0.0.tgz", "Hello/-/Hello-1.0.0.tgz", "hello/-/hello-1.tgz"] {
        assert!(Npm.classify(&path(bad)).is_err(), "{bad}");
    }
}

#[test]
fn tarballs_count_and_are_looked_into() {
    for (text, expected) in [(TARBALL, true), ("-/full/hello", false)] {
        assert_eq!((Npm.is_counted(&path(text)), Npm.inspects(&path(text))), (expected, expected), "{text}");
    }
    assert!(Npm.needs_sha512());
    assert_eq!(Npm.media_type(&path(TARBALL)), Some("application/octet-stream"));
    assert_eq!(Npm.media_type(&path("-/full/hello")), Some("application/json"));
    assert_eq!(Npm.media_type(&path("-/abbreviated/hello")), Some(ABBREVIATED_TYPE));
}

#[test]
fn a_tarball_is_looked_into() {
    let json = br#"{"name":"@acme/hello","version":"1.0.0","bin":"cli.js"}"#;
    let about = inspect(tar_gz(&[("package/package.json", json)])).expect("valid").about.expect("facts");
    let facts = RenderedFacts::decode(&about).expect("readable");
    assert_eq!((facts.file_count, facts.unpacked_bytes), (1, json.len() as u64));
    assert_eq!(facts.manifest().expect("JSON")["bin"]["hello"], "cli.js");
    assert_eq!(Npm.inspect(&path("-/a"), &mut Cursor::new(b"")), Ok(Inspected::default()));
}

#[test]
fn bad_tarballs_are_refused() {
    assert_eq!(inspect(b"no gzip".to_vec()), Err("it is not a gzip file".to_owned()));
    let large = vec![b' '; 5 * 1024 * 1024];
    assert!(inspect(tar_gz(&[("package/package.json", &large)])).expect_err("large").contains("is larger than"));
    let other = br#"{"name":"hello","version":"1.0.0"}"#;
    assert!(inspect(tar_gz(&[("package/package.json", other)])).expect_err("a name").contains("has the name"));
    let deep = format!(r#"{{"name":"@acme/hello","version":"1.0.0","x":{}{}}}"#, "[".repeat(1_000), "]".repeat(1_000));
    let deep = inspect(tar_gz(&[("package/package.json", deep.as_bytes())])).expect_err("deep");
    assert!(deep.contains("nested more than 64 levels deep"), "{deep}");
}

#[test]
fn a_version_is_published_once() {
    let taken_names = |text: &str| Npm.taken_names(&path(text), Digest::from_bytes([7; 32]));
    let [version] = taken_names(TARBALL).try_into().expect("one name");
    assert_eq!((version.key.as_str(), version.is_lasting), ("version @acme:hello 1.0.0", false));
    let [other] = taken_names("@acme/hello/-/hello-1.0.0+b.tgz").try_into().expect("one name");
    assert_eq!((other.key, other.holder.as_str()), (version.key, "1.0.0+b"));
    assert_eq!(taken_names("-/a"), []);
}

#[test]
fn versions_are_ordered_by_precedence() {
    assert_eq!(Npm.compare("1.10.0", "1.9.0"), Ordering::Greater);
    assert!(Npm.is_prerelease("1.0.0-rc.1") && !Npm.is_prerelease("1.0.0"));
}

proptest! {
    #[test]
    fn any_path_has_a_kind_or_a_reason(text in "(@?[a-z-]{1,5}/){0,2}(-/)?[a-z]{1,5}(-[0-9.]{1,6}\\.tgz)?") {
        if let Ok(path) = FilePath::parse(&text) {
            prop_assert_eq!(matches!(Npm.classify(&path), Ok(PathKind::Payload(_))), Npm.inspects(&path));
        }
    }
}
