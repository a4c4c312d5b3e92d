//! Tests of the requests of PyPI's clients.

use model::file_path::FilePath;
use operations::format::{Body, NativeMethod, NativeRequest, PackageSummary, Question};

use super::*;
use crate::native_samples::{request, sent_file, time, with_call};

const PIP: &str = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html; q=0.1, text/html; q=0.01";
const WHEEL: &str = "hello_pkg-1.0-py3-none-any.whl";

fn get(url: &str, accept: &str) -> Result<NativeRequest, Refusal> {
    request(&Pypi, NativeMethod::Get, url, accept).expect("a route")
}

fn read(path: &str, media_type: &'static str) -> Result<NativeRequest, Refusal> {
    let path = FilePath::parse(path).expect("a path");
    Ok(NativeRequest::Read { path, media_type: Some(media_type), varies: true })
}

#[test]
fn pages_are_read_in_the_form_that_is_accepted() {
    assert_eq!(
        get("simple/hello-pkg/", PIP),
        read("simple/hello-pkg/index.json", "application/vnd.pypi.simple.v1+json")
    );
    assert_eq!(get("simple/hello-pkg/", "*/*"), read("simple/hello-pkg/index.html", "text/html"));
    let html = "application/vnd.pypi.simple.v1+html";
    assert_eq!(get("simple/hello-pkg/", html), read("simple/hello-pkg/index.html", html));
}

#[test]
fn other_spellings_are_redirected() {
    let page = Ok(NativeRequest::Redirect("simple/hello-pkg/".to_owned()));
    for url in ["simple/Hello_Pkg/", "simple/Hello.Pkg", "simple/hello-pkg"] {
        assert_eq!(get(url, PIP), page, "{url}");
    }
    assert_eq!(get("simple", PIP), Ok(NativeRequest::Redirect("simple/".to_owned())));
    for url in ["simple/simple/", "simple/-a-/", "simple/a%2Fb/"] {
        assert_eq!(get(url, PIP), Err(Refusal::NotFound), "{url}");
    }
}

#[test]
fn files_and_pages_by_their_names_are_files() {
    for url in [format!("packages/hello-pkg/1.0/{WHEEL}").as_str(), "simple/a/index.json", "packages"] {
        assert_eq!(request(&Pypi, NativeMethod::Get, url, PIP), None, "{url}");
    }
}

#[test]
fn projects_are_listed() {
    assert_eq!(get("simple/", PIP), Ok(NativeRequest::Ask(Question::Packages)));
    let package = PackageSummary {
        name: "hello-pkg".to_owned(),
        latest_version: None,
        description: None,
        labels: Vec::new(),
        website: None,
        updated: time(),
    };
    let rows = Rows::Packages { packages: vec![package], total: 1, at: time() };
    let answer = |accept| with_call(&Pypi, NativeMethod::Get, "simple/", accept, |call| Pypi.answer(call, &rows));
    let json = answer(PIP).flatten().expect("a list");
    assert_eq!((json.status, json.media_type), (200, "application/vnd.pypi.simple.v1+json"));
    assert!(json.content.contains("{\"name\":\"hello-pkg\"}"), "{}", json.content);
    assert!(answer("").flatten().expect("a list").content.contains("<a href=\"hello-pkg/\">hello-pkg</a>"));
}

fn form(changes: &[(&str, &str)]) -> Sent {
    let digest = "ab".repeat(32);
    let mut fields: Vec<(String, String)> = [
        (":action", "file_upload"),
        ("protocol_version", "1"),
        ("name", "Hello.Pkg"),
        ("version", "1.0"),
        ("filetype", "bdist_wheel"),
        ("sha256_digest", &digest),
        ("summary", "says hello"),
        ("license_expression", "MIT OR Apache-2.0"),
        ("project_urls", "Source Code, https://example.org/source"),
        ("project_urls", "Bug Tracker, https://example.org/issues"),
        ("keywords", "a,b"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    for (name, value) in changes {
        fields.retain(|(field, _)| field != name);
        fields.push(((*name).to_owned(), (*value).to_owned()));
    }
    Sent { fields, files: vec![sent_file("content", WHEEL)], ..Sent::default() }
}

fn accept(sent: &Sent) -> Result<Accepted, Refusal> {
    with_call(&Pypi, NativeMethod::Post, "", "", |call| Pypi.accept(call, sent)).expect("a route")
}

#[test]
fn an_upload_is_a_publish() {
    for url in ["", "legacy/", "legacy"] {
        let take = request(&Pypi, NativeMethod::Post, url, "");
        assert_eq!(take, Some(Ok(NativeRequest::Take(Body::Multipart))), "{url}");
    }
    let mut sent = form(&[]);
    sent.files.push(sent_file("gpg_signature", &format!("{WHEEL}.asc")));
    let Ok(Accepted::Publish(publish)) = accept(&sent) else { panic!("a publish") };
    assert_eq!((publish.package.as_str(), publish.version.as_str()), ("hello-pkg", "1.0"));
    let paths: Vec<_> = publish.files.iter().map(|file| (file.part, file.path.as_str())).collect();
    let path = format!("packages/hello-pkg/1.0/{WHEEL}");
    assert_eq!(paths, [(0, path.as_str()), (1, format!("{path}.asc").as_str())]);
    assert_eq!(publish.profile.description.as_deref(), Some("says hello"));
    assert_eq!(publish.profile.licenses, ["MIT", "Apache-2.0"]);
    assert_eq!(publish.profile.vcs.as_deref(), Some("https://example.org/source"));
    assert_eq!(publish.profile.issue_tracker.as_deref(), Some("https://example.org/issues"));
    assert_eq!(publish.profile.labels, ["a", "b"]);
    assert_eq!(Pypi.repeated(&publish), None, "the same file again is fine");
    let conflict = Pypi.conflict(&publish, "it differs".to_owned());
    assert_eq!(conflict, Refusal::Invalid("File already exists: it differs".to_owned()));
    let Refusal::Invalid(spelling) = Pypi.conflict(&publish, "'version hello-pkg 1' is taken".to_owned()) else {
        panic!("an invalid request")
    };
    assert!(!spelling.contains("File already exists"), "clients must not skip it: {spelling}");
    let done = with_call(&Pypi, NativeMethod::Post, "", "", |call| Pypi.done(call)).expect("a route");
    assert_eq!((done.status, done.content.as_str()), (200, ""));
}

#[test]
fn bad_forms_are_refused() {
    let refused = |sent: &Sent| matches!(accept(sent), Err(Refusal::Invalid(_)));
    for (name, value) in [
        ("name", "other"),
        ("version", "1.0/../.."),
        ("version", "2.0"),
        ("filetype", "bdist_egg"),
        ("filetype", "sdist"),
        (":action", "submit"),
        ("sha256_digest", &"cd".repeat(32)),
        ("sha256_digest", "x"),
    ] {
        assert!(refused(&form(&[(name, value)])), "{name}={value}");
    }
    assert!(refused(&Sent { files: Vec::new(), ..form(&[]) }), "no content");
    assert!(refused(&Sent { files: vec![sent_file("content", WHEEL); 2], ..form(&[]) }), "two contents");
    for name in ["a/hello_pkg-1.0.tar.gz", "a%2Fhello_pkg-1.0.tar.gz", "../hello_pkg-1.0.tar.gz", "simple-1.0.tar.gz"] {
        let sent = Sent { files: vec![sent_file("content", name)], ..form(&[("filetype", "sdist")]) };
        assert!(refused(&sent), "{name}");
    }
    let mut many = form(&[]);
    many.fields.extend((0..10_000).map(|number| ("classifiers".to_owned(), number.to_string())));
    assert!(refused(&many), "10,000 classifiers");
}
