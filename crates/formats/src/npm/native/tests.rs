//! Tests of the documents of npm's clients.

use operations::format::PackageSummary;
use serde_json::{Value, json};

use super::*;
use crate::{
    base::BASE,
    native_samples::{sent_file, time, with_call},
    npm::indexes::tests::view,
};

fn accept(method: NativeMethod, url: &str, sent: &Sent) -> Result<Accepted, Refusal> {
    with_call(&Npm, method, url, "", |call| Npm.accept(call, sent)).expect("a route")
}

fn put(url: &str, document: &Value) -> Result<Accepted, Refusal> {
    let sent = Sent { document: document.to_string().into_bytes(), ..Sent::default() };
    accept(NativeMethod::Put, url, &sent)
}

fn document() -> Value {
    json!({
        "_id": "@acme/hello", "name": "@acme/hello", "dist-tags": { "latest": "1.1.0" },
        "versions": { "1.1.0": {
            "name": "@acme/hello", "version": "1.1.0", "description": "d", "license": "MIT", "keywords": ["k", 1],
            "repository": { "url": "git+https://example.org/a.git" }, "bugs": "https://example.org/bugs",
            "dist": { "shasum": "cd".repeat(20), "integrity": format!("sha512-{}==", "A".repeat(86)) },
        } },
        "_attachments": { "@acme/hello-1.1.0.tgz": { "content_type": "application/octet-stream", "length": 7 } },
    })
}

fn publish(document: &Value, attachments: &[&str]) -> Result<Accepted, Refusal> {
    let files = attachments.iter().map(|name| sent_file(name, "")).collect();
    let sent = Sent { document: document.to_string().into_bytes(), files, ..Sent::default() };
    accept(NativeMethod::Put, "@acme/hello", &sent)
}

fn done(method: NativeMethod, url: &str) -> u16 {
    with_call(&Npm, method, url, "", |call| Npm.done(call)).expect("a route").status
}

#[test]
fn a_document_with_a_tarball_is_a_publish() {
    let Ok(Accepted::Publish(publish)) = publish(&document(), &["@acme/hello-1.1.0.tgz"]) else { panic!("a publish") };
    assert_eq!((publish.package.as_str(), publish.version.as_str()), ("@acme:hello", "1.1.0"));
    assert_eq!((publish.files[0].part, publish.files[0].path.as_str()), (0, "@acme/hello/-/hello-1.1.0.tgz"));
    assert_eq!(publish.tags, ["latest"]);
    assert_eq!(publish.profile.vcs.as_deref(), Some("https://example.org/a.git"));
    assert_eq!(publish.profile.issue_tracker.as_deref(), Some("https://example.org/bugs"));
    assert_eq!(
        (publish.profile.labels.as_slice(), publish.profile.licenses.as_slice()),
        (&["k".to_owned()][..], &["MIT".to_owned()][..])
    );
    let refusal = Refusal::Forbidden("You cannot publish over the previously published versions: 1.1.0.".to_owned());
    assert_eq!(Npm.repeated(&publish), Some(refusal.clone()));
    assert_eq!(Npm.conflict(&publish, "x".to_owned()), refusal);
    assert_eq!(done(NativeMethod::Put, "@acme/hello"), 201);
}

#[test]
fn bad_documents_are_refused() {
    let tarball = "@acme/hello-1.1.0.tgz";
    let refused = |result| matches!(result, Err(Refusal::Invalid(_)));
    assert!(refused(publish(&document(), &[])), "no tarball");
    assert!(refused(publish(&document(), &[tarball, "@acme/hello-1.1.1.tgz"])), "two tarballs");
    for (pointer, value) in [
        ("/name", json!("hello")),
        ("/versions", json!({ "__proto__": {} })),
        ("/versions", json!({ "constructor": {} })),
        ("/dist-tags", json!({ "next": "2.0.0" })),
        ("/dist-tags", json!({ "1.0.0": "1.1.0" })),
        ("/versions/1.1.0/name", json!("other")),
        ("/versions/1.1.0/dist/shasum", json!("00")),
        ("/versions/1.1.0/dist/integrity", json!("sha512-x")),
        ("/_attachments/@acme~1hello-1.1.0.tgz/length", json!(8)),
    ] {
        let mut document = document();
        *document.pointer_mut(pointer).expect("a value") = value.clone();
        assert!(refused(publish(&document, &[tarball])), "{pointer} = {value}");
    }
    let deep = Sent { document: "[".repeat(1_000).into_bytes(), ..Sent::default() };
    assert!(refused(accept(NativeMethod::Put, "a", &deep)));
}

#[test]
fn a_manifest_is_compared_with_the_tarball() {
    let package = view(&["1.1.0"]);
    let about = package.versions[0].files[0].about.as_deref().expect("facts");
    let check = |sent: &Value| Npm.check_metadata(sent.to_string().as_bytes(), about);
    assert_eq!(check(&json!({ "name": "@acme/hello", "version": "1.1.0" })), Ok(()));
    assert!(check(&json!({ "name": "@acme/hello", "version": "1.1.0", "dependencies": { "b": "1" } })).is_err());
    assert!(check(&json!([])).is_err());
}

#[test]
fn a_document_without_a_tarball_deprecates() {
    let document =
        json!({ "name": "a", "versions": { "1.0.0": { "deprecated": "old" }, "2.0.0": { "deprecated": "" } } });
    let Ok(Accepted::Changes(changes)) = put("a", &document) else { panic!("changes") };
    let [NativeChange::Mark { package, mark, versions }] = &changes[..] else { panic!("a mark") };
    assert_eq!((package.as_str(), *mark), ("a", "deprecated"));
    assert_eq!((&versions["1.0.0"], &versions["2.0.0"]), (&Some("old".to_owned()), &None));
    assert!(matches!(put("a", &json!({ "name": "a" })), Err(Refusal::Invalid(_))));
}

#[test]
fn a_document_of_a_revision_leaves_versions() {
    let Ok(Accepted::Changes(changes)) = put("a/-rev/3-0", &json!({ "name": "a", "versions": { "1.0.0": {} } })) else {
        panic!("changes")
    };
    let package = PackageName::parse("a").expect("a name");
    assert_eq!(changes, [NativeChange::KeepVersions { package, versions: vec!["1.0.0".to_owned()] }]);
    assert!(matches!(put("a/-rev/3-0", &json!({ "name": "a", "maintainers": [] })), Err(Refusal::Forbidden(_))));
    assert!(matches!(put("a/-rev/3-0", &json!({ "name": "a", "versions": {} })), Err(Refusal::Invalid(_))));
    assert_eq!((done(NativeMethod::Put, "a/-rev/1"), done(NativeMethod::Delete, "a/-rev/1")), (200, 200));
}

#[test]
fn a_tag_is_set_by_a_json_text() {
    let url = "-/package/@acme/hello/dist-tags/next";
    let Ok(Accepted::Changes(changes)) = put(url, &json!("1.0.0")) else { panic!("changes") };
    let (package, version) = (PackageName::parse("@acme:hello"), VersionName::parse("1.0.0"));
    let (package, version) = (package.expect("a name"), version.expect("a version"));
    assert_eq!(changes, [NativeChange::SetTag { package, tag: "next".to_owned(), version }]);
    for bad in [json!(1), json!("latest"), json!({})] {
        assert!(matches!(put(url, &bad), Err(Refusal::Invalid(_))), "{bad}");
    }
    assert_eq!((done(NativeMethod::Put, url), done(NativeMethod::Delete, url)), (201, 200));
}

fn answer(url: &str, rows: &Rows) -> Option<NativeAnswer> {
    with_call(&Npm, NativeMethod::Get, url, "", |call| Npm.answer(call, rows)).expect("a route")
}

#[test]
fn a_sign_in_returns_a_token() {
    let token = |name: &str| {
        let url = "-/user/org.couchdb.user:ada";
        let answer = with_call(&Npm, NativeMethod::Put, url, "", |call| Npm.signed_in(call, name, "key"));
        let answer = answer.flatten().expect("an answer");
        assert_eq!(answer.status, 201);
        serde_json::from_str::<Value>(&answer.content).expect("JSON")["token"].clone()
    };
    assert_eq!(token("ada"), "key");
    assert_eq!(token("client@ada"), STANDARD.encode("client@ada:key"), "an access key needs its name");
}

#[test]
fn questions_are_answered() {
    let ada = answer("-/whoami", &Rows::Caller(Some("ada".to_owned()))).expect("an answer");
    assert_eq!((ada.status, ada.content.as_str()), (200, r#"{"username":"ada"}"#));
    assert_eq!(answer("-/whoami", &Rows::Caller(None)).expect("an answer").status, 401);
    let package = PackageSummary {
        name: "@acme:hello".to_owned(),
        latest_version: Some("1.0.0".to_owned()),
        description: None,
        labels: vec!["k".to_owned()],
        website: None,
        updated: time(),
    };
    let rows = Rows::Packages { packages: vec![package], total: 1, at: time() };
    let found = answer("-/v1/search?text=hello", &rows).expect("an answer").content;
    assert!(found.contains(r#""name":"@acme/hello""#) && found.contains(r#""total":1"#), "{found}");
}

#[test]
fn packages_are_shown_in_parts() {
    let rows = Rows::Package(Box::new(view(&["1.0.0"])));
    let tags = answer("-/package/@acme/hello/dist-tags", &rows).expect("an answer").content;
    assert_eq!(tags, r#"{"latest":"1.0.0"}"#);
    let version = answer("@acme/hello/latest", &rows).expect("an answer").content;
    let version: Value = serde_json::from_str(&version.replace(BASE, "BASE")).expect("JSON");
    assert_eq!((&version["version"], &version["_id"]), (&json!("1.0.0"), &json!("@acme/hello@1.0.0")));
    let mut without = view(&["1.0.0"]);
    without.versions[0].files.clear();
    let tags = answer("-/package/@acme/hello/dist-tags", &Rows::Package(Box::new(without))).expect("an answer");
    assert_eq!(tags.content, r#"{"latest":"1.0.0"}"#, "the tags need no files");
}
