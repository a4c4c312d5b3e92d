//! Tests of Go's paths and files.

use std::io::Cursor;

use super::*;
use crate::{native_samples::time, readers::samples};

const ZIP: &str = "example.com/!acme/lib/@v/v1.2.0.zip";

fn path(text: &str) -> FilePath {
    FilePath::parse(text).expect("a path")
}

fn inspect(files: &[(&str, &[u8])]) -> Result<Inspected, String> {
    Go.inspect(&path(ZIP), &mut Cursor::new(samples::zip(files)))
}

#[test]
fn zips_belong_to_the_module_and_version_of_their_path() {
    let Ok(PathKind::Payload(owner)) = Go.classify(&path(ZIP)) else { panic!("a payload") };
    assert_eq!(owner.package.expect("a package").as_str(), "example.com:Acme:lib");
    assert_eq!(owner.version.expect("a version").as_str(), "v1.2.0");
    for ignored in ["a.b/c/@v/list", "a.b/c/@latest", "a.b/c/@v/v1.0.0.info", "a.b/c/@v/v1.0.0.mod"] {
        assert_eq!(Go.classify(&path(ignored)), Ok(PathKind::Index), "{ignored}");
    }
    assert_eq!(Go.classify(&path("sumdb/sum.golang.org/supported")), Ok(PathKind::Reserved));
    for bad in ["lib.zip", "a.b/c/@v/v1.zip", "a.b/c/@v/v2.0.0.zip", "Az.b/@v/v1.0.0.zip", "a.b/c/@v/v1.0.0.ziphash"] {
        assert!(Go.classify(&path(bad)).is_err(), "{bad}");
    }
}

#[test]
fn a_module_is_looked_into() {
    let go_mod: &[u8] = b"module example.com/Acme/lib\n";
    let found = inspect(&[("example.com/Acme/lib@v1.2.0/go.mod", go_mod)]).expect("valid");
    assert_eq!(found.about.as_deref(), Some(go_mod));
    let wrong = inspect(&[("lib-1.2.0/go.mod", go_mod)]).expect_err("a prefix");
    assert!(wrong.contains("does not begin with 'example.com/Acme/lib@v1.2.0/'"), "{wrong}");
    let quoted = inspect(&[("example.com/Acme/lib@v1.2.0/go.mod", b"module \"example.com/\\x41cme/lib\"\n")]);
    assert!(quoted.expect_err("escapes").contains("module line"));
}

#[test]
fn info_and_go_mod_are_parts_of_the_zip() {
    for (part, text) in [
        ("example.com/!acme/lib/@v/v1.2.0.info", r#"{"Time":"2026-11-16T10:00:00Z","Version":"v1.2.0"}"#),
        ("example.com/!acme/lib/@v/v1.2.0.mod", "module example.com/Acme/lib\n"),
    ] {
        assert_eq!(Go.main_file(&path(part)), Some(path(ZIP)), "{part}");
        let made = Go.dated_part_text(&path(part), b"module example.com/Acme/lib\n", time());
        assert_eq!(made.as_deref(), Some(text));
        assert!(!Go.is_counted(&path(part)) && !Go.inspects(&path(part)));
    }
    assert_eq!(Go.main_file(&path(ZIP)), None);
    assert_eq!(Go.main_file(&path("a.b/c/@v/main.info")), None);
    assert!(Go.is_counted(&path(ZIP)) && Go.inspects(&path(ZIP)));
}

#[test]
fn go_expects_these_media_types() {
    for (text, expected) in [
        ("a.b/c/@v/list", "text/plain; charset=utf-8"),
        ("a.b/c/@latest", "application/json"),
        ("a.b/c/@v/v1.0.0.info", "application/json"),
        ("a.b/c/@v/v1.0.0.mod", "text/plain; charset=utf-8"),
        (ZIP, "application/zip"),
    ] {
        assert_eq!(Go.media_type(&path(text)), Some(expected), "{text}");
    }
}

#[test]
fn a_module_has_one_spelling_and_a_version_one_content() {
    let [module, version] = Go.taken_names(&path(ZIP), Digest::from_bytes([7; 32])).try_into().expect("two names");
    assert_eq!((module.key.as_str(), module.holder.as_str()), ("module example.com/acme/lib", "example.com/Acme/lib"));
    assert_eq!((version.key.as_str(), version.holder), ("version example.com/Acme/lib@v1.2.0", "07".repeat(32)));
    assert_eq!(Go.taken_names(&path("a.b/c/@v/list"), Digest::from_bytes([7; 32])), []);
}

#[test]
fn versions_are_ordered_as_go_does() {
    assert_eq!(Go.compare("v1.10.0", "v1.9.0"), Ordering::Greater);
    assert!(Go.is_prerelease("v1.0.0-rc.1") && !Go.is_prerelease("v2.0.0+incompatible"));
}
