//! Tests of the requests of npm's clients.

use super::*;
use crate::{native_samples::request, npm::format::Npm};

fn asked(method: NativeMethod, url: &str, accept: &str) -> Result<NativeRequest, Refusal> {
    request(&Npm, method, url, accept).unwrap_or_else(|| panic!("{url} has no route"))
}

fn get(url: &str) -> Result<NativeRequest, Refusal> {
    asked(NativeMethod::Get, url, "")
}

fn name(text: &str) -> PackageName {
    PackageName::parse(text).expect("a name")
}

#[test]
fn documents_are_read_in_the_form_that_is_accepted() {
    let read = |path: &str, media_type: &'static str| {
        let path = FilePath::parse(path).expect("a path");
        Ok(NativeRequest::Read { path, media_type: Some(media_type), varies: true })
    };
    let pnpm = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*";
    for url in ["@acme/hello", "@acme/hello?write=true"] {
        assert_eq!(asked(NativeMethod::Get, url, "application/json"), read("-/full/@acme/hello", "application/json"));
        assert_eq!(asked(NativeMethod::Get, url, pnpm), read("-/abbreviated/@acme/hello", ABBREVIATED_TYPE));
    }
    assert_eq!(get("hello"), read("-/full/hello", "application/json"));
    for bad in ["Hello", "node_modules", "-"] {
        assert_eq!(get(bad), Err(Refusal::NotFound), "{bad}");
    }
}

#[test]
fn versions_and_tags_are_questions() {
    let version =
        |package: &str, version: &str| Ok(NativeRequest::Ask(Question::Version(name(package), version.to_owned())));
    assert_eq!(get("@acme/hello/1.0.0"), version("@acme:hello", "1.0.0"));
    assert_eq!(get("hello/latest"), version("hello", "latest"));
    assert_eq!(get("-/package/hello/dist-tags"), Ok(NativeRequest::Ask(Question::Package(name("hello")))));
    assert_eq!(get("-/whoami"), Ok(NativeRequest::Ask(Question::Caller)));
    let search = Question::Search { text: "hello".to_owned(), offset: 5, limit: 9 };
    assert_eq!(get("-/v1/search?text=hello&size=9&from=5"), Ok(NativeRequest::Ask(search)));
    let default = Question::Search { text: String::new(), offset: 0, limit: 20 };
    assert_eq!(get("-/v1/search"), Ok(NativeRequest::Ask(default)));
}

#[test]
fn tarballs_are_files() {
    for url in ["hello/-/hello-1.0.0.tgz", "@acme/hello/-/hello-1.0.0.tgz"] {
        assert_eq!(request(&Npm, NativeMethod::Get, url, ""), None, "{url}");
    }
}

#[test]
fn small_requests_have_fixed_answers() {
    for (method, url) in [
        (NativeMethod::Get, "-/ping"),
        (NativeMethod::Post, "-/npm/v1/security/advisories/bulk"),
        (NativeMethod::Post, "-/npm/v1/security/audits/quick"),
        (NativeMethod::Delete, "-/user/token/secret"),
    ] {
        let Ok(NativeRequest::Say(answer)) = asked(method, url, "") else { panic!("{url}") };
        assert_eq!((answer.status, answer.content.as_str()), (200, "{}"), "{url}");
    }
    assert_eq!(asked(NativeMethod::Post, "-/v1/login", ""), Err(Refusal::NotFound));
    assert_eq!(asked(NativeMethod::Put, "-/user/org.couchdb.user:ada", ""), Ok(NativeRequest::SignIn));
}

#[test]
fn documents_are_sent() {
    for url in ["hello", "@acme/hello", "@acme/hello/-rev/3-0"] {
        assert_eq!(asked(NativeMethod::Put, url, ""), Ok(NativeRequest::Take(Body::NpmDocument)), "{url}");
    }
    assert!(matches!(asked(NativeMethod::Put, "Hello", ""), Err(Refusal::Invalid(_))));
}

#[test]
fn packages_and_versions_are_deleted() {
    let changed = |url: &str| asked(NativeMethod::Delete, url, "");
    let package = NativeChange::DeletePackage { package: name("@acme:hello") };
    assert_eq!(changed("@acme/hello/-rev/3-0"), Ok(NativeRequest::Change(vec![package])));
    for url in ["@acme/hello/-/hello-1.0.0.tgz/-rev/3-0", "dl/acme/npm/@acme/hello/-/hello-1.0.0.tgz/-rev/3-0"] {
        let version = VersionName::parse("1.0.0").expect("a version");
        let change = NativeChange::DeleteVersion { package: name("@acme:hello"), version };
        assert_eq!(changed(url), Ok(NativeRequest::Change(vec![change])), "{url}");
    }
    assert_eq!(changed("hello/-/other-1.0.0.tgz/-rev/3-0"), Err(Refusal::NotFound));
}

#[test]
fn tags_are_set_and_deleted() {
    let url = "-/package/@acme/hello/dist-tags/next";
    assert_eq!(asked(NativeMethod::Put, url, ""), Ok(NativeRequest::Take(Body::Text(VERSION_BYTES))));
    let change = NativeChange::DeleteTag { package: name("@acme:hello"), tag: "next".to_owned() };
    assert_eq!(asked(NativeMethod::Delete, url, ""), Ok(NativeRequest::Change(vec![change])));
    let version = asked(NativeMethod::Put, "-/package/hello/dist-tags/1.0.0", "");
    assert!(matches!(version, Err(Refusal::Invalid(_))), "a tag that is a version");
}
