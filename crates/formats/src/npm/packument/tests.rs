//! Tests of `packument`.

use super::*;
use crate::npm::{
    inspect::NpmFacts,
    manifest::{self, InstallFiles},
};

fn with_packument(check: impl Fn(&Packument<'_>)) {
    let name = NpmName::parse("@acme/hello").expect("valid");
    let text =
        br#"{"name":"@acme/hello","version":"1.1.0","dependencies":{"left":"^1.0.0"},"description":"says \"hello\"",
        "license":"MIT","scripts":{"test":"x"},"bin":"cli.js"}"#;
    let manifest = manifest::parse(text, InstallFiles::default()).expect("valid");
    let about = NpmFacts { manifest, file_count: 3, unpacked_bytes: 812 }.encode();
    let time = |text: &str| Timestamp::parse(text).expect("a time");
    let version = PackumentVersion {
        version: "1.1.0",
        facts: RenderedFacts::decode(&about).expect("readable"),
        shasum: "aa",
        integrity: Some("sha512-bb=="),
        published: time("2026-11-16T10:05:00Z"),
        deprecated: Some("use 2.x"),
    };
    check(&Packument {
        name: &name,
        revision: 3,
        tags: &[("latest".to_owned(), "1.1.0".to_owned())],
        versions: &[version],
        created: time("2026-11-16T10:00:00Z"),
        modified: time("2026-11-16T10:06:00Z"),
        maintainers: &["ada".to_owned()],
        readme: Some("# Hello \u{2}base\u{2}"),
    });
}

/// Puts the sections into a frame.
fn joined(packument: &Packument<'_>, frame: &str) -> String {
    let sections = (0..).zip(packument.sections()).map(|(number, text)| (number, vec![text])).collect();
    index_frame::join(frame, &sections)
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(&text.replace(BASE, "BASE")).expect("JSON")
}

#[test]
fn the_full_form_has_everything() {
    with_packument(|packument| {
        let expected = json!({
            "_id": "@acme/hello", "_rev": "3-0", "name": "@acme/hello", "dist-tags": { "latest": "1.1.0" },
            "versions": { "1.1.0": {
                "name": "@acme/hello", "version": "1.1.0", "dependencies": { "left": "^1.0.0" },
                "description": "says \"hello\"", "license": "MIT", "scripts": { "test": "x" }, "bin": { "hello": "cli.js" },
                "dist": {
                    "tarball": "BASE/@acme/hello/-/hello-1.1.0.tgz", "shasum": "aa", "integrity": "sha512-bb==",
                    "fileCount": 3, "unpackedSize": 812,
                },
                "_id": "@acme/hello@1.1.0", "deprecated": "use 2.x",
            } },
            "time": {
                "created": "2026-11-16T10:00:00.000Z", "modified": "2026-11-16T10:06:00.000Z",
                "1.1.0": "2026-11-16T10:05:00.000Z",
            },
            "maintainers": [{ "name": "ada" }], "readme": "# Hello base", "description": "says \"hello\"", "license": "MIT",
        });
        let full = joined(packument, &packument.full_frame().expect("readable"));
        assert_eq!(parsed(&full), expected);
        assert!(full.contains("\"tarball\":\"\u{2}base\u{2}/@acme"));
    });
}

#[test]
fn the_abbreviated_form_has_what_installers_need() {
    with_packument(|packument| {
        let document = parsed(&joined(packument, &packument.abbreviated_frame()));
        let keys = |value: &Value| value.as_object().expect("a map").keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(&document), ["dist-tags", "modified", "name", "versions"]);
        let version = &document["versions"]["1.1.0"];
        assert_eq!(keys(version), ["bin", "dependencies", "deprecated", "dist", "name", "version"]);
    });
}

#[test]
fn one_version_is_found_by_name_or_tag() {
    with_packument(|packument| {
        let by_tag = packument.one("latest").expect("a version");
        assert_eq!(packument.one("1.1.0"), Some(by_tag.clone()));
        assert_eq!(parsed(&by_tag)["version"], "1.1.0");
        assert_eq!(packument.one("2.0.0"), None);
        assert_eq!(packument.dist_tags(), r#"{"latest":"1.1.0"}"#);
    });
}

#[test]
fn the_form_follows_the_accept_header() {
    let pnpm = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*";
    assert!(wants_abbreviated(pnpm) && wants_abbreviated(ABBREVIATED_TYPE));
    assert!(!wants_abbreviated("application/json") && !wants_abbreviated("") && !wants_abbreviated("*/*"));
    assert!(!wants_abbreviated("application/json, application/vnd.npm.install-v1+json;q=0.5"));
}
