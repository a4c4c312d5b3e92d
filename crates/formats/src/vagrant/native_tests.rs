//! Tests of the requests of Vagrant.

use operations::format::NativeMethod;

use super::*;
use crate::native_samples::{request, sent_file, time, with_call};

fn accept(url: &str, files: usize) -> Result<Accepted, Refusal> {
    let sent = Sent { files: vec![sent_file("file", ""); files], ..Sent::default() };
    with_call(&Vagrant, NativeMethod::Put, url, "", |call| Vagrant.accept(call, &sent)).expect("a route")
}

fn read_path(url: &str) -> Option<(String, Option<&'static str>)> {
    match request(&Vagrant, NativeMethod::Get, url, "") {
        Some(Ok(NativeRequest::Read { path, media_type, varies: false })) => Some((path.to_string(), media_type)),
        _ => None,
    }
}

#[test]
fn a_box_has_one_document_at_three_addresses() {
    for url in ["ubuntu", "ubuntu.json", "api/v2/vagrant/ubuntu"] {
        assert_eq!(read_path(url), Some(("api/v2/vagrant/ubuntu".to_owned(), Some("application/json"))), "{url}");
    }
    for bad in ["api", "api/v2/vagrant/api", ".x"] {
        assert_eq!(request(&Vagrant, NativeMethod::Get, bad, ""), Some(Err(Refusal::NotFound)), "{bad}");
    }
    assert_eq!(read_path("ubuntu/1.0/libvirt.box"), Some(("ubuntu/1.0/libvirt/unknown.box".to_owned(), None)));
    assert_eq!(request(&Vagrant, NativeMethod::Get, "ubuntu/1.0/libvirt/amd64.box", ""), None, "a file");
}

#[test]
fn boxes_are_published() {
    for (url, path) in [
        ("ubuntu/1.0.0/libvirt/amd64.box", "ubuntu/1.0.0/libvirt/amd64.box"),
        ("ubuntu/1.0.0/libvirt.box", "ubuntu/1.0.0/libvirt/unknown.box"),
    ] {
        assert_eq!(request(&Vagrant, NativeMethod::Put, url, ""), Some(Ok(NativeRequest::Take(Body::Raw))));
        let Ok(Accepted::Publish(publish)) = accept(url, 1) else { panic!("a publish") };
        assert_eq!((publish.package.as_str(), publish.version.as_str()), ("ubuntu", "1.0.0"));
        assert_eq!(publish.files[0].path.as_str(), path);
        assert_eq!(with_call(&Vagrant, NativeMethod::Put, url, "", |call| Vagrant.done(call).status), Some(201));
    }
    assert!(accept("ubuntu/1.0.0/libvirt.box", 0).is_err());
}

#[test]
fn bad_uploads_are_refused() {
    for bad in [
        "ubuntu/latest/libvirt/amd64.box",
        "ubuntu/1.0/../x.box",
        "ubuntu/1.0/Libvirt.box",
        "api/1.0/libvirt/amd64.box",
        "a.json/1.0/libvirt.box",
        "ubuntu/1.0/libvirt/AMD64.box",
    ] {
        let refused = request(&Vagrant, NativeMethod::Put, bad, "");
        assert!(matches!(refused, Some(Err(Refusal::Invalid(_)))), "{bad}: {refused:?}");
    }
}

#[test]
fn boxes_are_searched() {
    let question =
        |text: &str, offset, limit| Some(Ok(NativeRequest::Ask(Question::Search { text: text.into(), offset, limit })));
    assert_eq!(request(&Vagrant, NativeMethod::Get, "api/v2/search?q=ub&limit=5&page=2", ""), question("ub", 5, 5));
    assert_eq!(request(&Vagrant, NativeMethod::Get, "api/v2/search", ""), question("", 0, 10));
    let summary = |name: &str, version: Option<&str>| PackageSummary {
        name: name.to_owned(),
        latest_version: version.map(str::to_owned),
        description: Some("<i>a</i> box".to_owned()),
        labels: Vec::new(),
        website: None,
        updated: time(),
    };
    let packages = vec![summary("ubuntu", Some("1.0")), summary("empty", None), summary("x:y", Some("1.0"))];
    let rows = Rows::Packages { packages, total: 3, at: time() };
    let answer = with_call(&Vagrant, NativeMethod::Get, "api/v2/search", "", |call| Vagrant.answer(call, &rows));
    let content = answer.flatten().expect("an answer").content.replace(REPO, "boxes");
    let read: serde_json::Value = serde_json::from_str(&content).expect("JSON");
    assert_eq!(read["boxes"].as_array().map(Vec::len), Some(1));
    assert_eq!((&read["boxes"][0]["tag"], &read["boxes"][0]["username"]), (&"boxes/ubuntu".into(), &"boxes".into()));
}
