//! Tests of Cargo's paths, files and index.

use std::io::Cursor;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::{
    native_samples::{mark, package, version as sample_version},
    readers::samples::{tar_gz, tar_gz_with},
};

const CRATE: &str = "crates/My-Lib/My-Lib-0.1.0.crate";

fn path(text: &str) -> FilePath {
    FilePath::parse(text).expect("a path")
}

fn manifest(version: &str) -> String {
    format!(
        "[package]\nname = \"My-Lib\"\nversion = \"{version}\"\n[dependencies]\nserde = \"1\"\n[features]\nfull = [\"dep:serde\"]\n"
    )
}

fn archive(version: &str) -> Vec<u8> {
    tar_gz(&[(&format!("My-Lib-{version}/Cargo.toml"), manifest(version).as_bytes())])
}

#[test]
fn crates_belong_to_the_name_and_version_of_their_path() {
    let Ok(PathKind::Payload(owner)) = Cargo.classify(&path(CRATE)) else { panic!("a payload") };
    assert_eq!(owner.package.expect("a package").as_str(), "My-Lib");
    assert_eq!(owner.version.expect("a version").as_str(), "0.1.0");
    for text in ["config.json", "api", "api/v1/crates/new", "me", "1/a", "3/a/abc", "my/-l/my-lib", "my/x", "ab"] {
        assert_eq!(Cargo.classify(&path(text)), Ok(PathKind::Reserved), "{text}");
    }
    for bad in ["crates/1/1-1.0.0.crate", "crates/config.json/config.json-1.0.0.crate", "crates/a/b-1.0.0.crate", "abc"]
    {
        assert!(Cargo.classify(&path(bad)).is_err(), "{bad}");
    }
}

#[test]
fn crates_count_and_are_looked_into() {
    for (text, expected) in [(CRATE, true), ("config.json", false), ("my/-l/my-lib", false)] {
        assert_eq!((Cargo.is_counted(&path(text)), Cargo.inspects(&path(text))), (expected, expected), "{text}");
    }
    assert_eq!(Cargo.media_type(&path(CRATE)), Some("application/gzip"));
    assert_eq!(Cargo.media_type(&path("my/-l/my-lib")), Some("text/plain; charset=utf-8"));
    assert_eq!(Cargo.inspect(&path("1/a"), &mut Cursor::new(b"")), Ok(Inspected::default()));
}

#[test]
fn bad_crates_are_refused() {
    let refusal = |content: Vec<u8>| Cargo.inspect(&path(CRATE), &mut Cursor::new(content)).expect_err("a refusal");
    assert!(refusal(archive("0.2.0")).contains("the top folder of the crate"));
    let toml = manifest("0.1.0");
    let file = ("My-Lib-0.1.0/Cargo.toml", toml.as_bytes());
    assert!(refusal(tar_gz(&[file, file])).contains("twice"));
    let link = tar_gz_with(&[], "My-Lib-0.1.0/Cargo.toml", ::tar::EntryType::Symlink);
    assert!(refusal(link).contains("symbolic link"));
    let zeros = vec![0; 8 * 1024 * 1024];
    assert!(refusal(tar_gz(&[("My-Lib-0.1.0/zeros", &zeros), file])).contains("200 times its size"));
    let other = manifest("0.1.0").replace("My-Lib", "my_lib");
    assert!(refusal(tar_gz(&[("My-Lib-0.1.0/Cargo.toml", other.as_bytes())])).contains("has the name 'my_lib'"));
}

#[test]
fn names_differ_by_more_than_case_and_dashes() {
    let taken_names = |text: &str| Cargo.taken_names(&path(text), Digest::from_bytes([7; 32]));
    let [name, version] = taken_names(CRATE).try_into().expect("two taken_names");
    assert_eq!((name.key.as_str(), name.holder.as_str(), name.is_lasting), ("crate my_lib", "My-Lib", true));
    assert_eq!((version.key.as_str(), version.is_lasting), ("version my_lib 0.1.0", false));
    let [other_name, other_version] =
        taken_names("crates/my_lib/my_lib-0.1.0+b.crate").try_into().expect("two taken_names");
    assert_eq!((other_name.key, other_name.holder.as_str()), (name.key, "my_lib"));
    assert_eq!((other_version.key, other_version.holder.as_str()), (version.key, "0.1.0+b"));
    assert_eq!(taken_names("config.json"), []);
}

#[test]
fn versions_are_ordered_by_precedence() {
    assert_eq!(Cargo.compare("0.10.0", "0.9.0"), Ordering::Greater);
    assert!(Cargo.is_prerelease("1.0.0-rc.1") && !Cargo.is_prerelease("1.0.0+a"));
}

#[test]
fn a_crate_has_one_index_file() {
    let mut view = package("My-Lib");
    assert_eq!(Cargo.build(&view), Ok(Vec::new()));
    let file = |version: &str| format!("crates/My-Lib/My-Lib-{version}.crate");
    view.versions = ["0.2.0", "0.1.0"].map(|name| sample_version(&Cargo, name, &file(name), &archive(name))).to_vec();
    view.versions[1].marks = vec![mark("yanked", "")];
    let [index] = Cargo.build(&view).expect("an index").try_into().expect("one file");
    assert_eq!(index.path.as_str(), "my/-l/my-lib");
    let lines: Vec<Value> = index.content.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [first, second] = &lines[..] else { panic!("two lines") };
    assert_eq!((&first["vers"], &first["yanked"], &first["v"]), (&json!("0.2.0"), &json!(false), &json!(2)));
    assert_eq!((&second["vers"], &second["yanked"]), (&json!("0.1.0"), &json!(true)));
    assert_eq!((&first["cksum"], &first["name"]), (&json!("ab".repeat(32)), &json!("My-Lib")));
    assert_eq!(first["deps"][0]["registry"], "https://github.com/rust-lang/crates.io-index");
    assert!(index.content.ends_with("}\n"));
    view.name = PackageName::parse("no crate").expect("a name");
    assert_eq!(Cargo.build(&view), Ok(Vec::new()));
}

proptest! {
    #[test]
    fn a_crate_is_found_at_its_index_path(name in "[a-zA-Z][a-zA-Z0-9_-]{0,12}", version in "[0-9]\\.[0-9]\\.[0-9](-rc)?") {
        prop_assume!(CrateName::parse(&name).is_ok());
        let toml = format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\n");
        let content = tar_gz(&[(&format!("{name}-{version}/Cargo.toml"), toml.as_bytes())]);
        let path = format!("crates/{name}/{name}-{version}.crate");
        let mut view = package(&name);
        view.versions = vec![sample_version(&Cargo, &version, &path, &content)];
        let index = Cargo.build(&view).expect("an index").pop().expect("one file");
        prop_assert_eq!(Cargo.classify(&index.path), Ok(PathKind::Reserved));
        let line: Value = serde_json::from_str(&index.content).expect("JSON");
        prop_assert_eq!((&line["name"], &line["vers"]), (&json!(name), &json!(version)));
    }
}
