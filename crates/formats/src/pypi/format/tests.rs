//! Tests of PyPI's paths, files and pages.

use std::io::Cursor;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::{
    native_samples::{mark, package, version},
    readers::samples::{tar_gz, zip},
};

const WHEEL: &str = "packages/hello-pkg/1.0/hello_pkg-1.0-py3-none-any.whl";
const SOURCE: &str = "packages/hello-pkg/1.1/hello_pkg-1.1.tar.gz";

fn path(text: &str) -> FilePath {
    FilePath::parse(text).expect("a path")
}

fn metadata(version: &str) -> String {
    format!("Metadata-Version: 2.1\nName: Hello.Pkg\nVersion: {version}\nRequires-Python: >=3.9\n")
}

fn wheel() -> Vec<u8> {
    zip(&[("hello.py", b""), ("hello_pkg-1.0.dist-info/METADATA", metadata("1.0").as_bytes())])
}

fn source() -> Vec<u8> {
    tar_gz(&[("hello_pkg-1.1/PKG-INFO", metadata("1.1").as_bytes())])
}

#[test]
fn files_belong_to_the_project_and_version_of_their_path() {
    for (text, version) in [(WHEEL, "1.0"), (SOURCE, "1.1"), (&format!("{SOURCE}.asc"), "1.1")] {
        let Ok(PathKind::Payload(owner)) = Pypi.classify(&path(text)) else { panic!("{text} is a payload") };
        assert_eq!(owner.package.expect("a package").as_str(), "hello-pkg", "{text}");
        assert_eq!(owner.version.expect("a version").as_str(), version, "{text}");
    }
    for text in ["simple", "simple/a", "simple/hello-pkg/index.html", "simple/a/b/c", &format!("{WHEEL}.metadata")] {
        assert_eq!(Pypi.classify(&path(text)), Ok(PathKind::Reserved), "{text}");
    }
}

#[test]
fn other_paths_are_refused() {
    for bad in [
        "hello_pkg-1.0.tar.gz",
        "packages/simple/1.0/simple-1.0.tar.gz",
        "packages/hello-pkg/1.0/hello_pkg-1.0.exe",
        "packages/hello-pkg/1.0/hello_pkg-1.0-py3.9.egg",
        "packages/hello-pkg/1.0/hello_pkg-1.1.tar.gz",
        "packages/hello-pkg/1.0/a%2Fhello_pkg-1.0.tar.gz",
        "packages/Hello_Pkg/1.0/hello_pkg-1.0.tar.gz",
        &format!("{SOURCE}.metadata"),
    ] {
        assert!(Pypi.classify(&path(bad)).is_err(), "{bad}");
    }
}

#[test]
fn the_metadata_of_a_wheel_is_a_part_of_it() {
    let part = path(&format!("{WHEEL}.metadata"));
    assert_eq!(Pypi.main_file(&part), Some(path(WHEEL)));
    let about = Pypi.inspect(&path(WHEEL), &mut Cursor::new(wheel())).expect("valid").about.expect("METADATA");
    assert_eq!(Pypi.part_text(&part, &about), Some(metadata("1.0")));
    assert_eq!(Pypi.main_file(&path(&format!("{SOURCE}.metadata"))), None);
    assert_eq!(Pypi.part_text(&path(WHEEL), &about), None);
    assert_eq!(Pypi.media_type(&part), Some("text/plain; charset=utf-8"));
}

#[test]
fn only_distributions_count_and_are_looked_into() {
    for (text, expected) in [(WHEEL, true), (SOURCE, true), (&format!("{SOURCE}.asc"), false), ("simple/a", false)] {
        assert_eq!((Pypi.is_counted(&path(text)), Pypi.inspects(&path(text))), (expected, expected), "{text}");
    }
    let signature = Pypi.inspect(&path(&format!("{SOURCE}.asc")), &mut Cursor::new(b"x"));
    assert_eq!(signature, Ok(Inspected::default()));
    assert_eq!(Pypi.media_type(&path(SOURCE)), Some("application/octet-stream"));
    let json = Pypi.media_type(&path("simple/a/index.json"));
    assert_eq!(json, Some("application/vnd.pypi.simple.v1+json"));
}

#[test]
fn bad_files_are_refused() {
    let refusal = |content: Vec<u8>| Pypi.inspect(&path(WHEEL), &mut Cursor::new(content)).expect_err("a refusal");
    let metadata = metadata("1.0");
    let other: &[(&str, &[u8])] = &[("other-1.0.dist-info/METADATA", metadata.as_bytes())];
    assert!(refusal(zip(other)).contains("names the project 'other'"));
    let two: &[(&str, &[u8])] = &[("hello_pkg-1.0.dist-info/METADATA", b""), ("x-1.dist-info/METADATA", b"")];
    assert!(refusal(zip(two)).contains("more than one folder *.dist-info"));
    let folded: &[(&str, &[u8])] = &[("hello_pkg-1.0.dist-info/METADATA", b"Name: x\n Evil\nVersion: 1\n")];
    assert!(refusal(zip(folded)).starts_with("METADATA of the wheel"));
    let mut lying = wheel();
    let local = lying.windows(8).position(|bytes| bytes == b"hello.py").expect("a local header");
    lying[local] = b'j';
    let lying = refusal(lying);
    assert!(lying.contains("hello.py"), "the directory and the local header disagree: {lying}");
    assert!(refusal(b"no zip".to_vec()).contains("archive"));
}

#[test]
fn a_file_name_stays_with_its_content() {
    let taken_names = Pypi.taken_names(&path(WHEEL), Digest::from_bytes([7; 32]));
    assert_eq!(taken_names[0].key, "file hello_pkg-1.0-py3-none-any.whl");
    assert_eq!((taken_names[0].holder.as_str(), taken_names[0].is_lasting), ("07".repeat(32).as_str(), true));
    let version = |text: &str| Pypi.taken_names(&path(text), Digest::from_bytes([7; 32])).pop().expect("a name");
    let [long, short] = ["1.0.0", "1.0"].map(|text| version(&format!("packages/a/{text}/a-{text}.tar.gz")));
    assert_eq!((&long.key, long.holder.as_str()), (&short.key, "1.0.0"));
    assert_eq!(short.holder, "1.0");
    assert_eq!(Pypi.taken_names(&path(&format!("{SOURCE}.asc")), Digest::from_bytes([7; 32])), []);
}

#[test]
fn versions_are_ordered_by_pep_440() {
    assert_eq!(Pypi.compare("1.10", "1.9"), Ordering::Greater);
    assert!(Pypi.is_prerelease("1.0rc1") && Pypi.is_prerelease("1.0.dev1") && !Pypi.is_prerelease("1.0.post1"));
}

#[test]
fn a_project_has_two_pages() {
    let mut view = package("hello-pkg");
    assert_eq!(Pypi.build(&view), Ok(Vec::new()));
    view.versions = vec![version(&Pypi, "1.1", SOURCE, &source()), version(&Pypi, "1.0", WHEEL, &wheel())];
    view.versions[0].marks = vec![mark("yanked", "broken")];
    let [json, html] = Pypi.build(&view).expect("pages").try_into().expect("two pages");
    assert_eq!(
        (json.path.as_str(), html.path.as_str()),
        ("simple/hello-pkg/index.json", "simple/hello-pkg/index.html")
    );
    let page: Value = serde_json::from_str(&json.content).expect("JSON");
    assert_eq!(page["versions"], json!(["1.0", "1.1"]));
    let [wheel, source] = &page["files"].as_array().expect("files")[..] else { panic!("two files") };
    assert_eq!((&wheel["requires-python"], &wheel["yanked"]), (&json!(">=3.9"), &json!(false)));
    assert_eq!(wheel["core-metadata"], wheel["dist-info-metadata"]);
    assert_eq!(wheel["core-metadata"]["sha256"].as_str().map(str::len), Some(64));
    assert_eq!((&source["yanked"], source.get("core-metadata")), (&json!("broken"), None));
    assert_eq!(source["hashes"]["sha256"], "ab".repeat(32));
    assert!(
        html.content.contains("data-yanked=\"broken\"") && html.content.contains("data-requires-python=\"&gt;=3.9\"")
    );
    view.name = PackageName::parse("no project").expect("a name");
    assert_eq!(Pypi.build(&view), Ok(Vec::new()));
}

proptest! {
    #[test]
    fn any_path_has_a_kind_or_a_reason(text in "(simple|packages)?(/[a-z0-9._+-]{1,9}){0,3}/a-1[a-z0-9.-]{0,9}") {
        if let Ok(path) = FilePath::parse(&text) {
            let kind = Pypi.classify(&path);
            prop_assert_eq!(Pypi.inspects(&path), distribution(&path).is_some());
            if distribution(&path).is_some() {
                prop_assert!(matches!(kind, Ok(PathKind::Payload(_))));
            }
        }
    }
}
