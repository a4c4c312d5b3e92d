//! Tests of package documents as indexes.

use model::names::{PackageName, VersionName};
use serde_json::{Value, json};

use super::*;
use crate::{
    base::BASE,
    native_samples::{mark, package, version as sample_version},
    readers::samples::tar_gz,
};

pub(in crate::npm) fn view(versions: &[&str]) -> PackageView {
    let mut view = package("@acme:hello");
    let versions = versions.iter().map(|version| {
        let json = json!({ "name": "@acme/hello", "version": version, "description": "says hello" });
        let tarball = tar_gz(&[("package/package.json", json.to_string().as_bytes())]);
        sample_version(&Npm, version, &format!("@acme/hello/-/hello-{version}.tgz"), &tarball)
    });
    view.versions = versions.collect();
    view
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(&text.replace(BASE, "BASE")).expect("JSON")
}

#[test]
fn a_package_has_two_documents() {
    let mut view = view(&["1.0.0", "1.1.0-rc.1"]);
    view.versions[0].marks = vec![mark("deprecated", "use 2.x")];
    let [full, abbreviated] = Npm.build(&view).expect("documents").try_into().expect("two");
    assert_eq!(full.path.as_str(), "-/full/@acme/hello");
    assert_eq!(abbreviated.path.as_str(), "-/abbreviated/@acme/hello");
    for text in [&full.content, &abbreviated.content] {
        let document = parsed(text);
        assert_eq!(document["dist-tags"], json!({ "latest": "1.0.0" }), "a release comes before a pre-release");
        let version = &document["versions"]["1.0.0"];
        assert_eq!(version["deprecated"], "use 2.x");
        let integrity = format!("sha512-{}==", "A".repeat(86));
        assert_eq!(
            (&version["dist"]["shasum"], &version["dist"]["integrity"]),
            (&json!("cd".repeat(20)), &json!(integrity))
        );
        assert_eq!(version["dist"]["tarball"], "BASE/@acme/hello/-/hello-1.0.0.tgz");
        assert_eq!(document["versions"]["1.1.0-rc.1"].get("deprecated"), None);
    }
    assert_eq!(parsed(&full.content)["description"], "says hello");
    assert_eq!(parsed(&full.content)["maintainers"], json!([{ "name": "acme" }]));
}

#[test]
fn tags_come_from_rows() {
    let mut view = view(&["1.0.0", "2.0.0"]);
    let version = |name: &str| VersionName::parse(name).expect("a version");
    view.tags = vec![("next".to_owned(), version("2.0.0"))];
    let tag = |tag: &str, version: &str| (tag.to_owned(), version.to_owned());
    assert_eq!(tags(&view), [tag("next", "2.0.0"), tag("latest", "2.0.0")]);
    view.tags.insert(0, ("latest".to_owned(), version("1.0.0")));
    assert_eq!(tags(&view), [tag("latest", "1.0.0"), tag("next", "2.0.0")]);
}

#[test]
fn other_packages_have_no_documents() {
    assert_eq!(Npm.build(&view(&[])), Ok(Vec::new()));
    let mut other = view(&["1.0.0"]);
    other.name = PackageName::parse("No Package").expect("a name");
    assert_eq!(Npm.build(&other), Ok(Vec::new()));
    let mut damaged = view(&["1.0.0"]);
    damaged.versions[0].files[0].about = Some(b"x".to_vec());
    assert_eq!(Npm.build(&damaged), Err("the stored facts are damaged".to_owned()));
    damaged.versions[0].files[0].about = None;
    assert_eq!(Npm.build(&damaged), Ok(Vec::new()));
}
