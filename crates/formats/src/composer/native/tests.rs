//! Tests of the requests of Composer.

use std::io::Cursor;

use operations::format::{Body, Format, Inspected, NativeMethod, NativeRequest, Question};

use super::*;
use crate::{
    base::BASE,
    native_samples::{request, sent_file, time, with_call},
    readers::samples::zip,
};

fn inspect(content: &[u8]) -> Result<Inspected, String> {
    Composer.inspect(&FilePath::parse(UPLOADED).expect("a path"), &mut Cursor::new(content.to_vec()))
}

fn accept(url: &str, json: &str) -> Result<Accepted, Refusal> {
    let about = inspect(&zip(&[("composer.json", json.as_bytes())])).map_err(Refusal::Invalid)?.about;
    let sent = Sent { files: vec![SentFile { about, ..sent_file("file", "") }], ..Sent::default() };
    with_call(&Composer, NativeMethod::Put, url, "", |call| Composer.accept(call, &sent)).expect("a route")
}

fn published(url: &str, json: &str) -> NativePublish {
    let Ok(Accepted::Publish(publish)) = accept(url, json) else { panic!("a publish") };
    *publish
}

fn answer(url: &str, names: &[&str]) -> Value {
    let packages: Vec<PackageSummary> = names.iter().map(|name| summary(name)).collect();
    let rows = Rows::Packages { total: packages.len() as u64, packages, at: time() };
    let answer = with_call(&Composer, NativeMethod::Get, url, "", |call| Composer.answer(call, &rows));
    let answer = answer.flatten().expect("an answer");
    assert_eq!((answer.status, answer.media_type), (200, "application/json"));
    serde_json::from_str(&answer.content.replace(BASE, "BASE")).expect("JSON")
}

fn summary(name: &str) -> PackageSummary {
    PackageSummary {
        name: name.to_owned(),
        latest_version: Some("1.0".to_owned()),
        description: Some("a library".to_owned()),
        labels: Vec::new(),
        website: None,
        updated: time(),
    }
}

#[test]
fn an_upload_is_named_by_its_content() {
    let take = request(&Composer, NativeMethod::Put, "upload/any.zip?version=1.0", "");
    assert_eq!(take, Some(Ok(NativeRequest::Take(Body::Raw))));
    let json = r#"{"name":"acme/hello","description":"d","license":["MIT","(Zlib or BSD-3-Clause)"],"keywords":["k"],
        "homepage":"https://example.org","support":{"issues":"https://example.org/i","source":"https://example.org/s"}}"#;
    let publish = published("upload/any.zip?version=1.1.0", json);
    assert_eq!((publish.package.as_str(), publish.version.as_str()), ("acme:hello", "1.1.0"));
    assert_eq!(publish.files[0].path.as_str(), "dist/acme/hello/1.1.0.zip");
    assert_eq!(publish.profile.licenses, ["MIT", "Zlib", "BSD-3-Clause"]);
    assert_eq!(publish.profile.vcs.as_deref(), Some("https://example.org/s"));
    assert_eq!((publish.profile.labels, publish.profile.description.as_deref()), (vec!["k".to_owned()], Some("d")));
    let done = with_call(&Composer, NativeMethod::Put, "upload/any.zip", "", |call| Composer.done(call));
    assert_eq!(done.expect("a route").status, 201);
}

#[test]
fn bad_uploads_are_refused() {
    for (url, json, reason) in [
        ("upload/a.zip", r#"{"name":"a/b"}"#, "the package has no version"),
        ("upload/a.zip?version=latest", r#"{"name":"a/b"}"#, "version 'latest' is not valid"),
        ("upload/a.zip?version=1.1", r#"{"name":"a/b","version":"1.0"}"#, "composer.json says '1.0'"),
        ("upload/a.zip?version=1.0", r#"{"name":"../x/y"}"#, "package name '../x/y' is not valid"),
        ("upload/a.zip?version=1.0", r#"{"name":"a/b","name":"c/d"}"#, "appears twice"),
        ("upload/a.zip", r#"{"name":"a/b","version":true}"#, "its version is not a text"),
        ("upload/a.zip?version=1.0", "\u{feff}{}", "byte order mark"),
    ] {
        let Err(Refusal::Invalid(refusal)) = accept(url, json) else { panic!("{url} {json}") };
        assert!(refusal.contains(reason), "{refusal}");
    }
    assert!(inspect(b"no zip").is_err());
    let nothing =
        with_call(&Composer, NativeMethod::Put, "upload/a.zip", "", |call| Composer.accept(call, &Sent::default()));
    assert!(matches!(nothing, Some(Err(Refusal::Invalid(_)))));
}

#[test]
fn only_branches_are_replaced() {
    let replaces =
        |version: &str| Composer.replaces(&published(&format!("upload/a.zip?version={version}"), r#"{"name":"a/b"}"#));
    assert!(replaces("dev-main") && replaces("dev-feature/x") && replaces("1.x-dev"));
    assert!(!replaces("1.0") && !replaces("1.0-beta1"));
    let publish = published("upload/a.zip?version=1.0", r#"{"name":"a/b"}"#);
    assert!(matches!(Composer.conflict(&publish, String::new()), Refusal::Conflict(_)));
}

#[test]
fn documents_name_the_packages_of_the_reader() {
    let packages = ["acme:hello", "other:lib", "Not-Composer"];
    assert_eq!(request(&Composer, NativeMethod::Get, ROOT, ""), Some(Ok(NativeRequest::Ask(Question::Packages))));
    let root = answer(ROOT, &packages);
    assert_eq!(root["available-packages"], serde_json::json!(["acme/hello", "other/lib"]));
    assert_eq!(root["metadata-url"], "BASE/p2/%package%.json");
    assert_eq!(answer(LIST, &packages)["packageNames"].as_array().map(Vec::len), Some(2));
    assert_eq!(answer("list.json?filter=acme/*", &packages)["packageNames"], serde_json::json!(["acme/hello"]));
    assert_eq!(answer("list.json?vendor=other&filter=l*", &packages)["packageNames"][0], "other/lib");
}

#[test]
fn packages_are_searched() {
    let question =
        |text: &str, offset, limit| Some(Ok(NativeRequest::Ask(Question::Search { text: text.into(), offset, limit })));
    let search = |url: &str| request(&Composer, NativeMethod::Get, url, "");
    assert_eq!(search("search.json?q=acme/hel&type=library"), question("acme:hel", 0, 15));
    assert_eq!(search("search.json?page=3&per_page=5"), question("", 10, 5));
    let found = answer("search.json?q=hello", &["acme:hello"]);
    assert_eq!(found["results"][0], serde_json::json!({ "name": "acme/hello", "description": "a library" }));
    assert_eq!(found["total"], 1);
}
