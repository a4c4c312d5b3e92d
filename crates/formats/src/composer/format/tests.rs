//! Tests of Composer's paths and files.

use std::io::Cursor;

use super::*;
use crate::readers::samples::zip;

const DIST: &str = "dist/acme/hello/1.1.0.zip";

fn path(text: &str) -> FilePath {
    FilePath::parse(text).expect("a path")
}

fn inspect(at: &str, json: &str) -> Result<Inspected, String> {
    Composer.inspect(&path(at), &mut Cursor::new(zip(&[("composer.json", json.as_bytes())])))
}

#[test]
fn zips_belong_to_the_package_and_version_of_their_path() {
    let Ok(PathKind::Payload(owner)) = Composer.classify(&path(DIST)) else { panic!("a payload") };
    assert_eq!(owner.package.expect("a package").as_str(), "acme:hello");
    assert_eq!(owner.version.expect("a version").as_str(), "1.1.0");
    for text in ["packages.json", "list.json", "search.json", "p2/acme/hello.json", "p2", "upload/x.zip"] {
        assert_eq!(Composer.classify(&path(text)), Ok(PathKind::Reserved), "{text}");
    }
    for bad in ["hello.zip", "dist/hello/1.0.zip", "dist/Acme/hello/1.0.zip", "dist/acme/hello/latest.zip", "p3/x"] {
        assert!(Composer.classify(&path(bad)).is_err(), "{bad}");
    }
}

#[test]
fn a_zip_agrees_with_its_path() {
    assert!(inspect(DIST, r#"{"name":"acme/hello"}"#).expect("valid").about.is_some());
    assert!(inspect(DIST, r#"{"name":"acme/hello","version":"v1.1"}"#).is_ok(), "another spelling");
    for (json, reason) in [
        (r#"{"name":"acme/other"}"#, "the package is 'acme/other', but its path says 'acme/hello'"),
        (r#"{"name":"acme/hello","version":"1.2.0"}"#, "composer.json says '1.2.0'"),
        (r#"{"name":"acme/hello","version":true}"#, "its version is not a text"),
    ] {
        let refusal = inspect(DIST, json).expect_err(reason);
        assert!(refusal.contains(reason), "{refusal}");
    }
    assert_eq!(Composer.inspect(&path("p2/a"), &mut Cursor::new(b"")), Ok(Inspected::default()));
}

#[test]
fn a_release_keeps_its_name_and_its_content() {
    let taken_names = |text: &str| Composer.taken_names(&path(text), Digest::from_bytes([7; 32]));
    let [version, file] = taken_names(DIST).try_into().expect("two names");
    assert_eq!((version.key.as_str(), version.holder.as_str()), ("version acme/hello 1.1.0.0", "1.1.0"));
    assert_eq!((file.key.as_str(), file.holder), ("file dist/acme/hello/1.1.0.zip", "07".repeat(32)));
    let [other, _] = taken_names("dist/acme/hello/v1.1.zip").try_into().expect("two names");
    assert_eq!((other.key, other.holder.as_str()), (version.key, "v1.1"), "the other spelling is refused");
    assert_eq!(taken_names("dist/acme/hello/dev-main.zip").len(), 1, "branches change");
    assert_eq!(taken_names("p2/acme/hello.json"), []);
}

#[test]
fn branches_change_and_releases_do_not() {
    for (text, is_lasting) in [(DIST, true), ("dist/a/b/dev-main.zip", false), ("dist/a/b/1.x-dev.zip", false)] {
        assert_eq!(Composer.is_lasting(&path(text)), is_lasting, "{text}");
        assert!(Composer.is_counted(&path(text)) && Composer.inspects(&path(text)), "{text}");
    }
    assert!(!Composer.is_counted(&path("p2/acme/hello.json")));
}

#[test]
fn versions_are_ordered_as_composer_does() {
    assert_eq!(Composer.compare("1.10.0", "v1.9"), Ordering::Greater);
    assert_eq!(Composer.compare("dev-feature:x", "0.1"), Ordering::Less);
    assert!(Composer.is_prerelease("1.0-beta2") && Composer.is_prerelease("dev-a:b") && !Composer.is_prerelease("1.0"));
}
