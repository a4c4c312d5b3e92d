use operations::format::Native;

use super::*;
use crate::{
    native_samples::{sent_file, with_call},
    vagrant::format::Vagrant,
};

fn meaning(method: NativeMethod, url: &str) -> Option<Result<NativeRequest, Refusal>> {
    with_call(&Vagrant, method, url, "", |call| (call.route.request)(call))
}

fn accepted(method: NativeMethod, url: &str, body: &str) -> Result<Accepted, Refusal> {
    let files = vec![sent_file("", "")];
    let sent = Sent { document: body.as_bytes().to_vec(), files, ..Sent::default() };
    with_call(&Vagrant, method, url, "", |call| Vagrant.accept(call, &sent)).expect("a route")
}

#[test]
fn only_the_repository_is_an_organization() {
    for (url, is_found) in [("user/repo", true), ("user/Repo", true), ("user/other", false)] {
        let found = meaning(NativeMethod::Get, url).expect("a route");
        assert_eq!(found.is_ok(), is_found, "{url}");
    }
    assert_eq!(meaning(NativeMethod::Get, "box/other/ubuntu"), Some(Err(Refusal::NotFound)));
    let created = accepted(NativeMethod::Post, "boxes", r#"{"username":"other","name":"ubuntu"}"#);
    assert_eq!(created, Err(Refusal::NotFound));
}

#[test]
fn a_box_is_created_described_and_released() {
    let described = |accepted: Result<Accepted, Refusal>| match accepted {
        Ok(Accepted::Changes(changes)) => match &changes[..] {
            [NativeChange::Describe { package, version, description }] => {
                let version = version.as_ref().map(|version| version.as_str().to_owned());
                (package.as_str().to_owned(), version, description.clone())
            }
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    let created = accepted(NativeMethod::Post, "boxes", r#"{"username":"repo","name":"ubuntu","description":"a box"}"#);
    assert_eq!(described(created), ("ubuntu".to_owned(), None, Some("a box".to_owned())));
    let version = accepted(NativeMethod::Post, "box/repo/ubuntu/versions", r#"{"version":{"version":"1.0"}}"#);
    assert_eq!(described(version), ("ubuntu".to_owned(), Some("1.0".to_owned()), None));
    let provider = r#"{"provider":{"name":"libvirt"}}"#;
    let provider = accepted(NativeMethod::Post, "box/repo/ubuntu/version/1.0/providers", provider);
    assert_eq!(described(provider), ("ubuntu".to_owned(), Some("1.0".to_owned()), None));
    let Some(Ok(NativeRequest::Change(changes))) = meaning(NativeMethod::Put, "box/repo/ubuntu/version/1.0/release")
    else {
        panic!("a change")
    };
    assert!(matches!(changes[0], NativeChange::PublishStaged { .. }), "{changes:?}");
}

#[test]
fn an_upload_has_the_path_of_its_box() {
    for (url, path) in [
        ("box/repo/ubuntu/version/1.0/provider/libvirt/upload", "ubuntu/1.0/libvirt/unknown.box"),
        ("box/repo/ubuntu/version/1.0/provider/libvirt/arm64/upload", "ubuntu/1.0/libvirt/arm64.box"),
    ] {
        let Ok(Accepted::Publish(publish)) = accepted(NativeMethod::Put, url, "") else { panic!("{url}") };
        assert_eq!(publish.files[0].path.as_str(), path);
        for asked in [url.to_owned(), format!("{url}/direct")] {
            let begun = meaning(NativeMethod::Get, &asked);
            assert_eq!(begun, Some(Ok(NativeRequest::BeginUpload(url.to_owned()))), "{asked}");
        }
    }
}

#[test]
fn names_that_no_box_can_have_are_refused() {
    for url in ["box/repo/api", "box/repo/a%2F/version/1.0", "box/repo/ubuntu/version/latest"] {
        assert!(matches!(meaning(NativeMethod::Put, url), Some(Err(_))), "{url}");
    }
    for body in ["", "{}", r#"{"version":{}}"#, r#"{"version":{"version":"latest"}}"#] {
        assert!(accepted(NativeMethod::Post, "box/repo/ubuntu/versions", body).is_err(), "{body}");
    }
    for body in [r#"{"username":"repo"}"#, r#"{"username":"repo","name":"../x"}"#, "not JSON"] {
        assert!(accepted(NativeMethod::Post, "boxes", body).is_err(), "{body}");
    }
}
