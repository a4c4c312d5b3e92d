//! Tests of the requests of Cargo.

use std::collections::BTreeMap;

use operations::format::{Body, NativeChange, NativeMethod, NativeRequest, PackageSummary, Publisher, Question};

use super::*;
use crate::{
    base::BASE,
    native_samples::{request, sent_file, time, with_call},
};

fn get(url: &str) -> Result<NativeRequest, Refusal> {
    request(&Cargo, NativeMethod::Get, url, "").expect("a route")
}

fn answer(url: &str, rows: &Rows) -> String {
    let answer = with_call(&Cargo, NativeMethod::Get, url, "", |call| Cargo.answer(call, rows));
    let answer = answer.flatten().expect("an answer");
    assert_eq!((answer.status, answer.media_type), (200, "application/json"));
    answer.content
}

#[test]
fn the_configuration_depends_on_the_repository() {
    assert_eq!(get("config.json"), Ok(NativeRequest::Ask(Question::Repo)));
    let private = answer("config.json", &Rows::Repo { is_private: true });
    assert!(private.contains("\"auth-required\":true") && private.contains(BASE), "{private}");
    assert!(!answer("config.json", &Rows::Repo { is_private: false }).contains("auth-required"));
}

#[test]
fn crates_and_the_index_are_files() {
    for url in ["crates/a/a-1.0.0.crate", "1/a", "2/ab", "3/a/abc", "ab/cd/abcdef"] {
        assert_eq!(request(&Cargo, NativeMethod::Get, url, ""), None, "{url}");
    }
}

#[test]
fn versions_are_yanked_and_brought_back() {
    let changed = |method, url: &str| request(&Cargo, method, url, "").expect("a route");
    let mark = |text: Option<&str>| {
        let versions = BTreeMap::from([("0.1.0".to_owned(), text.map(str::to_owned))]);
        let package = PackageName::parse("My-Lib").expect("a name");
        Ok(NativeRequest::Change(vec![NativeChange::Mark { package, mark: "yanked", versions }]))
    };
    assert_eq!(changed(NativeMethod::Delete, "api/v1/crates/My-Lib/0.1.0/yank"), mark(Some("")));
    assert_eq!(changed(NativeMethod::Put, "api/v1/crates/My-Lib/0.1.0/unyank"), mark(None));
    for bad in ["api/v1/crates/1/0.1.0/yank", "api/v1/crates/a/x/yank"] {
        assert_eq!(changed(NativeMethod::Delete, bad), Err(Refusal::NotFound), "{bad}");
    }
    let done = with_call(&Cargo, NativeMethod::Put, "api/v1/crates/a/0.1.0/unyank", "", |call| Cargo.done(call));
    assert_eq!(done.expect("a route").content, r#"{"ok":true}"#);
}

#[test]
fn owners_are_those_who_may_publish() {
    let url = "api/v1/crates/hello/owners";
    assert_eq!(get(url), Ok(NativeRequest::Ask(Question::Publishers)));
    let ada = Publisher { id: 1, name: "ada".to_owned(), full_name: Some("Ada".to_owned()) };
    assert_eq!(answer(url, &Rows::Publishers(vec![ada])), r#"{"users":[{"id":1,"login":"ada","name":"Ada"}]}"#);
    let large = Publisher { id: u64::MAX - 7, name: "eve".to_owned(), full_name: None };
    let users: serde_json::Value = serde_json::from_str(&answer(url, &Rows::Publishers(vec![large]))).expect("JSON");
    assert!(users["users"][0]["id"].as_u64().is_some_and(|id| u32::try_from(id).is_ok()), "{users}");
    let refusal = Refusal::Forbidden("owners are managed on the package's page".to_owned());
    for method in [NativeMethod::Put, NativeMethod::Delete] {
        assert_eq!(request(&Cargo, method, url, ""), Some(Err(refusal.clone())));
    }
}

#[test]
fn crates_are_searched() {
    let question =
        |text: &str, offset, limit| Ok(NativeRequest::Ask(Question::Search { text: text.to_owned(), offset, limit }));
    assert_eq!(get("api/v1/crates?q=hello&per_page=5&page=3"), question("hello", 10, 5));
    assert_eq!(get("api/v1/crates"), question("", 0, 10));
    assert_eq!(get("api/v1/crates?q=a&per_page=100000"), question("a", 0, 100));
    let summary = |name: &str, version: Option<&str>| PackageSummary {
        name: name.to_owned(),
        latest_version: version.map(str::to_owned),
        description: None,
        labels: Vec::new(),
        website: None,
        updated: time(),
    };
    let packages = vec![summary("a", Some("1.0.0")), summary("b", None)];
    let found = answer("api/v1/crates?q=a", &Rows::Packages { packages, total: 1, at: time() });
    assert_eq!(found, r#"{"crates":[{"description":null,"max_version":"1.0.0","name":"a"}],"meta":{"total":1}}"#);
}

#[test]
fn a_page_says_where_keys_are() {
    let Ok(NativeRequest::Say(page)) = get("me") else { panic!("a page") };
    assert!(page.content.contains("API key"));
}

const DOCUMENT: &str = r#"{"name":"My-Lib","vers":"0.1.0","deps":[],"features":{},"description":"a library",
    "license":"MIT","homepage":"https://example.org","repository":"https://example.org/git","keywords":["a"]}"#;

fn accept(document: &str, files: usize) -> Result<Accepted, Refusal> {
    let files = vec![sent_file("crate", ""); files];
    let sent = Sent { document: document.as_bytes().to_vec(), files, ..Sent::default() };
    with_call(&Cargo, NativeMethod::Put, PUBLISH, "", |call| Cargo.accept(call, &sent)).expect("a route")
}

#[test]
fn a_publish_has_metadata_and_a_crate() {
    let take = request(&Cargo, NativeMethod::Put, PUBLISH, "");
    assert_eq!(take, Some(Ok(NativeRequest::Take(Body::Framed))));
    let Ok(Accepted::Publish(publish)) = accept(DOCUMENT, 1) else { panic!("a publish") };
    assert_eq!((publish.package.as_str(), publish.version.as_str()), ("My-Lib", "0.1.0"));
    assert_eq!(publish.files[0].path.as_str(), "crates/My-Lib/My-Lib-0.1.0.crate");
    assert_eq!(publish.profile.description.as_deref(), Some("a library"));
    assert_eq!(
        (publish.profile.licenses.as_slice(), publish.profile.labels.as_slice()),
        (&["MIT".to_owned()][..], &["a".to_owned()][..])
    );
    let repeated = Refusal::Conflict("crate version `0.1.0` is already uploaded".to_owned());
    assert_eq!(Cargo.repeated(&publish), Some(repeated.clone()));
    let reason = "The file 'My-Lib-0.1.0.crate' already exists with other content";
    assert_eq!(Cargo.conflict(&publish, reason.to_owned()), repeated);
    for reason in ["'crate my_lib' is taken by 'my_lib'", "Package 'My-Lib' already exists"] {
        let Refusal::Conflict(reason) = Cargo.conflict(&publish, reason.to_owned()) else { panic!("a conflict") };
        assert!(reason.starts_with("crate `My-Lib` differs from an existing one only by"), "{reason}");
    }
    let done = with_call(&Cargo, NativeMethod::Put, PUBLISH, "", |call| Cargo.done(call)).expect("a route");
    assert_eq!(done.content, answers::published());
}

#[test]
fn bad_metadata_is_refused() {
    assert!(matches!(accept(DOCUMENT, 0), Err(Refusal::Invalid(_))));
    assert!(matches!(accept(DOCUMENT, 2), Err(Refusal::Invalid(_))));
    for (from, to) in [
        ("0.1.0", "0.1 .0"),
        ("My-Lib", "1"),
        ("My-Lib", "config.json"),
        ("\"features\":{}", "\"features\":{\"a\\u0007\":[]}"),
        ("\"deps\":[]", "\"deps\":[{\"name\":\"b\",\"version_req\":\"1\",\"registry\":\"javascript:x\"}]"),
    ] {
        assert!(matches!(accept(&DOCUMENT.replace(from, to), 1), Err(Refusal::Invalid(_))), "{to}");
    }
}

#[test]
fn metadata_is_compared_with_the_manifest() {
    let release = publish::parse(DOCUMENT.as_bytes()).expect("valid");
    let about = index::start_of_line(&release);
    assert_eq!(Cargo.check_metadata(DOCUMENT.as_bytes(), about.as_bytes()), Ok(()));
    for (from, to) in [("My-Lib", "Other"), ("0.1.0", "0.1.1"), ("\"features\":{}", "\"features\":{\"a\":[]}")] {
        let other = DOCUMENT.replace(from, to);
        assert!(Cargo.check_metadata(other.as_bytes(), about.as_bytes()).is_err(), "{to}");
    }
    assert!(Cargo.check_metadata(DOCUMENT.as_bytes(), b"damaged").is_err());
}
