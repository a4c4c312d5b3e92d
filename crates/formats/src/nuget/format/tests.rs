use std::io::Cursor;

use super::{
    super::{nuspec::tests::sample, samples::nupkg},
    *,
};
use crate::readers::samples::zip;

const PATH: &str = "flat/acme.hello/1.0.0-rc/acme.hello.1.0.0-rc.nupkg";

fn path(text: &str) -> FilePath {
    FilePath::parse(text).expect("a path")
}

fn inspected(at: &str, content: Vec<u8>) -> Result<Inspected, String> {
    Nuget.inspect(&path(at), &mut Cursor::new(content))
}

#[test]
fn paths_name_packages_and_versions() {
    let Ok(PathKind::Payload(owner)) = Nuget.classify(&path(PATH)) else { panic!("a package") };
    assert_eq!(owner.package.expect("a name").as_str(), "acme.hello");
    assert_eq!(owner.version.expect("a version").as_str(), "1.0.0-rc");
    assert!(matches!(Nuget.classify(&path(&PATH.replace(".nupkg", ".snupkg"))), Ok(PathKind::Payload(_))));
    for reserved in
        ["index.json", "flat/acme.hello/index.json", "registration/x/1.0.0.json", "query", "flat/a/1.0.0/x.zip"]
    {
        assert_eq!(Nuget.classify(&path(reserved)), Ok(PathKind::Reserved), "{reserved}");
    }
    assert!(Nuget.classify(&path("a.nupkg")).is_err());
    assert_eq!(Nuget.taken_names(&path(PATH), Digest::from_bytes([0; 32]))[0].key, "version acme.hello 1.0.0-rc");
}

#[test]
fn the_path_agrees_with_the_nuspec_without_case() {
    for content in [nupkg("Acme.Hello", "1.0-RC"), nupkg("acme.HELLO", "1.0.0.0-rc+build")] {
        assert!(inspected(PATH, content).is_ok());
    }
    for (id, version) in [("Acme.Other", "1.0-RC"), ("Acme.Hello", "1.0.1-RC"), ("Acme.Hello", "1.0.0.0.0")] {
        assert!(inspected(PATH, nupkg(id, version)).is_err(), "{id} {version}");
    }
    assert!(inspected(UNNAMED, nupkg("Acme.Hello", "1.0")).is_ok());
}

#[test]
fn hostile_packages_are_refused() {
    let nuspec = sample("a.b", "1.0", "");
    let dtd = nuspec.replace("<package ", "<!DOCTYPE x [<!ENTITY e \"e\">]><package ");
    let long = sample("a.b", "1.0", &format!("<tags>{}</tags>", "x".repeat(2 << 20)));
    for (what, content) in [
        ("two nuspecs", zip(&[("a.b.nuspec", nuspec.as_bytes()), ("c.nuspec", nuspec.as_bytes())])),
        ("none", zip(&[("lib/a.b.nuspec", nuspec.as_bytes())])),
        ("a DTD", zip(&[("a.b.nuspec", dtd.as_bytes())])),
        ("2 MB", zip(&[("a.b.nuspec", long.as_bytes())])),
        ("another id", zip(&[("c.nuspec", nuspec.as_bytes())])),
        ("a bad version", nupkg("a.b", "1.0.0.0.0")),
        ("a bad id", nupkg("..", "1.0")),
        ("no zip", b"PK\x05\x06".to_vec()),
    ] {
        assert!(inspected(UNNAMED, content).is_err(), "{what}");
    }
    let other = sample("a.b", "1.0", "").replace("2013/05", "2099/05");
    assert!(inspected(UNNAMED, zip(&[("a.b.nuspec", other.as_bytes())])).is_ok(), "any namespace");
    let cycle = sample("a.b", "1.0", "<dependencies><dependency id=\"A.B\" version=\"1.0\"/></dependencies>");
    assert!(inspected(UNNAMED, zip(&[("a.b.nuspec", cycle.as_bytes())])).is_ok(), "a cycle of dependencies");
}

#[test]
fn the_nuspec_is_a_part_of_its_package() {
    let nuspec = path("flat/acme.hello/1.0.0-rc/acme.hello.nuspec");
    assert_eq!(Nuget.main_file(&nuspec), Some(path(PATH)));
    let about = inspected(UNNAMED, nupkg("Acme.Hello", "1.0-RC")).expect("valid").about.expect("facts");
    assert!(Nuget.part_bytes(&nuspec, &about).expect("bytes").starts_with(b"<?xml"));
    assert_eq!(Nuget.media_type(&nuspec), Some("application/xml"));
}
